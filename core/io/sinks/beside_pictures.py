"""Which pictures the sound of a file belongs to, where its clock begins anew: recordings were put behind each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

import av

from core.io.sources import packets
from core.io.sources.video import DISORDER

if TYPE_CHECKING:
    Packet = av.Packet[Any]

NEAR = 8
"""By so many packets of pictures the sound of a recording may come before its first or behind its last."""

MOST_HELD = 4096
"""Packets of sound that wait for their pictures."""


@dataclass
class Stretch:
    """Pictures from one place at which their clock begins anew to the next.

    Attributes
    ----------
    moved_s : float
        From their time by the clock to that in the film, seconds.
    first_s, last_s : float
        When the first and the last of them are decoded, by the clock.
    ends_s : float
        When the last of them has been shown.
    n_before : int
        Pictures in the file before its first.
    """

    moved_s: float
    first_s: float = -inf
    last_s: float = -inf
    ends_s: float = -inf
    n_before: int = 0


class _Held(NamedTuple):
    """A packet of sound, and how far the pictures were when it came: stretch, time by the clock, number in the file."""

    packet: Packet
    at_s: float
    stretch: int
    clock_s: float
    n_pictures: int


class BesidePictures:
    """Yields the packets of sound of a file in order, each with the stretch of pictures that it belongs to.

    Sound that goes on when the pictures of its stretch have ended, and others follow, is left out.

    Parameters
    ----------
    found : iterator of Packet
        Of pictures and sound, as they are in the file.
    start_s : float
        When the first picture is shown, seconds.
    step_s : float
        From picture to picture.
    """

    def __init__(self, found: Iterator[Packet], start_s: float, step_s: float) -> None:
        self._found, self._step_s = found, step_s
        self._stretches = [Stretch(-start_s)]
        self._n_pictures = 0
        self._held: deque[_Held] = deque()

    def __iter__(self) -> Iterator[tuple[Packet, Stretch]]:
        damage: Exception | None = None
        while True:
            try:
                packet = next(self._found, None)
            except packets.UNREADABLE as error:  # What was read before can be heard.
                packet, damage = None, error
            if packet is None:
                break
            if packet.stream.type == "video":
                self._go_on(packet)
            elif packet.size and packet.pts is not None:
                now = self._stretches[-1]
                at_s = float(packet.pts * (packet.time_base or Fraction(1)))
                self._held.append(_Held(packet, at_s, len(self._stretches) - 1, now.last_s, self._n_pictures))
            while self._held and self._is_clear(self._held[0]):
                yield from self._placed(self._held.popleft())
        while self._held:
            yield from self._placed(self._held.popleft())
        if damage is not None:
            raise damage

    def _go_on(self, picture: Packet) -> None:
        """Take note of the time of a packet of pictures."""
        if not picture.size or picture.dts is None:
            return
        tick, last = picture.time_base or Fraction(1), self._stretches[-1]
        now_s = float(picture.dts * tick)
        # In the order of decoding times only go on, and from the last to the first it is as far as in that of showing.
        if now_s < last.last_s - DISORDER * self._step_s:
            last = Stretch(last.moved_s + last.last_s + self._step_s - now_s, now_s, n_before=self._n_pictures)
            self._stretches.append(last)
        last.last_s = max(last.last_s, now_s)
        shown = picture.dts if picture.pts is None else picture.pts
        last.ends_s = max(last.ends_s, float(shown * tick) + self._step_s)
        self._n_pictures += 1

    def _is_clear(self, held: _Held) -> bool:
        """Tell whether no picture that is still to come says more of what a packet belongs to."""
        is_past = held.stretch + 1 < len(self._stretches) or self._stretches[-1].last_s >= held.at_s
        return (is_past and self._n_pictures >= held.n_pictures + NEAR) or len(self._held) > MOST_HELD

    def _placed(self, held: _Held) -> Iterator[tuple[Packet, Stretch]]:
        """Yield a packet with its stretch, unless that has ended by then."""
        number, stretches = held.stretch, self._stretches
        far = {number: abs(held.at_s - held.clock_s)}
        if number and held.n_pictures <= stretches[number].n_before + NEAR:
            far[number - 1] = abs(held.at_s - stretches[number - 1].last_s)
        if number + 1 < len(stretches) and stretches[number + 1].n_before <= held.n_pictures + NEAR:
            far[number + 1] = abs(held.at_s - stretches[number + 1].first_s)
        number = min(far, key=far.__getitem__)
        if number + 1 == len(stretches) or held.at_s < stretches[number].ends_s:
            yield held.packet, stretches[number]
