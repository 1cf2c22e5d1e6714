"""What can be done with the curves that are shown: copied and saved, as a picture or as numbers."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Signal
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app.theme import colours
from core.errors import CleanplateError
from core.io.publishing.single_file import replacing

KINDS = "Picture (*.png);;Drawing (*.svg);;Values (*.csv)"


@dataclass(frozen=True)
class CurveTable:
    """Curves as numbers.

    Attributes
    ----------
    title : str
        Of the quantity; files are named after it.
    headings : list of str
        Of the columns: what is counted, then each curve.
    x : (n,) float
    y : (n_curves, n) float
        NaN where a curve was not there.
    """

    title: str
    headings: list[str]
    x: NDArray[np.floating]
    y: NDArray[np.floating]

    def csv(self) -> str:
        """Return the numbers as text with commas, a row for each point; an empty field where there is no value."""
        text = io.StringIO()
        rows = csv.writer(text, lineterminator="\n")
        rows.writerow(self.headings)
        for x, values in zip(self.x, self.y.T, strict=True):
            rows.writerow([f"{x:.10g}", *("" if np.isnan(value) else f"{value:.7g}" for value in values)])
        return text.getvalue()


class CurveMenu(QMenu):
    """The menu over a plot.

    Parameters
    ----------
    plot : QWidget
        Its picture is copied or saved.
    table : callable
        Returns the curves that it shows, as numbers.
    render : callable
        ``render(painter, area)`` draws it as lines and words; the plot's own drawing when not given.

    Signals
    -------
    wrote(str) : name of the file that was written
    failed(str) : a sentence
    """

    wrote = Signal(str)
    failed = Signal(str)

    def __init__(
        self,
        plot: QWidget,
        table: Callable[[], CurveTable],
        render: Callable[[QPainter, QRect], None] | None = None,
    ) -> None:
        super().__init__(plot)
        self._plot, self._table = plot, table
        self._folder: Callable[[], str] = str
        self._render = render or (lambda painter, area: plot.render(painter, area.topLeft()))
        self.setAccessibleName("Curves")
        self.addAction("Copy the picture", self.copy_picture)
        self.addAction("Copy the values", self.copy_values)
        self.addAction("Save as PNG, SVG or CSV…", self._ask)

    def open_at(self, place: QPoint) -> None:
        """Open over a place of the plot, pixels."""
        self.popup(self._plot.mapToGlobal(place))

    def set_folder(self, folder: Callable[[], str]) -> None:
        """Begin in the folder that ``folder()`` names at that moment where it is asked where to save."""
        self._folder = folder

    def copy_picture(self) -> None:
        """Put the plot as it is shown on the clipboard."""
        QGuiApplication.clipboard().setPixmap(self._plot.grab())

    def copy_values(self) -> None:
        """Put the numbers on the clipboard, for a spreadsheet."""
        QGuiApplication.clipboard().setText(self._table().csv().replace(",", "\t"))

    def save(self, path: Path) -> None:
        """Write a file of the kind that its name says; a picture where it says none."""
        path = path if path.suffix else path.with_suffix(".png")
        try:
            with replacing(path) as beside:
                self._write(beside)
        except CleanplateError as error:
            self.failed.emit(str(error))
        else:
            self.wrote.emit(path.name)

    def _ask(self) -> None:
        name = os.path.join(self._folder(), f"{self._table().title.lower()}.png")
        path, _ = QFileDialog.getSaveFileName(self._plot, "Save the curves", name, KINDS)
        if path:
            self.save(Path(path))

    def _write(self, path: Path) -> None:
        kind = path.suffix.lower()
        if kind == ".csv":
            path.write_text(self._table().csv(), encoding="utf-8")
        elif kind == ".svg":
            self._draw(path)
        elif kind == ".png":
            if not self._plot.grab().save(str(path), "PNG"):
                raise CleanplateError(f"{path.name} cannot be written; choose another folder.")
        else:
            raise CleanplateError(
                f"Curves cannot be saved as {path.suffix}; choose a name that ends in png, svg or csv."
            )

    def _draw(self, path: Path) -> None:
        drawing, area = QSvgGenerator(), QRect(QPoint(0, 0), self._plot.size())
        drawing.setFileName(str(path))
        # The library keeps its axes as recordings, which Qt scales where resolutions differ.
        drawing.setResolution(self._plot.logicalDpiX())
        drawing.setSize(area.size())
        drawing.setViewBox(area)
        drawing.setTitle(self._table().title)
        painter = QPainter(drawing)
        painter.fillRect(area, colours().panel)
        self._render(painter, area)
        painter.end()
