"""A clock of pictures that goes on where that of the file begins anew: recordings were put behind each other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import av

DISORDER = 4
"""By so many frames times may go back, as those of damaged files do; where they go back further a clock begins anew."""


@dataclass
class Stretch:
    """Pictures from one place at which the clock of the file begins anew to the next.

    Attributes
    ----------
    moved_s : float
        From their time by the clock of the file to that by the clock that goes on, seconds.
    first_s, last_s : float
        When the first and the last of them are decoded, by the clock of the file.
    begins_s : float
        When the first that is decoded is shown, by the clock that goes on.
    ends_s : float
        When the last of them has been shown, by the clock of the file.
    n_before : int
        Pictures in the file before its first.
    """

    moved_s: float
    first_s: float = -inf
    last_s: float = -inf
    begins_s: float = -inf
    ends_s: float = -inf
    n_before: int = 0


class RunningClock:
    """Follows the packets of pictures in the order of the file.

    Parameters
    ----------
    step_s : float
        From picture to picture, seconds.
    moved_s : float
        Of the first stretch.

    Attributes
    ----------
    stretches : list of Stretch
        All so far.
    n_pictures : int
        Packets so far.
    """

    def __init__(self, step_s: float, moved_s: float = 0.0) -> None:
        self._step_s = step_s
        self.stretches = [Stretch(moved_s)]
        self.n_pictures = 0

    def go_on(self, picture: av.Packet[Any]) -> Stretch:
        """Take note of the times of the next packet, and return its stretch."""
        last = self.stretches[-1]
        if not picture.size or picture.dts is None:
            return last
        tick = picture.time_base or Fraction(1)
        now_s = float(picture.dts * tick)
        shown_s = now_s if picture.pts is None else float(picture.pts * tick)
        # In the order of decoding times only go on, and from the last to the first it is as far as in that of showing.
        if now_s < last.last_s - DISORDER * self._step_s:
            moved_s = last.moved_s + last.last_s + self._step_s - now_s
            last = Stretch(moved_s, now_s, begins_s=shown_s + moved_s, n_before=self.n_pictures)
            self.stretches.append(last)
        last.last_s, last.ends_s = max(last.last_s, now_s), max(last.ends_s, shown_s + self._step_s)
        self.n_pictures += 1
        return last
