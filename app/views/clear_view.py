"""The picture of a pane left free of title and buttons while people draw on it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.views.pane_header import PaneHeader
from app.views.tools.base import Tool


class ClearView(QObject):
    """Hides a pane's header while one of the tools is used, as the least of small pictures lies under it.

    Parameters
    ----------
    pane : QWidget
    header : PaneHeader
    painting : sequence of Tool
        While one of these is modal, the header is hidden: people paint for a while, up to the edges.
    told : Tool
        While this is modal, the header of other panes says what to do: it is hidden where the pointer is.
    """

    def __init__(self, pane: QWidget, header: PaneHeader, painting: Sequence[Tool], told: Tool) -> None:
        super().__init__(pane)
        self._pane, self._header, self._painting, self._told = pane, header, painting, told
        for tool in (*painting, told):
            tool.changed.connect(self.look)

    def look(self) -> None:
        """Hide the header, or show it, by the tools and where the pointer is: for the pane, when that comes or goes."""
        is_painted_on = any(tool.modal for tool in self._painting)
        self._header.set_shown(not is_painted_on and not (self._told.modal and self._pane.underMouse()))
