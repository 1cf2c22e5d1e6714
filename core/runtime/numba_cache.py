"""Where compiled kernels are kept.

Numba compiles a kernel again when the kernel's own file changes, and not when the file of a helper does that it calls.
So kernels are kept in a folder that is named after the contents of all of `core.kernels`: a change of any of them
begins another folder, and the old one is removed.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"
"""Numba reads this once, when it is first imported; processes that this one starts inherit it."""

KERNELS = Path(__file__).resolve().parents[1] / "kernels"

OWN = "cleanplate-kernels-"
"""Begins the names of folders that are made here: nothing else is ever removed."""

_passing: list[Path] = []
"""The folder of this process, where it needed one."""


def provide() -> None:
    """Let numba keep compiled kernels in a folder named after their sources. Call this before numba is imported.

    A folder that the variable names stays the one in which everything is kept, one level below. Where nothing can be
    written from one start to the next, as in many containers, numba would refuse to compile: then a folder of this
    process, and of those that it starts, serves. It is removed at the end: a known name in a shared folder would let
    others plant code. Where there can be no such folder either, nothing is kept (`core.runtime.checked_cache`).
    """
    folder = lasting_folder() or _passing_folder()
    if folder is None:
        os.environ.pop(VARIABLE, None)
        return
    os.environ[VARIABLE] = str(folder)
    _remove_older(folder)


def lasting_folder() -> Path | None:
    """Return where kernels are kept from one start to the next, made if need be, or None where nothing can be kept.

    By itself numba writes beside the source, else into the user's cache; so does this.
    """
    given = os.environ.get(VARIABLE)
    if given:
        chosen = Path(given)
        if chosen in _passing:
            return None
        # Set by a process that started this one, and perhaps runs other sources.
        parents = [chosen.parent if chosen.name.startswith(OWN) else chosen]
    else:
        # Not Path.home(), which raises where a user has none.
        user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"))
        # A bundle's own folder stays as it was handed out.
        beside = [] if getattr(sys, "frozen", False) else [KERNELS / "__pycache__"]
        parents = [*beside, user / "numba"]
    name = _name(KERNELS)
    return next((parent / name for parent in parents if _is_usable(parent / name)), None)


def is_empty() -> bool:
    """Tell whether nothing is kept yet: the first frame waits until kernels are compiled, up to a minute."""
    return count_kept() == 0


def count_kept() -> int:
    """Return of how many functions compiled code is kept, as their sources are now."""
    folder = os.environ.get(VARIABLE)
    return 0 if folder is None else sum(1 for _ in Path(folder).rglob("*.nbi"))  # Where there is none: none.


def _passing_folder() -> Path | None:
    try:
        passing = Path(tempfile.mkdtemp(prefix="cleanplate-"))
    except OSError:
        return None
    atexit.register(shutil.rmtree, passing, ignore_errors=True)
    folder = passing / _name(KERNELS)
    _passing.append(folder)
    return folder


def _name(kernels: Path) -> str:
    """Return the folder's name: of this installation, so that two that share a parent leave each other's alone."""
    contents = hashlib.blake2b(digest_size=8)
    for path in sorted(kernels.rglob("*.py")):
        contents.update(f"{path.relative_to(kernels).as_posix()}\0{path.stat().st_size}\0".encode())
        contents.update(path.read_bytes())
    return _installation(kernels) + contents.hexdigest()


def _installation(kernels: Path) -> str:
    # An AppImage lies in another folder at each start; only its file stays where it is.
    image = os.environ.get("APPIMAGE") if getattr(sys, "frozen", False) else None
    place = os.fsencode(image or kernels)
    return f"{OWN}{hashlib.blake2b(place, digest_size=4).hexdigest()}-"


def _remove_older(folder: Path) -> None:
    """Remove what this installation kept of other contents. A process that still uses it compiles again."""
    mine = _installation(KERNELS)
    try:
        older = [x.path for x in os.scandir(folder.parent) if x.name.startswith(mine) and x.name != folder.name]
    except OSError:
        return  # nothing is kept yet
    for path in older:
        shutil.rmtree(path, ignore_errors=True)


def _is_usable(folder: Path) -> bool:
    """Make a folder where there is none, and tell whether it takes files and nobody else can put any there.

    What is kept are pickles and machine code: who can write there can run anything as this user. So what lies there
    instead, or was open to others, is thrown away; what belongs to another user is left alone, and not used.
    """
    try:
        if os.path.lexists(folder) and not _is_private(folder):
            if not _is_own(folder):
                return False
            if folder.is_dir() and not folder.is_symlink():
                shutil.rmtree(folder)
            else:
                folder.unlink()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(folder) or _is_open_to_all(folder.parent):
            return False
        for entry in os.scandir(folder):
            if not entry.is_dir(follow_symlinks=False):
                os.unlink(entry)
        # Not os.access: it knows nothing of a full disk.
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _is_own(path: Path) -> bool:
    return sys.platform == "win32" or path.lstat().st_uid == os.geteuid()


def _is_private(folder: Path) -> bool:
    """Tell whether it is a folder, no link to one, that only this user may enter."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    # Windows keeps who may enter elsewhere, and the user's folders to the user.
    return sys.platform == "win32" or (found.st_uid == os.geteuid() and not found.st_mode & 0o077)


def _is_open_to_all(parent: Path) -> bool:
    """Tell whether anyone may put another folder in the place of one in this folder."""
    mode = parent.stat().st_mode
    return sys.platform != "win32" and bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX
