"""Time codes of films: the number that an editor knows a frame by (SMPTE ST 12-1)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_FORM = re.compile(r"(\d\d):(\d\d):(\d\d)([:;.])(\d{2,3})")

DAY_H = 24

DROPPED = 15
"""Frames a second to each number that is left out at the start of a minute, where numbers are dropped: 2 of 30."""


def text_in(tags: Mapping[str, str]) -> str:
    """Return what the tags of a film or a stream say of it, empty if nothing; Matroska has them in capitals."""
    return next((value for key, value in tags.items() if key.lower() == "timecode"), "")


@dataclass(frozen=True)
class Timecode:
    """The time code of a frame.

    Attributes
    ----------
    frame : int
        Which frame of the day it is, from 0.
    rate : int
        Frames that are counted in a second; 30 also at 29.97.
    drops : bool
        The first numbers of each minute but every tenth are left out, so that 29.97 frames a second keep up with the
        clock.
    """

    frame: int
    rate: int
    drops: bool = False

    @classmethod
    def of(cls, text: str, fps: float) -> Timecode | None:
        """Return what a film of this rate says, ``HH:MM:SS:FF`` or, with dropped numbers, ``HH:MM:SS;FF``.

        None where it is no time code of such a film.
        """
        found, rate = _FORM.fullmatch(text.strip()), round(fps)
        if found is None or rate < 1:
            return None
        hours, minutes, seconds, frames = (int(found[k]) for k in (1, 2, 3, 5))
        drops = found[4] != ":"
        if hours >= DAY_H or minutes > 59 or seconds > 59 or frames >= rate or (drops and rate % 30):
            return None
        n_minutes = 60 * hours + minutes
        dropped = rate // DROPPED * (n_minutes - n_minutes // 10) if drops else 0
        return cls((60 * n_minutes + seconds) * rate + frames - dropped, rate, drops)

    def after(self, n_frames: int) -> Timecode:
        """Return that of the frame so many later; a day later it is the same again."""
        return Timecode((self.frame + n_frames) % (DAY_H * self._in_minutes(60)), self.rate, self.drops)

    def __str__(self) -> str:
        """Return it as films say it."""
        number = self.frame
        if self.drops:
            tens, rest = divmod(number, self._in_minutes(10))
            first, each = 60 * self.rate, self._in_minutes(1)
            minutes = 0 if rest < first else 1 + (rest - first) // each
            number += self.rate // DROPPED * (9 * tens + minutes)
        seconds, frames = divmod(number, self.rate)
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours:02d}:{minutes:02d}:{seconds:02d}{';' if self.drops else ':'}{frames:02d}"

    def _in_minutes(self, n: int) -> int:
        """Return the frames of so many minutes: of one whose first numbers are left out, of ten, or of an hour."""
        dropped = self.rate // DROPPED * (n - n // 10) if self.drops else 0
        return 60 * n * self.rate - dropped
