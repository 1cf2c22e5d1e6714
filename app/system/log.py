"""Where the details of an unexpected error go: a file, never the screen."""

from __future__ import annotations

import time
import traceback
from pathlib import Path

import platformdirs

from app.system.printable import printable

KEEP_BYTES = 1_000_000
"""A log larger than this is started anew, so that it stays bounded."""


def log_path() -> Path:
    """Return the log file, in the folder for logs of this user."""
    return Path(platformdirs.user_log_dir("cleanplate", appauthor=False)) / "cleanplate.log"


def explain(error: BaseException, doing: str, path: Path | None = None) -> str:
    """Write the details of an unexpected error to the log and return one sentence for the person, as it may be shown.

    Names of files may be no text; they are written with escapes, for nobody is there to handle an error of this.

    Parameters
    ----------
    error
        What was raised.
    doing
        What the program was doing, as in "reading the input".
    path
        The log file; `log_path` when not given.
    """
    kind = type(error).__name__
    target = path or log_path()
    sentence = f"Something went wrong while {doing} ({kind}); please report it with the details in {target}."
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = not target.exists() or target.stat().st_size > KEEP_BYTES
        with target.open("w" if fresh else "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"\n{time.strftime('%Y-%m-%d %H:%M:%S')} while {doing}\n")
            file.write("".join(traceback.format_exception(error)))
    except OSError:
        sentence = f"Something went wrong while {doing} ({kind}: {error}), and no details could be written to {target}."
    return printable(sentence)
