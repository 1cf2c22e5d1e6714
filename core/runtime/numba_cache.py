"""Where compiled kernels are kept."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_passing: list[str] = []
"""The folder of this process, where it needed one."""


def provide() -> None:
    """Give numba a folder to keep compiled kernels in where it would find none, and would then refuse to compile.

    By itself numba writes beside the source, else into the user's cache. Neither can be written where both the
    installation and the home are read-only, as in many containers: then a folder of this process, and of those that it
    starts, serves. It is removed at the end: a known name in a shared folder would let others plant code. Call this
    before numba is imported.
    """
    if lasting_folder() is None:
        folder = tempfile.mkdtemp(prefix="cleanplate-")
        os.environ["NUMBA_CACHE_DIR"] = folder
        _passing.append(folder)
        atexit.register(shutil.rmtree, folder, ignore_errors=True)


def lasting_folder() -> Path | None:
    """Return where numba keeps kernels from one start to the next, or None where nothing can be written."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given) if given not in _passing and _writable(Path(given)) else None
    beside = Path(__file__).resolve().parents[1] / "kernels" / "__pycache__"
    # Not Path.home(), which raises where a user has none.
    user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "numba"
    return next((folder for folder in (beside, user) if _writable(folder)), None)


def _writable(folder: Path) -> bool:
    """Tell whether a folder can be written, or made where it does not exist yet."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return os.access(folder, os.W_OK)
