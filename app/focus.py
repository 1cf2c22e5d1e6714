"""Whose plain keys are: the window's, where nobody is typing. A click must not give them to what would act on them."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QWidget


def leave_keys(widget: QWidget) -> None:
    """Let a click work a button and not give it the focus: the space bar would push it again instead of playing on."""
    widget.setFocusPolicy(Qt.FocusPolicy.TabFocus)


def leave_space(box: QAbstractSpinBox) -> None:
    """Leave the space bar, which would empty the number in a box, to the window."""
    box.installEventFilter(_NoSpace(box))


class _NoSpace(QObject):
    """Passes the space bar on to whatever is around the watched object."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave it out."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() != Qt.Key.Key_Space:
            return False
        event.ignore()
        return True
