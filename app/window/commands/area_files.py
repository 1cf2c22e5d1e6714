"""Areas in a file of their own: read into what is open, and written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.errors import CleanplateError

if TYPE_CHECKING:
    from pathlib import Path

    from app.engine.saver import Saver
    from app.panels.banner import Banner
    from app.window.commands.areas import AreaCommands
    from app.window.commands.input import InputCommands
    from app.window.dialogs import FileDialogs


class AreaFileCommands(QObject):
    """Reads and writes areas, as ``cleanplate run --areas`` takes them.

    Parameters
    ----------
    dialogs : FileDialogs
    areas : AreaCommands
        Whose areas these are.
    input_ : InputCommands
        Says how large the input is.
    saver : Saver
        Writes the file.
    banner : Banner
    parent : QObject
    """

    def __init__(
        self,
        dialogs: FileDialogs,
        areas: AreaCommands,
        input_: InputCommands,
        saver: Saver,
        banner: Banner,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._dialogs, self._areas, self._input, self._saver, self._banner = dialogs, areas, input_, saver, banner

    def load(self) -> None:
        """Ask for a file and exclude what it says, and nothing else."""
        from core.io.sources.reading import IMAGE_SUFFIXES  # noqa: PLC0415 - OpenCV; the engine is there by now

        if self._input.info_for("exclude areas of") is None:
            return
        kinds = " ".join(f"*{suffix}" for suffix in (".json", *IMAGE_SUFFIXES))
        path = self._dialogs.open("Load areas", f"Areas ({kinds})")
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Exclude what a file says of what is open, and nothing else."""
        if self._input.info_for("exclude areas of") is None:
            return
        from core.session.areas_file import read_areas  # noqa: PLC0415 - see above

        try:
            areas = read_areas(path)
            areas.check_size(*self._input.original)
            areas.check_reach(*self._input.original)
        except CleanplateError as error:
            self._banner.show_error(str(error))
        else:
            self._banner.clear_error()
            self._areas.set_areas(areas)

    def save(self) -> None:
        """Ask for a name and write the areas."""
        if self._areas.areas.are_none:
            self._banner.show_error("There are no areas to save; draw some first (A).")
            return
        path = self._dialogs.save("Save the areas", "areas.json", "Areas (*.json);;Picture of areas (*.png)")
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write the areas."""
        from core.session.areas_file import write_areas  # noqa: PLC0415 - see above

        self._saver.let_write(path, partial(write_areas, self._areas.areas, path, self._input.original))
