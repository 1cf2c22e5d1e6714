"""Opening what a person chooses in a dialog, or drops onto the window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from app.panels.banner import Banner
    from app.window.commands.input import InputCommands
    from app.window.commands.method import MethodCommands
    from app.window.commands.presets import PresetCommands
    from app.window.dialogs import FileDialogs


class OpenCommands(QObject):
    """Opens inputs, presets and models.

    Parameters
    ----------
    dialogs : FileDialogs
    input_, presets, method
        Open an input, apply a preset, apply a model.
    banner : Banner
    parent : QObject
    """

    def __init__(
        self,
        dialogs: FileDialogs,
        input_: InputCommands,
        presets: PresetCommands,
        method: MethodCommands,
        banner: Banner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._dialogs, self._banner = dialogs, banner
        self._input, self._presets, self._method = input_, presets, method

    def open_file(self) -> None:
        """Ask for a file and open it."""
        from core.io.sources import OPENABLE  # noqa: PLC0415 - decoders; the engine is there by now

        every = " ".join(f"*{suffix}" for kind in OPENABLE.values() for suffix in kind.suffixes)
        path = self._dialogs.open("Open a video, an image or a stack", f"Input ({every});;All files (*)")
        if path is not None:
            self._input.open_path(str(path))

    def open_folder(self) -> None:
        """Ask for a folder of images and open it."""
        path = self._dialogs.open_folder("Open a folder of images")
        if path is not None:
            self._input.open_path(str(path))

    def open_dropped(self, paths: Sequence[str]) -> None:
        """Open the first thing that was dropped: a preset, a model, or an input."""
        first = Path(paths[0])
        suffix = first.suffix.lower()
        if suffix == ".json":
            self._presets.apply(first)
        elif suffix == ".npz":
            self._method.apply_model(first)
        else:
            self._input.open_path(str(first))
        if len(paths) > 1:
            self._banner.show_warning(
                f"Only {first.name} was opened of {len(paths)} files; put images into one folder to open them together."
            )
