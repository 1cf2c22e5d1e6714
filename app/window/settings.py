"""What the window remembers between two starts, in one small file that a person can read and delete."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import platformdirs

MAX_RECENT = 10
"""Inputs remembered at most."""

MAX_TEXT = 4096
"""Characters of a path at most, as many systems have it; the place of a window takes some hundred."""

MAX_BYTES = 1 << 20
"""A larger file is not read: what is remembered takes some kilobytes."""

Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]


class Remembered(msgspec.Struct, kw_only=True):
    """What is remembered.

    Attributes
    ----------
    version : int
        Of this file; another version is set aside, and the window starts as if for the first time.
    theme : str
    recent : list of str
        Inputs opened last, newest first.
    geometry : str
        Place and size of the window, in hexadecimal digits, as Qt gives them.
    export_folder : str
    real_time : bool
    """

    version: Literal[1] = 1
    theme: Literal["dark", "light", "system"] = "dark"
    recent: Annotated[list[Text], msgspec.Meta(max_length=MAX_RECENT)] = []
    geometry: Text = ""
    export_folder: Text = ""
    real_time: bool = True

    def add_recent(self, path: str) -> None:
        """Put an input first among the recent ones."""
        self.recent = [path, *(p for p in self.recent if p != path)][:MAX_RECENT]


def settings_path() -> Path:
    """Return the file's place: ``CLEANPLATE_SETTINGS`` where set, else the folder for settings of this user."""
    chosen = os.environ.get("CLEANPLATE_SETTINGS")
    return Path(chosen) if chosen else Path(platformdirs.user_config_dir("cleanplate", appauthor=False)) / "window.json"


def load(path: Path) -> Remembered:
    """Read what is remembered; a file that is absent or cannot be read gives the defaults, never an error."""
    try:
        # What is no file, a pipe say, might never end.
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return Remembered()
        return msgspec.json.decode(path.read_bytes(), type=Remembered)
    except (OSError, ValueError, msgspec.MsgspecError, RecursionError):
        return Remembered()


def save(remembered: Remembered, path: Path) -> None:
    """Write the file beside its place and rename it; a folder that cannot be written is no reason to complain.

    What another window has opened since the file was read stays among the recent inputs. Names that are no text, as
    some old disks have them, are left out.
    """
    opened = remembered.recent
    recent = [*opened, *(path for path in load(path).recent if path not in opened)]
    remembered.recent = list(filter(_is_text, recent))[:MAX_RECENT]
    if not _is_text(remembered.export_folder):
        remembered.export_folder = ""
    if path.exists() and not path.is_file():
        return  # A device, say: a file that is renamed to its name would take its place.
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(remembered)))
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink()


def _is_text(path: str) -> bool:
    try:
        return len(path.encode()) <= MAX_TEXT
    except UnicodeEncodeError:
        return False
