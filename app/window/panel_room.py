"""Which panels a small window has room for: without some of them the pictures would have a third of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction

WIDE_PX = 1100
"""A window narrower than this begins without the source panel."""

HIGH_PX = 700
"""A window lower than this begins without basis and plots."""


class PanelRoom:
    """Hides panels as the window becomes small, and shows them as it grows; what a person chose meanwhile stays.

    Parameters
    ----------
    action : callable
        ``action(key)`` returns the action of a command.
    """

    def __init__(self, action: Callable[[str], QAction]) -> None:
        self._action = action
        self._panels = {key: action(key) for key in ("source_panel", "bottom_panel")}
        self._without_room: set[str] = set()
        self._hidden_here: set[str] = set()
        for key, panel in self._panels.items():
            panel.toggled.connect(lambda _on, key=key: self._hidden_here.discard(key))

    def is_wanted(self, key: str) -> bool:
        """Return whether a panel is shown, or would be where there is room."""
        return self._action(key).isChecked() or key in self._hidden_here

    def fit_anew(self, window: QSize) -> None:
        """Hide what a window of this size has no room for, whatever was shown in it before."""
        self._without_room, self._hidden_here = set(), set()
        self.fit(window)

    def fit(self, window: QSize) -> None:
        """Follow the size of the window."""
        without = {
            key
            for key, lacks in (("source_panel", window.width() < WIDE_PX), ("bottom_panel", window.height() < HIGH_PX))
            if lacks
        }
        for key in without - self._without_room:
            if self._panels[key].isChecked():
                self._panels[key].setChecked(False)
                self._hidden_here.add(key)
        for key in (self._without_room - without) & self._hidden_here:
            self._panels[key].setChecked(True)
        self._without_room = without
