"""One window at a time saves or tidies a project.

Until a document names them, files that were just written look like what an earlier saving has left.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from core.errors import CleanplateError
from core.project.naming import document_at
from core.runtime.file_lock import FileLock, NoLocksError

WAIT_S = 30.0
"""A large model takes seconds to write; an ended program holds no lock."""


def lock_path(project: Path) -> Path:
    """Return the file of a project's lock, hidden beside it; whoever comes by a link meets the same."""
    document = document_at(project)
    return document.with_name(f".{document.name}.lock")


@contextlib.contextmanager
def saving_alone(project: Path) -> Iterator[None]:
    """Hold a project while it is saved, where its file system has locks; wait for whoever has it.

    Raises
    ------
    CleanplateError
        Another window does not give it back.
    OSError
        The folder is not there or cannot be written.
    """
    lock = FileLock(lock_path(project))
    with _removed_without_locks(project):
        if not lock.acquire_within(WAIT_S):
            raise CleanplateError(
                f"Another window has been saving {project.name} for {WAIT_S:.0f} s; save later, or as another."
            )
    try:
        yield
    finally:
        lock.release(remove=True)


@contextlib.contextmanager
def tidying_alone(project: Path) -> Iterator[bool]:
    """Hold a project while it is tidied; give False where it is being saved, or nobody can tell whether it is."""
    lock, is_held = FileLock(lock_path(project)), False
    with contextlib.suppress(OSError), _removed_without_locks(project):
        is_held = lock.acquire()
    try:
        yield is_held
    finally:
        lock.release(remove=True)


@contextlib.contextmanager
def _removed_without_locks(project: Path) -> Iterator[None]:
    """Go on where the file system has no locks, and leave no file of one there."""
    try:
        yield
    except NoLocksError:
        with contextlib.suppress(OSError):
            lock_path(project).unlink()
