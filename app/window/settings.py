"""What the window remembers between two starts, in one small file that a person can read and delete."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import platformdirs
from msgspec import Meta

from app.theme import MaskTint
from core.errors import CleanplateError
from core.io.publishing.single_file import replacing
from core.io.regular_file import read_regular
from core.io.remote.address import holds_password
from core.untrusted_json import MOST_TEXT, Geometry, Name, UnreadableJsonError, decoded

MAX_RECENT = 10
"""Inputs remembered at most."""

MOST_BYTES = 256 << 10
"""The file takes 2 kB; names of files can be long."""

PartsName = Annotated[str, Meta(max_length=20)]
Sizes = Annotated[list[Annotated[int, Meta(ge=1, le=100_000)]], Meta(max_length=4)]
"""Of parts that lie beside each other, pixels."""


class Remembered(msgspec.Struct, kw_only=True):
    """What is remembered.

    Attributes
    ----------
    version : int
        Of this file; another version is set aside, and the window starts as if for the first time.
    theme, mask_tint : str
        Palette of the window, and colour of masks over pictures.
    recent : list of str
        Inputs opened last, newest first.
    geometry : str
        Place and size of the window, in hexadecimal digits, as Qt gives them.
    windows : dict
        Places of windows beside it that a person has moved, as Qt gives them, by their names.
    parts : dict
        How large the parts between handles are, pixels, by the name of what holds them.
    hidden : list of str
        Panels that a person has hidden (`app.window.commands.project_state.PANELS`).
    panes : list of str
        Keys of the pictures that the panes show (`app.rendering.picture_kinds`).
    export_folder : str
    export_formats : dict
        What was exported last as, by kind of input (`app.window.export_formats`).
    real_time, loop : bool
    scheduler : str
        Address of the dask scheduler that runs the queue's jobs; empty: this machine does.
    """

    version: Literal[1] = 1
    theme: Literal["dark", "light", "system"] = "dark"
    mask_tint: MaskTint = "red"
    recent: Annotated[list[Name], Meta(max_length=MAX_RECENT)] = []
    geometry: Geometry = ""
    windows: Annotated[dict[PartsName, Geometry], Meta(max_length=8)] = {}
    parts: Annotated[dict[PartsName, Sizes], Meta(max_length=8)] = {}
    hidden: Annotated[list[PartsName], Meta(max_length=8)] = []
    panes: Annotated[list[PartsName], Meta(max_length=6)] = []
    export_folder: Name = ""
    export_formats: Annotated[dict[Literal["coded", "measured"], PartsName], Meta(max_length=2)] = {}
    real_time: bool = True
    loop: bool = False
    scheduler: Name = ""

    def add_recent(self, path: str) -> None:
        """Put an input first among the recent ones; an address with a password is not kept."""
        if holds_password(path):
            return
        self.recent = [path, *(p for p in self.recent if p != path)][:MAX_RECENT]


def settings_path() -> Path:
    """Return the file's place: ``CLEANPLATE_SETTINGS`` where set, else the folder for settings of this user."""
    chosen = os.environ.get("CLEANPLATE_SETTINGS")
    return Path(chosen) if chosen else Path(platformdirs.user_config_dir("cleanplate", appauthor=False)) / "window.json"


def load(path: Path) -> Remembered:
    """Read what is remembered; a file that is absent or cannot be read gives the defaults, never an error."""
    return read(path)[0]


def read(path: Path) -> tuple[Remembered, str | None]:
    """Return what is remembered, or the defaults, and in one sentence why a file that is there cannot be used."""
    try:
        return decoded(read_regular(path, MOST_BYTES), Remembered), None
    except FileNotFoundError:
        return Remembered(), None
    except (CleanplateError, OSError, UnreadableJsonError):
        return Remembered(), f"What the window remembered in {path} cannot be read; it starts as if for the first time."


def save(remembered: Remembered, path: Path, *, waits: bool = False) -> None:
    """Write the file; a folder that cannot be written, or a device in its place, is no reason to complain.

    With ``waits`` the disk has it then (`core.io.publishing.single_file.replacing`); without, the window never stands
    still for it.

    What another window has opened since the file was read stays among the recent inputs. Names that are no text, as
    some old disks have them, are left out.
    """
    opened = remembered.recent
    recent = [*opened, *(path for path in load(path).recent if path not in opened)]
    remembered.recent = list(filter(_is_text, recent))[:MAX_RECENT]
    if not _is_text(remembered.export_folder):
        remembered.export_folder = ""
    with contextlib.suppress(CleanplateError, OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, waits=waits) as beside:
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(remembered)))


def _is_text(path: str) -> bool:
    try:
        return len(path.encode()) <= MOST_TEXT
    except UnicodeEncodeError:
        return False
