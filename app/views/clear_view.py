"""The picture of a pane left free of title and buttons while people draw on it."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.views.pane_header import PaneHeader
from app.views.pane_tools import PaneTools


class ClearView(QObject):
    """Hides a pane's header while people draw, as the least of small pictures lies under it.

    While they paint or draw areas, for a while and up to the edges, it stays away. While they choose a region, the
    header of other panes says what to do: it is hidden where the pointer is. While they measure, it is hidden during
    each drag: in between it lets them choose what is measured.

    Parameters
    ----------
    pane : QWidget
    header : PaneHeader
    tools : PaneTools
        Of the pane.
    """

    def __init__(self, pane: QWidget, header: PaneHeader, tools: PaneTools) -> None:
        super().__init__(pane)  # What tools tell goes nowhere when the pane is gone.
        self._pane, self._header = pane, header
        self._painting, self._told = (tools.areas, tools.area_brush, tools.brush), tools.region
        self._measure = tools.measure
        for tool in (*self._painting, self._told, self._measure):
            tool.changed.connect(self.look)

    def look(self) -> None:
        """Hide the header, or show it, by the tools and where the pointer is: for the pane, when that comes or goes."""
        is_drawn_on = self._measure.is_begun or any(tool.modal for tool in self._painting)
        self._header.set_shown(not is_drawn_on and not (self._told.modal and self._pane.underMouse()))
