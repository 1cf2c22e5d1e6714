"""Whose plain keys are: the window's, where nobody is typing. A click must not give them to what would act on them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


def leave_keys(widget: QWidget) -> None:
    """Let a click work a button and not give it the focus: the space bar would push it again instead of playing on."""
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)


class LeavesSpace:
    """Goes before a box for numbers: the space bar, which would empty the number, is left to the window."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type, but for the space bar."""
        if event.key() == Qt.Key.Key_Space:
            event.ignore()
        else:
            super().keyPressEvent(event)
