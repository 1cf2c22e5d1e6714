"""Which pictures the sound of a file belongs to, where its clock begins anew: recordings were put behind each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import av

from core.io.sources import packets
from core.io.sources.running_clock import RunningClock, Stretch

if TYPE_CHECKING:
    Packet = av.Packet[Any]

NEAR = 8
"""By so many packets of pictures the sound of a recording may come before its first or behind its last."""

MOST_HELD = 4096
"""Packets of sound that wait for their pictures."""


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
        self._found, self._clock = found, RunningClock(step_s, -start_s)
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
                self._clock.go_on(packet)
            elif packet.size and packet.pts is not None:
                at_s, stretches = float(packet.pts * (packet.time_base or Fraction(1))), self._clock.stretches
                so_far = len(stretches) - 1, stretches[-1].last_s, self._clock.n_pictures
                self._held.append(_Held(packet, at_s, *so_far))
            while self._held and self._is_clear(self._held[0]):
                yield from self._placed(self._held.popleft())
        while self._held:
            yield from self._placed(self._held.popleft())
        if damage is not None:
            raise damage

    def _is_clear(self, held: _Held) -> bool:
        """Tell whether no picture that is still to come says more of what a packet belongs to."""
        clock = self._clock
        is_past = held.stretch + 1 < len(clock.stretches) or clock.stretches[-1].last_s >= held.at_s
        return (is_past and clock.n_pictures >= held.n_pictures + NEAR) or len(self._held) > MOST_HELD

    def _placed(self, held: _Held) -> Iterator[tuple[Packet, Stretch]]:
        """Yield a packet with its stretch, unless that has ended by then."""
        number, stretches = held.stretch, self._clock.stretches
        far = {number: abs(held.at_s - held.clock_s)}
        if number and held.n_pictures <= stretches[number].n_before + NEAR:
            far[number - 1] = abs(held.at_s - stretches[number - 1].last_s)
        if number + 1 < len(stretches) and stretches[number + 1].n_before <= held.n_pictures + NEAR:
            far[number + 1] = abs(held.at_s - stretches[number + 1].first_s)
        number = min(far, key=far.__getitem__)
        if number + 1 == len(stretches) or held.at_s < stretches[number].ends_s:
            yield held.packet, stretches[number]
