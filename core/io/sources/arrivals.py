"""Files that arrive in a folder one after another: each is handed on when whoever writes it has finished."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from core.io.sources import failing
from core.io.sources.folder_clock import FolderClock
from core.io.sources.left_out import LeftOut
from core.io.sources.natural_order import natural_order
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


class Arrivals:
    """The files of a folder in natural order of their names, as they come to be.

    Parameters
    ----------
    folder : Path
    suffixes : tuple of str
        Of the files that count, in small letters.
    is_whole : callable
        ``is_whole(path, still_s)`` tells whether a file that was not changed for so long holds all that it should.
    left_out : LeftOut
        Counts those that never become whole, and those that are taken away before their turn.
    clock : FolderClock
        Of this folder.
    """

    def __init__(
        self, folder: Path, suffixes: tuple[str, ...], is_whole: Callable[[Path, float], bool], left_out: LeftOut,
        clock: FolderClock,
    ) -> None:  # fmt: skip
        self._folder, self._suffixes, self._is_whole, self._left_out = folder, suffixes, is_whole, left_out
        self._waiting: deque[str] = deque()
        self._known: set[str] = set()
        self._listed: tuple[int, float] | None = None
        self._next_listing = 0.0
        self._failure: OSError | None = None
        self._clock = clock
        self._seen: tuple[str, int, int] | None = None
        self._watched_s = 0.0
        self._held: str | None = None
        self._held_s = 0.0
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
        if (now_seen := (path.name, seen.st_size, seen.st_mtime_ns)) != self._seen:
            self._seen, self._watched_s = now_seen, time.monotonic()
        still_s = self._clock.age_s(seen.st_mtime)
        if still_s < STILL_S:
            return None
        # Times may be set, and clocks turned back: nothing is given up that was not seen to be still, too.
        is_given_up = still_s > GIVEN_UP_S and time.monotonic() - self._watched_s > STILL_S
        try:
            if seen.st_size and self._is_whole(path, still_s):
                return True
        except failing.LostInputError:  # On some systems nobody reads what another program still writes.
            if is_given_up:
                raise
        return False if is_given_up else None

    def _tell_held(self, name: str, now: float) -> None:
        """Say that a file is waited for, and what waits behind it, once it was long enough to be seen to be cut."""
        if name != self._held:  # One that comes late may stand before another.
            self._go_on()
            self._held, self._held_s = name, now
        if now - self._held_s > STILL_S:
            self._left_out.hold(name, len(self._waiting) - 1)
        if now - self._held_s > TOLD_S and not self._is_told:
            self._is_told = True
            announcing.tell(f"Waiting for {name} to be complete")

    def _go_on(self) -> None:
        if self._is_told:
            announcing.tell("")
        self._held, self._is_told = None, False
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
            changed = os.stat(self._folder)
            self._failure = None
        except OSError as error:
            self._failure = error
            return
        if self._listed is not None and self._listed[0] == changed.st_mtime_ns and now - self._listed[1] < AGAIN_S:
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
            with contextlib.suppress(OSError):  # It is the newest, most likely; not every folder's own time is kept.
                self._clock.age_s(os.stat(self._folder / self._waiting[-1]).st_mtime)
        # What comes within the same tick of the clock changes nothing more: it is looked at once again.
        is_settled = self._clock.age_s(changed.st_mtime) > STILL_S
        self._listed = (changed.st_mtime_ns, now) if is_settled else None
        ended = time.monotonic()
        self._next_listing = ended + max(POLL_S, (ended - now) * (1 - SHARE) / SHARE)
