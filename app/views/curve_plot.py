"""Curves over the number of the frame, in the theme's colours. Importing this takes the plotting library along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QPen
from PySide6.QtWidgets import QApplication, QWidget

from app.theme import caption_font, colours, theme_changed

_LINE_PX = 1.6
_ROOM = 0.06
_FLAT_ROOM = 0.05
_GRID_ALPHA = 0.5
_MARK_PX = 7


@dataclass(frozen=True)
class Reading:
    """The point of a curve that is nearest to the pointer.

    Attributes
    ----------
    x : float
        Number of the frame.
    curve : int
    value : float
    """

    x: float
    curve: int
    value: float


class FrameAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no stubs: its classes are Any
    """An axis of whole numbers and nothing else, for there is no half a frame."""

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        """Return the library's steps without those under one frame."""
        return [step for step in super().tickSpacing(low, high, size) if step[0] >= 1] or [(1.0, 0.0)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Return the numbers in full, with no power of ten."""
        return [f"{value:.0f}" for value in values]


def adopt_menu(widget: pg.PlotWidget) -> None:
    """Let a plot own the menu that the library makes of it all the same: it belongs to nobody, and would outlive it."""
    menu = widget.getPlotItem().ctrlMenu
    menu.setParent(widget, menu.windowFlags())


class CurvePlot(pg.PlotWidget):  # type: ignore[misc] # as above
    """Shows all frames, and all of each curve in them, until a person zooms in; a double click shows all again.

    Signals
    -------
    pointed() : the pointer moved or left; `reading` tells what it is at
    clicked(float) : the number of the frame at which the plot was clicked, once it is no double click
    """

    pointed = Signal()
    clicked = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        # Menus that never open would be a third of the time that this takes.
        super().__init__(parent, background=None, enableMenu=False, axisItems={"bottom": FrameAxis("bottom")})
        self._x = np.empty(0)
        self._ys: dict[int, NDArray[np.float64]] = {}
        self._items: list[pg.PlotDataItem] = []
        self._pointer: QPointF | None = None
        self._from_zero = False
        self.setMinimumSize(120, 60)
        self.setProperty("role", "clear")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleDescription(
            "A click goes to the frame, drag moves, the wheel zooms, a double click shows all; hovering reads a value."
        )
        self._clicked_x = 0.0
        self._click_timer = QTimer(self, singleShot=True, interval=QApplication.doubleClickInterval())
        self._click_timer.timeout.connect(lambda: self.clicked.emit(self._clicked_x))
        self.scene().sigMouseClicked.connect(self._on_click)
        plot = self.getPlotItem()
        plot.hideButtons()
        adopt_menu(self)
        plot.setDownsampling(auto=True, mode="peak")
        plot.setClipToView(True)
        plot.showGrid(y=True, alpha=_GRID_ALPHA)
        # People zoom in time only: the height always fits the curves that are in sight.
        plot.setMouseEnabled(x=True, y=False)
        plot.setAutoVisible(y=True)
        plot.getViewBox().setDefaultPadding(_ROOM)
        for side in ("left", "bottom"):
            plot.getAxis(side).enableAutoSIPrefix(False)
            plot.getAxis(side).setStyle(autoReduceTextSpace=True, tickLength=0, maxTickLevel=0, tickTextHeight=14)
        plot.getAxis("left").setTickDensity(2)
        self._line = pg.InfiniteLine(angle=90)
        self._mark = pg.ScatterPlotItem(size=_MARK_PX)
        for item in (self._line, self._mark):
            item.setVisible(False)
            plot.addItem(item, ignoreBounds=True)
        theme_changed().connect(self._dress)
        self._dress()

    def sizeHint(self) -> QSize:
        """As in the drawing of the window."""
        return QSize(320, 130)

    # Curves

    @property
    def curves(self) -> Mapping[int, NDArray[np.float64]]:
        """What is shown: the number of each curve, which is its place among the theme's colours, and its values."""
        return self._ys

    @property
    def frames(self) -> NDArray[np.float64]:
        """Numbers of the frames."""
        return self._x

    def show_curves(
        self,
        x: NDArray[np.floating],
        ys: Mapping[int, NDArray[np.floating]],
        *,
        from_zero: bool = False,
    ) -> None:
        """Show curves.

        Parameters
        ----------
        x : (n,) float
            Numbers of the frames, increasing.
        ys : mapping of int to (n,) float
            Values under the number of each curve; NaN leaves a gap.
        from_zero : bool
            The vertical axis starts at 0.
        """
        # Copies: the library draws later, and whoever keeps the history writes into it.
        self._x, self._from_zero = np.array(x, np.float64), from_zero
        self._ys = {k: np.array(y, np.float64) for k, y in ys.items()}
        while len(self._items) < len(self._ys):
            # Smooth thick lines cost 17 ms for eight curves of 2000 points, and half of that with a few points a pixel.
            item = pg.PlotDataItem(antialias=True, autoDownsampleFactor=1.0)
            self._items.append(item)
            self.addItem(item)
        for item, (k, y) in zip(self._items, self._ys.items(), strict=False):
            item.setData(self._x, y, pen=self._pen(k), fillLevel=0.0 if from_zero else None)
        for item in self._items[len(self._ys) :]:
            item.clear()
        if self._x.size:
            # One frame alone has no width.
            first, last = float(self._x[0]), float(self._x[-1])
            self.setLimits(xMin=first, xMax=max(last, first + 1), yMin=0.0 if from_zero else None)
            self._fit_height()
        self._show_reading()

    def _fit_height(self) -> None:
        """Let the library fit the height, but where all values are one: it would keep the height of other curves."""
        values = np.concatenate([y[np.isfinite(y)] for y in self._ys.values()] + [[0.0]] * self._from_zero)
        if values.size and values.min() == values.max():
            middle = float(values[0])
            room = abs(middle) * _FLAT_ROOM or 1.0
            self.setYRange(middle - room, middle + room, padding=0)
        else:
            self.enableAutoRange(y=True)

    def show_all(self) -> None:
        """Show all frames, and go on doing so while more come."""
        self.enableAutoRange(x=True)

    # The pointer

    @property
    def reading(self) -> Reading | None:
        """The point nearest to the pointer; None where it is elsewhere or there is no curve."""
        if self._pointer is None or not self._x.size:
            return None
        at = self.getPlotItem().getViewBox().mapSceneToView(self._pointer)
        i = int(np.abs(self._x - at.x()).argmin())
        known = {k: float(y[i]) for k, y in self._ys.items() if np.isfinite(y[i])}
        if not known:
            return None
        nearest = min(known, key=lambda k: abs(known[k] - at.y()))
        return Reading(float(self._x[i]), nearest, known[nearest])

    # The library's own signal leaves moves out, the last one too.
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read out what is at the pointer."""
        super().mouseMoveEvent(event)
        at = self.mapToScene(event.position().toPoint())
        self._point(at if self.getPlotItem().getViewBox().sceneBoundingRect().contains(at) else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Read nothing out any more."""
        super().leaveEvent(event)
        self._point(None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all frames again."""
        super().mouseDoubleClickEvent(event)
        self._click_timer.stop()
        self.show_all()

    def _on_click(self, click: pg.GraphicsScene.mouseEvents.MouseClickEvent) -> None:
        """Wait whether it becomes a double click; the library leaves out what was dragged."""
        reading = self.reading
        if click.button() is Qt.MouseButton.LeftButton and not click.double() and reading is not None:
            self._clicked_x = reading.x
            self._click_timer.start()

    def _point(self, at: QPointF | None) -> None:
        self._pointer = at
        self._show_reading()
        self.pointed.emit()

    def _show_reading(self) -> None:
        reading = self.reading
        self._line.setVisible(reading is not None)
        self._mark.setVisible(reading is not None)
        if reading is not None:
            self._line.setPos(reading.x)
            self._mark.setData([reading.x], [reading.value], brush=self._pen(reading.curve).color(), pen=None)

    # Colours

    @staticmethod
    def _pen(curve: int) -> QPen:
        shades = colours().curves
        pen: QPen = pg.mkPen(shades[curve % len(shades)], width=_LINE_PX)
        return pen

    def _dress(self) -> None:
        shades, font = colours(), caption_font()
        for side in ("left", "bottom"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(shades.line_strong)
            axis.setTextPen(shades.muted)
            axis.setTickFont(font)
        self._line.setPen(pg.mkPen(shades.muted, width=1))
        self.show_curves(self._x, self._ys, from_zero=self._from_zero)
