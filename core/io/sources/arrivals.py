"""Files that arrive in a folder one after another: each is handed on when whoever writes it has finished."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from core.errors import CleanplateError
from core.io.regular_file import open_regular
from core.io.sources import failing
from core.io.sources.left_out import LeftOut
from core.io.sources.natural_order import natural_order
from core.io.sources.reading import UnreachableError, Unreadable, read_picture
from core.io.sources.unusable import TooLargeError
from core.io.sources.video import VideoSource
from core.runtime import announcing

STILL_S = 2.0
"""A file that was not changed for so long is looked at: who still writes it mostly does so many times a second."""

GIVEN_UP_S = 60.0
"""One that was not changed for so long and is not whole never will be."""

TOLD_S = 10.0
"""After so long people are told which file is waited for, seconds."""

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
    left_out : LeftOut
        Counts those that never become whole, and those that are taken away before their turn.
    """

    def __init__(
        self, folder: Path, suffixes: tuple[str, ...], is_whole: Callable[[Path], bool], left_out: LeftOut
    ) -> None:
        self._folder, self._suffixes, self._is_whole, self._left_out = folder, suffixes, is_whole, left_out
        self._waiting: deque[str] = deque()
        self._known: set[str] = set()
        self._listed: tuple[int, float] | None = None
        self._next_listing = 0.0
        self._failure: OSError | None = None
        self._held_s: float | None = None
        self._is_told = False

    def next(self, ended: Callable[[], bool], idle_s: float) -> Path | None:
        """Return the next file, once it is whole; None where ``ended()`` or none came for ``idle_s`` seconds.

        Raises
        ------
        LostInputError
            A file could not be read for `GIVEN_UP_S`; the folder is gone with files that were not read, or cannot be
            looked at when no more seem to come.
        """
        since = time.monotonic()
        while not ended():
            self._list()
            while self._waiting:
                path = self._folder / self._waiting[0]
                state = self._state(path)
                if state is None:
                    since = time.monotonic()  # It grows, or is about to be whole.
                    self._tell_held(path.name, since)
                    break
                self._waiting.popleft()
                self._go_on()
                if state:
                    return path
                if os.path.exists(path):
                    self._left_out.add("cut", path.name, "is damaged or cut short")
                else:
                    self._check_folder()
                    self._left_out.add("gone", path.name, "is gone, or a link to what is gone")
            if time.monotonic() - since > idle_s:
                if self._failure is not None and not isinstance(self._failure, FileNotFoundError):
                    raise failing.failed(f"The folder {self._folder}", self._failure) from self._failure
                return None  # To a folder that is gone nothing comes any more.
            time.sleep(POLL_S)
        return None

    def _state(self, path: Path) -> bool | None:
        """Tell whether a file is whole; None: it may become so, or readable."""
        try:
            seen = path.stat()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise failing.failed(path.name, error) from error
        if not stat.S_ISREG(seen.st_mode):
            return False
        age = time.time() - seen.st_mtime
        if 0 <= age < STILL_S:
            return None
        # What lies in the future by its time of change has another clock.
        is_given_up = abs(age) > GIVEN_UP_S
        try:
            if seen.st_size and self._is_whole(path):
                return True
        except failing.LostInputError:  # On some systems nobody reads what another program still writes.
            if is_given_up:
                raise
        return False if is_given_up else None

    def _tell_held(self, name: str, now: float) -> None:
        """Say that a file is waited for, and what waits behind it, once it was long enough to be seen to be cut."""
        self._held_s = now if self._held_s is None else self._held_s
        if now - self._held_s > STILL_S:
            self._left_out.hold(name, len(self._waiting) - 1)
        if now - self._held_s > TOLD_S and not self._is_told:
            self._is_told = True
            announcing.tell(f"Waiting for {name} to be complete")

    def _go_on(self) -> None:
        if self._is_told:
            announcing.tell("")
        self._held_s, self._is_told = None, False
        self._left_out.go_on()

    def _check_folder(self) -> None:
        """Raise an error where the folder is gone too: that is no file that someone has taken away."""
        try:
            os.stat(self._folder)
        except OSError as error:
            raise failing.failed(f"The folder {self._folder}", error) from error

    def _list(self) -> None:
        """Take note of files that have come to be, where it is time for that."""
        now = time.monotonic()
        if now < self._next_listing:
            return
        try:
            changed = os.stat(self._folder).st_mtime_ns
            self._failure = None
        except OSError as error:
            self._failure = error
            return
        if self._listed is not None and self._listed[0] == changed and now - self._listed[1] < AGAIN_S:
            return
        try:
            with os.scandir(self._folder) as entries:
                names = [e.name for e in entries if e.name.lower().endswith(self._suffixes) and e.name[0] != "."]
        except OSError as error:
            self._failure, self._listed = error, None
            return
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
    """Tell whether an image file is not cut short, as far as its format says where it ends.

    Raises
    ------
    LostInputError
        It is there, but cannot be read.
    """
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
    except UnreachableError as error:
        return _nothing(path, error.reason)
    except OSError as error:
        return _nothing(path, error)
    except MemoryError as error:
        raise failing.no_room(path.name) from error
    except (CleanplateError, Unreadable):
        return False
    return True


def _nothing(path: Path, error: OSError) -> Literal[False]:
    """Return False of a file that is not there; raise an error of one that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return False
    raise failing.failed(path.name, error) from error


def is_whole_film(path: Path) -> bool:
    """Tell whether a film can be opened, and says how long it is, as one does that was completed.

    Raises
    ------
    LostInputError
        It is there, but cannot be read.
    """
    try:
        with contextlib.closing(VideoSource(path)) as film:
            return film.info.n_frames is not None
    except TooLargeError:
        return True  # Whoever reads it is told of what stands in the way.
    except failing.LostInputError:
        raise
    except CleanplateError:
        return False
