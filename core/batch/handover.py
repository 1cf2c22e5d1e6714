"""Who works on a list of jobs without a window, who wants it back, and how far it is: for two processes that share it.

Both are locks beside the list, which the system frees however their holders end: nothing has to be tidied up, and
nothing that is left over is believed.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from core.batch.job import JobProgress
from core.errors import CleanplateError
from core.io.regular_file import read_regular
from core.runtime.file_lock import FileLock
from core.untrusted_json import UnreadableJsonError, decoded

MOST_BYTES = 1 << 20
"""How far a job is takes 100 bytes; few run at a time."""

TRIES, TRY_S = 5, 0.01
"""How often a lock is tried, and the seconds between: to look whether it is held takes far less."""


class Handover:
    """What two processes tell each other about a list. No method waits for more than some hundredths of a second.

    Parameters
    ----------
    path : Path
        Of the list.
    """

    def __init__(self, path: Path) -> None:
        self._alone, self._wanted = (FileLock(path.with_name(f"{path.name}.{what}")) for what in ("alone", "wanted"))
        self._progress = path.with_name(f"{path.name}.progress")
        self._is_alone = self._wants = False

    @property
    def is_alone(self) -> bool:
        """Whether this process goes on without a window."""
        return self._is_alone

    @property
    def is_possible(self) -> bool:
        """Whether it can be told that this process goes on without a window."""
        is_free = self._is_alone or _taken(self._alone)
        if is_free and not self._is_alone:
            self._alone.release(remove=True)
        return is_free

    def go_on_alone(self) -> bool:
        """Go on without a window from now on; False where that cannot be told, and another window would begin, too."""
        self._is_alone = self._is_alone or _taken(self._alone)
        return self._is_alone

    def want(self) -> None:
        """Ask for the list, until it is had."""
        self._wants = self._wants or _taken(self._wanted)

    def have(self) -> None:
        """Ask no more: the list is had."""
        self._wants = False
        self._wanted.release(remove=True)

    @property
    def is_worked_on_alone(self) -> bool:
        """Whether another process goes on without a window."""
        return not self._is_alone and _is_held(self._alone)

    @property
    def is_wanted(self) -> bool:
        """Whether another process asks for the list."""
        return not self._wants and _is_held(self._wanted)

    def tell(self, progress: Mapping[int, JobProgress]) -> None:
        """Say how far jobs are, by their numbers."""
        beside = self._progress.with_suffix(".tmp")
        with contextlib.suppress(OSError):  # It is for people to look at: nothing depends on it.
            beside.write_bytes(msgspec.json.encode(progress))
            os.replace(beside, self._progress)

    def told(self) -> dict[int, JobProgress]:
        """Return how far jobs are, as far as that is told."""
        try:
            return decoded(read_regular(self._progress, MOST_BYTES), dict[int, JobProgress])
        except (OSError, CleanplateError, UnreadableJsonError):
            return {}

    def end(self) -> None:
        """Neither work alone nor want the list any more."""
        if self._is_alone:
            with contextlib.suppress(OSError):
                self._progress.unlink()
        self.have()
        self._is_alone = False
        self._alone.release(remove=True)


def _taken(lock: FileLock) -> bool:
    """Take a lock, and tell whether it is had: another may only have looked whether it is held."""
    try:
        for _ in range(TRIES):
            if lock.acquire():
                return True
            time.sleep(TRY_S)
    except OSError:  # Among them that there are no locks here.
        pass
    return False


def _is_held(lock: FileLock) -> bool:
    """Tell whether another has a lock."""
    try:
        is_free = lock.acquire()
    except OSError:
        return False
    lock.release(remove=True)
    return not is_free
