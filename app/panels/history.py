"""The list of all steps: choosing one goes back to it, or forward."""

from __future__ import annotations

from PySide6.QtGui import QUndoStack
from PySide6.QtWidgets import QUndoView, QVBoxLayout, QWidget

from app.panels.controls import caption, named
from app.side_window import SideWindow


class HistoryPanel(SideWindow):
    """A window beside the main one that lists what was done, the newest below.

    Parameters
    ----------
    stack : QUndoStack
    """

    def __init__(self, stack: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("History")
        self.view = QUndoView(stack)
        self.view.setEmptyLabel("As it was opened")
        named(self.view, "History", "Every step since the input was opened; choose one to go back to it, or forward.")
        rows = QVBoxLayout(self)
        rows.setContentsMargins(14, 12, 14, 14)
        rows.addWidget(caption("Choose a step to go back to it, or forward again. (Ctrl+Z, Ctrl+Shift+Z)"))
        rows.addWidget(self.view, 1)
        self.resize(300, 420)
