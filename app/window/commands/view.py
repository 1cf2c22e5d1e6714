"""How the panes are looked at: zoom, which of them fills the middle, the wipe, a region that is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from app.views.panes import PanesView


class ViewCommands(QObject):
    """What the View menu does with the panes; nothing until they are there."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._panes: PanesView | None = None
        self._wipe = False

    def attach(self, panes: PanesView) -> None:
        """Act on the panes, which are there now."""
        self._panes = panes
        panes.set_wipe(self._wipe)

    def fit(self) -> None:
        """Show the whole picture."""
        if self._panes is not None:
            self._panes.fit()

    def zoom_in(self) -> None:
        """Enlarge by a step."""
        if self._panes is not None:
            self._panes.zoom_in()

    def zoom_out(self) -> None:
        """Reduce by a step."""
        if self._panes is not None:
            self._panes.zoom_out()

    def toggle_enlarged(self, index: int) -> None:
        """Let a pane fill the middle, or show all again."""
        if self._panes is not None:
            self._panes.toggle_enlarged(index)

    def back(self) -> None:
        """Do what Esc does."""
        if self._panes is not None:
            self._panes.back()

    def set_wipe(self, on: bool) -> None:
        """Compare input and background in one pane."""
        self._wipe = on
        if self._panes is not None:
            self._panes.set_wipe(on)

    def draw_region(self) -> None:
        """Let a person draw the region to work on."""
        if self._panes is not None:
            self._panes.start_region_selection()
