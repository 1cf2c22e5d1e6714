"""One window at a time saves or tidies a project.

Until a document names them, files that were just written look like what an earlier saving has left.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from core.errors import CleanplateError
from core.runtime.file_lock import FileLock, NoLocksError

WAIT_S = 30.0
"""A large model takes seconds to write; an ended program holds no lock."""

POLL_S = 0.05


def lock_of(path: Path) -> FileLock:
    """Return the lock of the project at ``path``, hidden beside it."""
    return FileLock(path.with_name(f".{path.name}.lock"))


@contextlib.contextmanager
def saving_alone(path: Path) -> Iterator[None]:
    """Hold a project while it is saved, where its file system has locks; wait for whoever has it.

    Raises
    ------
    CleanplateError
        Another window does not give it back.
    OSError
        The folder is not there or cannot be written.
    """
    lock, deadline = lock_of(path), time.monotonic() + WAIT_S
    with contextlib.suppress(NoLocksError):
        while not lock.acquire():
            if time.monotonic() > deadline:
                raise CleanplateError(
                    f"Another window has been saving {path.name} for {WAIT_S:.0f} s; save again later, or as another."
                )
            time.sleep(POLL_S)
    try:
        yield
    finally:
        lock.release(remove=True)


@contextlib.contextmanager
def tidying_alone(path: Path) -> Iterator[bool]:
    """Hold a project while it is tidied; give False where it is being saved, or nobody can tell whether it is."""
    lock = lock_of(path)
    try:
        is_held = lock.acquire()
    except OSError:
        is_held = False
    try:
        yield is_held
    finally:
        lock.release(remove=True)
