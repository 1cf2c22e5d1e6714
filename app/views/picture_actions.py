"""What can be done with the picture of a pane: its histogram, copies of it, files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from app.rendering.saving import Save
from app.views.picture_file import picture_writer

if TYPE_CHECKING:
    from app.views.histogram import HistogramDialog
    from app.views.pane import ImagePane

PICTURE, DATA = "Picture (*.png)", "TIFF (*.tif);;PNG (*.png)"

Write = Callable[[Path], None]


class PictureActions(QObject):
    """Adds entries to the menu of a pane, and does what they say.

    Parameters
    ----------
    pane : ImagePane

    Attributes
    ----------
    histogram : HistogramDialog or None
        While it is open.

    Signals
    -------
    save_requested(Save) : a file that someone wants
    """

    save_requested = Signal(object)

    def __init__(self, pane: ImagePane) -> None:
        super().__init__(pane)
        self._pane = pane
        self._data: Callable[[], Write | None] | None = None
        self._folder: Callable[[], str] = str
        self.histogram: HistogramDialog | None = None
        self._entries: list[QAction] = []
        pane.contrast.menu.aboutToShow.connect(self._enable)
        pane.contrast.histogram_requested.connect(self.open_histogram)

    def set_data(self, data: Callable[[], Write | None]) -> None:
        """Offer the data too: ``data()`` returns what writes those that are shown now, None where there are none."""
        self._data = data

    def set_folder(self, folder: Callable[[], str]) -> None:
        """Begin in the folder that ``folder()`` names at that moment where it is asked where to save."""
        self._folder = folder

    def open_histogram(self) -> None:
        """Show the histogram in a window of its own."""
        from app.views.histogram import HistogramDialog  # noqa: PLC0415 - seldom wanted

        if self.histogram is None:
            self.histogram = HistogramDialog(self._pane)
            self.histogram.menu.set_folder(self._folder)
            self.histogram.finished.connect(self._on_closed)
            self.histogram.save_requested.connect(self.save_requested)
        self.histogram.show()
        self.histogram.raise_()

    def copy(self) -> None:
        """Put the picture as it is shown on the clipboard."""
        picture = self._pane.shot()
        if picture is not None:
            QGuiApplication.clipboard().setImage(picture)

    def save_picture(self, path: Path) -> None:
        """Write the picture as it is shown."""
        picture = self._pane.shot()
        if picture is not None:
            self.save_requested.emit(Save(path if path.suffix else path.with_suffix(".png"), picture_writer(picture)))

    def save_data(self, path: Path) -> None:
        """Write the data of the picture; the name says how."""
        write = None if self._data is None else self._data()
        if write is not None:
            self.save_requested.emit(Save(path if path.suffix else path.with_suffix(".tif"), write))

    def _on_closed(self) -> None:
        self.histogram = None

    def _enable(self) -> None:
        """Enable what can be done now; entries are made when they are wanted first."""
        if not self._entries:
            self._fill(self._pane.contrast.menu)
        has_picture = self._pane.picture is not None
        *with_picture, with_data = self._entries
        for action in with_picture:
            action.setEnabled(has_picture)
        with_data.setVisible(self._data is not None)
        with_data.setEnabled(has_picture and self._data is not None and self._data() is not None)

    def _fill(self, menu: QMenu) -> None:
        self._entries = [menu.addAction("Histogram…", self.open_histogram)]
        menu.addSeparator()
        self._entries += [
            menu.addAction("Copy the picture", self.copy),
            menu.addAction("Save the picture…", self._ask_picture),
            menu.addAction("Save the data…", self._ask_data),
        ]
        self._entries[-1].setToolTip("As computed, in full size and depth, whatever the contrast")
        menu.setToolTipsVisible(True)

    def _ask_picture(self) -> None:
        path = self._asked("Save the picture", ".png", PICTURE)
        if path is not None:
            self.save_picture(path)

    def _ask_data(self) -> None:
        path = self._asked("Save the data", ".tif", DATA)
        if path is not None:
            self.save_data(path)

    def _asked(self, title: str, suffix: str, kinds: str) -> Path | None:
        name = self._pane.header.words.lower().replace(" | ", " and ") + suffix
        path, _ = QFileDialog.getSaveFileName(self._pane, title, os.path.join(self._folder(), name), kinds)
        return Path(path) if path else None
