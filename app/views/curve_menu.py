"""What can be done with the curves that are shown: copied and saved, as a picture or as numbers."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QBuffer, QPoint, QRect, QRectF, Signal
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QGraphicsView, QMenu, QWidget

from app.rendering.saving import Save
from app.theme import colours
from app.views.picture_file import picture_writer
from core.errors import CleanplateError

FINE = 2
"""Pixels of a picture of a figure to a point of it."""

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
    unit : str
        Of the quantity; empty where it has none.
    names : sequence of str
        Of the curves; empty where a single one needs none.
    drawn : sequence of int
        The curves that are shown, and that a figure has; empty where all are.
    """

    title: str
    headings: list[str]
    x: NDArray[np.floating]
    y: NDArray[np.floating]
    unit: str = ""
    names: Sequence[str] = ()
    drawn: Sequence[int] = ()

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
        Its picture is copied.
    table : callable
        Returns the curves that it shows, as numbers.
    figure : callable, optional
        Makes a widget of these, which is saved as a picture or drawing; the plot is, when not given.

    Signals
    -------
    save_requested(Save) : a file that someone wants
    """

    save_requested = Signal(object)

    def __init__(
        self,
        plot: QWidget,
        table: Callable[[], CurveTable],
        figure: Callable[[CurveTable], QWidget] | None = None,
    ) -> None:
        super().__init__(plot)
        self._plot, self._table = plot, table
        self._folder: Callable[[], str] = str
        self._figure = figure
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
        """Ask for a file of the kind that its name says, of what is shown now; a picture where it says none."""
        path = path if path.suffix else path.with_suffix(".png")
        self.save_requested.emit(Save(path, self._writer(path.suffix)))

    def _ask(self) -> None:
        name = os.path.join(self._folder(), f"{self._table().title.lower()}.png")
        path, _ = QFileDialog.getSaveFileName(self._plot, "Save the curves", name, KINDS)
        if path:
            self.save(Path(path))

    def _writer(self, suffix: str) -> Callable[[Path], None]:
        """Return what writes a file, and touches nothing of the window: what is shown is taken now."""
        kind = suffix.lower()
        if kind == ".png":
            return picture_writer(self._picture())
        if kind == ".csv":
            table = self._table()
            return lambda path: _write_text(path, table.csv())
        if kind == ".svg":
            drawn = self._drawn()
            return lambda path: _write_bytes(path, drawn)
        return partial(_refuse, suffix)

    def _saved(self) -> QWidget:
        return self._plot if self._figure is None else self._figure(self._table())

    def _picture(self) -> QImage:
        """Return what is saved as a picture; a figure twice as fine as the screen."""
        saved = self._saved()
        if saved is self._plot:
            return saved.grab().toImage()
        made = QImage(saved.size() * FINE, QImage.Format.Format_RGB32)
        made.setDevicePixelRatio(FINE)
        painter = QPainter(made)
        _paint(saved, painter)
        painter.end()
        return made

    def _drawn(self) -> bytes:
        """Return what is saved as an SVG drawing."""
        saved = self._saved()
        drawing, area, made = QSvgGenerator(), QRect(QPoint(0, 0), saved.size()), QBuffer()
        drawing.setOutputDevice(made)
        # The library keeps its axes as recordings, which Qt scales where resolutions differ.
        drawing.setResolution(saved.logicalDpiX())
        drawing.setSize(area.size())
        drawing.setViewBox(area)
        drawing.setTitle(self._table().title)
        painter = QPainter(drawing)
        painter.fillRect(area, colours().panel)
        _paint(saved, painter)
        painter.end()
        return bytes(made.data().data())


def _paint(widget: QWidget, painter: QPainter) -> None:
    """Paint all of a widget, as lines and words where it is a plot."""
    if isinstance(widget, QGraphicsView):
        widget.render(painter, QRectF(widget.rect()), widget.rect())
    else:
        widget.render(painter, QPoint(0, 0))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _write_bytes(path: Path, contents: bytes) -> None:
    path.write_bytes(contents)


def _refuse(suffix: str, _path: Path) -> None:
    raise CleanplateError(f"Curves cannot be saved as {suffix}; choose a name that ends in png, svg or csv.")
