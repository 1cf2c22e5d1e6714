"""The dialogs in which a person chooses a file or a folder, or gives an address."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from app.folders import folder_beside
from core.project.naming import SUFFIX

SHORT = QFileDialog.Option.HideNameFilterDetails
"""Kinds are named without their suffixes: those of all inputs have no room."""

LINE = 90
"""Characters that a line of text has room for: addresses of cameras are long."""

_SUFFIX = re.compile(r"\*(\.\w+)")
"""In what a dialog offers: "Presets (*.json)"."""


def input_kinds() -> str:
    """Return what a dialog offers where inputs and projects are chosen."""
    from core.io.sources import OPENABLE  # noqa: PLC0415 - decoders; the engine is there by now

    suffixes = [SUFFIX, *(suffix for kind in OPENABLE.values() for suffix in kind.suffixes)]
    every = " ".join(f"*{suffix}" for suffix in suffixes)
    return f"Input and projects ({every});;Projects (*{SUFFIX});;All files (*)"


class FileDialogs:
    """Asks for files and addresses.

    Parameters
    ----------
    parent : QWidget
        The window over which the dialogs stand.
    input_path : callable
        Returns the path of what is open: dialogs begin in its folder.
    """

    def __init__(self, parent: QWidget, input_path: Callable[[], str]) -> None:
        self._parent, self._input_path = parent, input_path

    def open(self, title: str, kinds: str, folder: Path | None = None) -> Path | None:
        """Ask for a file to read, of these kinds, from this folder on; None where none was chosen."""
        path, _ = QFileDialog.getOpenFileName(self._parent, title, str(folder or self._folder()), kinds, "", SHORT)
        return Path(path) if path else None

    def open_several(self, title: str, kinds: str) -> list[Path]:
        """Ask for files to read, of these kinds; none where none was chosen."""
        paths, _ = QFileDialog.getOpenFileNames(self._parent, title, self._folder(), kinds, "", SHORT)
        return [Path(path) for path in paths]

    def open_folder(self, title: str, folder: Path | None = None) -> Path | None:
        """Ask for a folder to read, from this one on; None where none was chosen."""
        path = QFileDialog.getExistingDirectory(self._parent, title, str(folder or self._folder()))
        return Path(path) if path else None

    def save(self, title: str, name: str, kinds: str) -> Path | None:
        """Ask where to write, with a name to begin with; None where nothing was chosen.

        A name without a suffix of these kinds gets that of the kind that is chosen: it could not be opened again else.
        Where there is such a file, it is asked anew, for the dialog asked of another one whether to replace it.
        """
        begun = Path(self._folder()) / name
        while True:
            typed, kind = QFileDialog.getSaveFileName(self._parent, title, str(begun), kinds)
            if not typed:
                return None
            path, suffixes = Path(typed), _SUFFIX.findall(kinds)
            if path.suffix.lower() in suffixes:
                return path
            begun = path.with_name(path.name + next(iter(_SUFFIX.findall(kind)), suffixes[0]))
            if not os.path.lexists(begun):
                return begun

    def line(self, title: str, asked: str, begun: str) -> str | None:
        """Ask for a line of text that begins so; return it without spaces around it, None where the dialog was left."""
        dialog = QInputDialog(self._parent)
        dialog.setWindowTitle(title)
        dialog.setLabelText(asked)
        dialog.setTextValue(begun)
        dialog.resize(LINE * dialog.fontMetrics().averageCharWidth(), dialog.sizeHint().height())
        is_said, said = dialog.exec() == QInputDialog.DialogCode.Accepted, dialog.textValue()
        dialog.deleteLater()
        return said.strip() if is_said else None

    def _folder(self) -> str:
        return folder_beside(self._input_path())
