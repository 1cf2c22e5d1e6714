"""Films of constant rate whose container rounds times, as Matroska does to milliseconds: times at that rate again."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import av

from core.io.sources import packets
from core.io.sources.container import video_of

FIRST = 8
"""Packets at the start of a file that tell whether its times are those of a constant rate."""

LEAST_TICKS = 2
"""Of a time stamp from frame to frame: where they are no more, any time is near some frame's."""

COARSEST = Fraction(1, 500)
"""Longest tick, seconds, that is a container's rounding: the hundredths of GIF are delays that somebody chose."""


@dataclass(frozen=True)
class Times:
    """When frames are shown, by their time stamps.

    Attributes
    ----------
    origin : int
        Time stamp of the first frame.
    tick : Fraction
        Unit of time stamps, seconds.
    step : Fraction or None
        Ticks from frame to frame where a constant rate was rounded; None: time stamps are exact.
    """

    origin: int
    tick: Fraction
    step: Fraction | None = None

    def time_s(self, stamp: int, before: int | None) -> float:
        """Return when a frame is shown, seconds from the first one; ``before`` is the stamp of the frame before it."""
        place = self._place(stamp)
        # Two frames have never one time: of a film whose rate varies after all the second keeps its own.
        if self.step is None or place is None or (before is not None and self._place(before) == place):
            return float((stamp - self.origin) * self.tick)
        return float(place * self.step * self.tick)

    def are_constant(self, stamps: list[int | None]) -> bool:
        """Tell whether time stamps are those of a constant rate, as far as they are rounded."""
        return all(stamp is not None and self._place(stamp) is not None for stamp in stamps)

    def _place(self, stamp: int) -> int | None:
        """Return which frame of a constant rate is shown then; None where its rounded time is another."""
        if self.step is None:
            return None
        place = round((stamp - self.origin) / self.step)
        # Half a tick for the first frame, half a tick for this; or a whole one for one, where both are rounded down.
        return place if abs(stamp - self.origin - place * self.step) < 1 else None


def times_of(
    container: av.container.InputContainer, origin: int, tick: Fraction, rate: Fraction, seen: list[int | None]
) -> Times:
    """Return the times of an open film whose first frame was decoded.

    Parameters
    ----------
    container : InputContainer
    origin : int
        Time stamp of the first frame.
    tick : Fraction
        Unit of time stamps, seconds.
    rate : Fraction
        Frames a second that the file states.
    seen : list of int or None
        Time stamps of the packets that were read.
    """
    step = 1 / (rate * tick)
    rounded = Times(origin, tick, step)
    if step.denominator == 1 or step <= LEAST_TICKS or tick > COARSEST:
        return Times(origin, tick)
    stamps = seen[:FIRST]
    try:
        more = (packet.pts for packet in container.demux(video_of(container)) if packet.size)
        stamps += islice(more, FIRST - len(stamps))
    except MemoryError:
        raise
    except packets.DAMAGED:
        pass  # Whoever reads the film will be told.
    return rounded if rounded.are_constant(stamps) else Times(origin, tick)
