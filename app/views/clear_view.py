"""The picture of a pane left free of title and buttons where people draw on it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.rendering.viewport import Viewport
from app.views.pane_header import PaneHeader
from app.views.pane_tools import PaneTools


class ClearView(QObject):
    """Hides a pane's header where people draw and the picture lies under it, as one that is enlarged does.

    While they paint, draw areas or what events are counted by, or choose a region, it is hidden where the pointer is:
    that of other panes still names them, enlarges them, and says what to do. While they measure, it is hidden during
    each drag: in between it lets them choose what is measured.

    Parameters
    ----------
    pane : QWidget
    header : PaneHeader
    tools : PaneTools
        Of the pane.
    view : callable
        Returns how the picture lies in the pane at this moment; None where there is no picture.
    """

    def __init__(
        self, pane: QWidget, header: PaneHeader, tools: PaneTools, view: Callable[[], Viewport | None]
    ) -> None:
        super().__init__(pane)  # What tools tell goes nowhere when the pane is gone.
        self._pane, self._header, self._view = pane, header, view
        self._drawing = (tools.areas, tools.area_brush, tools.brush, tools.region, tools.event_drag)
        self._measure = tools.measure
        for tool in (*self._drawing, self._measure):
            tool.changed.connect(self.look)

    def look(self) -> None:
        """Hide the header, or show it: the pane calls this when the pointer comes or goes, and the picture moves."""
        is_drawn_on = self._measure.is_begun or (any(tool.modal for tool in self._drawing) and self._pane.underMouse())
        self._header.set_shown(not (is_drawn_on and self._is_covered()))

    def _is_covered(self) -> bool:
        view = self._view()
        return view is not None and view.to_pane(0, 0)[1] < self._header.height - 1  # Rows of the screen are rounded.
