"""Where the panes lie: three beside each other, all in a row where pictures are upright, or one that fills the view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QGridLayout, QWidget

from app.views.pane import ImagePane

ALL = -1
"""No pane is enlarged: all show."""

COLUMNS = 3
"""Panes beside each other, unless pictures are larger in one row."""

AROUND_PX, BETWEEN_PX = 8, 6
"""Around all panes, and between two of them."""

HEADER_PX = 34
"""What lies over a picture in its pane: its title."""

LEAST_WIDTH_PX = 120
"""Of a pane in a row of all of them: its title and its switches still have room."""

MUCH_LARGER = 1.15
"""Pictures are so many times as large where the panes change their places for it: it is not done for every pixel."""


class PaneGrid(QGridLayout):
    """Lays panes out.

    Parameters
    ----------
    panes : sequence of ImagePane
    view : QWidget
        Gets this layout; the keyboard goes on to the pane that fills it, or to the first.
    """

    def __init__(self, panes: Sequence[ImagePane], view: QWidget) -> None:
        super().__init__(view)
        self._panes, self._view = panes, view
        self._enlarged, self._columns = ALL, COLUMNS
        self.setContentsMargins(AROUND_PX, AROUND_PX, AROUND_PX, AROUND_PX)
        self.setSpacing(BETWEEN_PX)
        view.setFocusProxy(panes[0])
        self._arrange()

    @property
    def enlarged(self) -> int:
        """The pane that fills the view, or `ALL`."""
        return self._enlarged

    @property
    def visible(self) -> tuple[int, ...]:
        """The panes that are shown."""
        return tuple(range(len(self._panes))) if self._enlarged == ALL else (self._enlarged,)

    def enlarge(self, index: int) -> None:
        """Let one pane fill the view; `ALL` shows all of them."""
        had_focus = any(pane.hasFocus() for pane in self._panes)
        self._enlarged = index
        self._arrange()
        for place, pane in enumerate(self._panes):
            pane.header.set_enlarged(place == index)
        first = self._panes[max(index, 0)]
        self._view.setFocusProxy(first)
        if had_focus:
            first.setFocus()

    def fit(self, picture: QSize, view: QSize) -> None:
        """Put the panes beside each other so that pictures of a size are large in a view of another."""
        n_panes = len(self._panes)
        scales = {columns: scale_in(columns, n_panes, picture, view) for columns in (COLUMNS, n_panes)}
        larger = 1.0 if self._columns == n_panes else MUCH_LARGER
        columns = n_panes if scales[n_panes] > larger * scales[COLUMNS] else COLUMNS
        if columns != self._columns:
            self._columns = columns
            self._arrange()

    def minimumSize(self) -> QSize:
        """Return what the panes need at least: a row of all of them gives way where the window is made narrow."""
        rows = -(-len(self.visible) // COLUMNS)
        least = self._panes[0].minimumSize()
        width, height = (
            n * side + (n - 1) * BETWEEN_PX + 2 * AROUND_PX
            for n, side in ((min(len(self.visible), COLUMNS), least.width()), (rows, least.height()))
        )
        return QSize(width, height)

    def _arrange(self) -> None:
        visible = self.visible
        for index, pane in enumerate(self._panes):
            self.removeWidget(pane)
            pane.setVisible(index in visible)
        for place, index in enumerate(visible):
            self.addWidget(self._panes[index], place // self._columns, place % self._columns)
        rows, columns = -(-len(visible) // self._columns), min(len(visible), self._columns)
        for line in range(len(self._panes)):
            self.setRowStretch(line, int(line < rows))
            self.setColumnStretch(line, int(line < columns))


def scale_in(columns: int, n_panes: int, picture: QSize, view: QSize) -> float:
    """Return how large pictures are in so many columns of panes, points for a pixel; 0 where panes would be too narrow.

    Parameters
    ----------
    columns, n_panes : int
    picture : QSize
        Pixels.
    view : QSize
        In which all panes lie, points.
    """
    rows = -(-n_panes // columns)
    width = (view.width() - 2 * AROUND_PX - (columns - 1) * BETWEEN_PX) / columns
    height = (view.height() - 2 * AROUND_PX - (rows - 1) * BETWEEN_PX) / rows - HEADER_PX
    if columns == n_panes and width < LEAST_WIDTH_PX:
        return 0.0
    return max(min(width / picture.width(), height / picture.height()), 0.0)
