"""The parts of the comparison's window and where they lie."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

from app.compare.view import MOST, CompareView
from app.panels.banner import Banner
from app.panels.controls import button
from app.panels.splitter import share, splitter
from app.views.plots import PlotsView
from app.views.quantities import COMPARED
from app.views.timeline import Timeline
from core import catalogue

PICTURES_PX, PLOT_PX, LEAST_PLOT_PX = 1000, 170, 80
"""Heights that pictures and plot ask for, and the least one of the plot: in a low window it gives way."""


class CompareParts:
    """What stands in the window.

    Parameters
    ----------
    window : QMainWindow
    folder : callable
        See `CompareView`.
    is_image_set : bool
        See `CompareView`.
    """

    def __init__(self, window: QMainWindow, folder: Callable[[], str], *, is_image_set: bool) -> None:
        self.view = CompareView(catalogue.GROUPS, folder, is_image_set=is_image_set)
        self.plots = PlotsView(quantities=COMPARED)
        self.plots.set_folder(folder)
        self.plots.build()
        self.timeline = Timeline()
        self.timeline.marks.hide()  # There is nothing to be exported.
        self.banner = Banner()
        body = QWidget()
        rows = QVBoxLayout(body)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(1)
        rows.addWidget(self._bar())
        rows.addWidget(_holder(self.banner, (8, 4, 8, 0)))
        self.split = splitter(Qt.Orientation.Vertical)
        below = _panel(self.plots)
        below.setMinimumHeight(LEAST_PLOT_PX)
        for part in (self.view, below):
            self.split.addWidget(part)
        share(self.split, grows=0)
        self.split.setSizes([PICTURES_PX, PLOT_PX])
        rows.addWidget(self.split, 1)
        rows.addWidget(_panel(self.timeline))
        window.setCentralWidget(body)

    def _bar(self) -> QFrame:
        bar = QFrame()
        bar.setProperty("role", "bar")
        line = QHBoxLayout(bar)
        line.setContentsMargins(14, 6, 14, 6)
        line.setSpacing(8)
        name = QLabel("Compare methods")
        name.setProperty("role", "title")
        self.title = QLabel()
        self.title.setProperty("role", "caption")
        self.title.setAccessibleName("What is open, and what goes on")
        self.add_button = button("Add a method", "Add a method", f"Compare with one more, {MOST} at most.")
        line.addWidget(name)
        line.addWidget(self.title, 1)
        line.addWidget(self.add_button)
        return bar


def _panel(widget: QWidget) -> QFrame:
    """Return a panel that holds a widget."""
    panel = QFrame()
    panel.setProperty("role", "panel")
    row = QHBoxLayout(panel)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(widget)
    return panel


def _holder(widget: QWidget, margins: tuple[int, int, int, int]) -> QWidget:
    """Return a widget with room around it."""
    holder = QWidget()
    rows = QVBoxLayout(holder)
    rows.setContentsMargins(*margins)
    rows.addWidget(widget)
    return holder
