"""A picture of the screen as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QImage


def picture_writer(picture: QImage) -> Callable[[Path], None]:
    """Return what writes a picture under the path that it is given, on any thread."""

    def write(path: Path) -> None:
        if not picture.save(str(path)):
            raise OSError(f"{path.name} cannot be written")

    return write
