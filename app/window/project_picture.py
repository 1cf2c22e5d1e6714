"""The small pictures that projects are known by, in the menu of what was open last."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QWidget

from app.system.log import explain
from core.errors import CleanplateError
from core.runtime.aside import LEAVE_S

ICON_SIDE = 72
"""Of a picture in the menu, pixels."""


class PictureStyle(QProxyStyle):
    """Lets a menu show pictures larger than its usual symbols."""

    def __init__(self, parent: QObject) -> None:
        super().__init__()
        self.setParent(parent)

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        """Return sizes as usual, but for those of symbols."""
        if metric == QStyle.PixelMetric.PM_SmallIconSize:
            return ICON_SIDE
        return super().pixelMetric(metric, option, widget)


class ProjectPictures:
    """Reads the pictures of projects aside, each on a thread that is left where a drive does not answer."""

    def __init__(self) -> None:
        self._read: dict[str, QImage] = {}
        self._reading: dict[str, threading.Thread] = {}

    def read(self, paths: Iterable[str]) -> None:
        """Begin to read the pictures of these projects, but for those that are being read; forget all others."""
        wanted = list(paths)
        self._read = {path: picture for path, picture in self._read.items() if path in wanted}
        self._reading = {path: thread for path, thread in self._reading.items() if thread.is_alive()}
        for path in wanted:
            if path not in self._reading:
                thread = threading.Thread(target=self._read_one, args=(path,), name="picture", daemon=True)
                self._reading[path] = thread
                thread.start()

    def wait(self) -> None:
        """Wait a moment for what is being read: Python would end it in its midst. A drive may never answer."""
        until = time.monotonic() + LEAVE_S
        for thread in self._reading.values():
            thread.join(max(until - time.monotonic(), 0.0))

    def icon(self, path: str) -> QIcon:
        """Return the picture of a project as it was read last; an empty one where it was not, or there is none."""
        return QIcon(QPixmap.fromImage(self._read.get(path, QImage())))

    def _read_one(self, path: str) -> None:
        from core.project.store import load_document, load_picture  # noqa: PLC0415 - the engine is there by now

        try:
            packed = load_picture(Path(path), load_document(Path(path)))
        except CleanplateError:
            packed = None
        except Exception as error:
            explain(error, f"reading the picture of {path}")  # In the log: a menu without it is no news.
            packed = None
        self._read[path] = QImage.fromData(packed) if packed else QImage()
