"""One file that is complete or as before, after a power cut too: models, presets, and what else is saved by itself."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from core.errors import CleanplateError
from core.io.publishing.durable import sync_file, sync_folder
from core.io.publishing.refusals import writing
from core.io.publishing.run_folder import RunFolder, folder_lock, recover_locked


@contextlib.contextmanager
def replacing(path: Path, *, waits: bool = True) -> Iterator[Path]:
    """Write at the path that this gives; at the end what is there is renamed to ``path``, whatever had that name.

    What was there leaves its permissions.

    Parameters
    ----------
    path : Path
    waits : bool
        Until the disk has it: a few milliseconds, and up to a second where much is written. Without, a power cut may
        leave nothing.

    Raises
    ------
    CleanplateError
        The disk is full or refuses, or ``path`` is a folder, a pipe or a device; it is as before.
    """
    if os.path.exists(path) and not path.is_file():
        raise CleanplateError(f"{path} is no file, and is not replaced; choose another name.")
    with writing(path), contextlib.ExitStack() as stack:
        with folder_lock(path.parent):
            with contextlib.suppress(CleanplateError):  # Results that someone has to look at are no matter here.
                recover_locked(path.parent)
            run = RunFolder.claim(path.parent)
        stack.callback(run.remove)
        yield run.new / path.name
        take_permissions(path, run.new / path.name)
        if waits:
            sync_file(run.new / path.name)
        os.replace(run.new / path.name, path)
        if waits:
            sync_folder(path.parent)  # Like all that follows, no reason to say that it was not written.


def take_permissions(before: Path, path: Path) -> None:
    """Give a file the permissions of one that was there before, where there was one and its disk knows permissions."""
    if sys.platform != "win32":  # There they say whether a file may be written, and this one is about to be.
        with contextlib.suppress(OSError):
            shutil.copymode(before, path)
