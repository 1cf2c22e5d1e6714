"""Files that arrive in a folder one after another: each is handed on when whoever writes it has finished."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from core.errors import CleanplateError
from core.io.regular_file import open_regular
from core.io.sources.natural_order import natural_order
from core.io.sources.notes import Notes
from core.io.sources.reading import Unreadable, read_picture
from core.io.sources.video import VideoSource

STILL_S = 2.0
"""A file that was not changed for so long is looked at: who still writes it mostly does so many times a second."""

GIVEN_UP_S = 60.0
"""One that was not changed for so long and is not whole never will be."""

POLL_S = 0.25
"""How often the folder is looked at."""

SHARE = 0.1
"""Part of the time that listing may take: of a folder of 100,000 files it takes a quarter of a second."""

AGAIN_S = 30.0
"""A folder is listed when its time of change has changed, and so often anyway: not every file system keeps it."""

_ENDS = {b"\xff\xd8": b"\xff\xd9", b"\x89PNG": b"IEND\xaeB`\x82"}
"""How files begin of which it is known how they end."""

_TAIL = 1 << 12
"""Bytes in which such an end lies; some programs write more behind it."""


class Arrivals:
    """The files of a folder in natural order of their names, as they come to be.

    Parameters
    ----------
    folder : Path
    suffixes : tuple of str
        Of the files that count, in small letters.
    is_whole : callable
        ``is_whole(path)`` tells whether a file holds all that it should.
    notes : Notes
    """

    def __init__(self, folder: Path, suffixes: tuple[str, ...], is_whole: Callable[[Path], bool], notes: Notes) -> None:
        self._folder, self._suffixes, self._is_whole, self._notes = folder, suffixes, is_whole, notes
        self._waiting: deque[str] = deque()
        self._known: set[str] = set()
        self._listed: tuple[int, float] | None = None
        self._next_listing = 0.0
        self._n_left_out = 0

    def next(self, ended: Callable[[], bool], idle_s: float) -> Path | None:
        """Return the next file, once it is whole; None where ``ended()`` or none came for ``idle_s`` seconds."""
        since = time.monotonic()
        while not ended():
            self._list()
            while self._waiting:
                path = self._folder / self._waiting[0]
                state = self._state(path)
                if state is None:
                    since = time.monotonic()  # It grows, or is about to be whole.
                    break
                self._waiting.popleft()
                if state:
                    return path
                self._leave_out(path)
            if time.monotonic() - since > idle_s:
                return None
            time.sleep(POLL_S)
        return None

    def _state(self, path: Path) -> bool | None:
        """Tell whether a file is whole; None: it may become so."""
        try:
            seen = path.stat()
        except OSError:
            return False
        if not stat.S_ISREG(seen.st_mode):
            return False
        age = time.time() - seen.st_mtime
        if 0 <= age < STILL_S:
            return None
        if seen.st_size and self._is_whole(path):
            return True
        # What lies in the future by its time of change has another clock.
        return False if age > GIVEN_UP_S or age < -GIVEN_UP_S else None

    def _leave_out(self, path: Path) -> None:
        self._n_left_out += 1
        which = f"{path.name} and {self._n_left_out - 1} more are" if self._n_left_out > 1 else f"{path.name} is"
        self._notes.say("cut", f"{which} damaged or cut short, and left out.")

    def _list(self) -> None:
        """Take note of files that have come to be, where it is time for that."""
        now = time.monotonic()
        if now < self._next_listing:
            return
        try:
            changed = os.stat(self._folder).st_mtime_ns
        except OSError:
            return
        if self._listed is not None and self._listed[0] == changed and now - self._listed[1] < AGAIN_S:
            return
        with contextlib.suppress(OSError), os.scandir(self._folder) as entries:
            names = [e.name for e in entries if e.name.lower().endswith(self._suffixes) and e.name[0] != "."]
            new = [name for name in names if name not in self._known]
            if new:
                self._known.update(new)
                self._waiting = deque(natural_order([*self._waiting, *new]))
        # What comes within the same tick of the clock changes nothing more: it is looked at once again.
        is_settled = time.time_ns() - changed > 1e9 * STILL_S
        self._listed = (changed, now) if is_settled else None
        ended = time.monotonic()
        self._next_listing = ended + max(POLL_S, (ended - now) * (1 - SHARE) / SHARE)


def is_whole_image(path: Path) -> bool:
    """Tell whether an image file is not cut short, as far as its format says where it ends."""
    try:
        with open_regular(path) as file:
            start = file.read(_TAIL)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            tail = file.read()
        for begins, ends in _ENDS.items():
            if start.startswith(begins):
                return ends in tail
        if start.startswith((b"RIFF", b"BM")):
            at, more = (4, 8) if start.startswith(b"RIFF") else (2, 0)
            return size >= int.from_bytes(start[at : at + 4], "little") + more
        read_picture(path)
    except (OSError, CleanplateError, Unreadable):
        return False
    return True


def is_whole_film(path: Path) -> bool:
    """Tell whether a film can be opened, and says how long it is, as one does that was completed."""
    try:
        with contextlib.closing(VideoSource(path)) as film:
            return film.info.n_frames is not None
    except (OSError, CleanplateError):
        return False
