"""Undo, redo, and the list of what was done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from app.panels.history import HistoryPanel
    from app.window.history import History


class HistoryCommands(QObject):
    """Goes back and forward in the history.

    Parameters
    ----------
    steps : History
    action : callable
        ``action(key)`` returns the action of a command, once there are actions.
    window : QWidget
        Beside which the list stands.

    Attributes
    ----------
    steps : History
    panel : HistoryPanel or None
        The list; None until it was asked for.
    """

    def __init__(self, steps: History, action: Callable[[str], QAction], window: QWidget) -> None:
        super().__init__(window)
        self.steps, self._action, self._window = steps, action, window
        self.panel: HistoryPanel | None = None

    def attach(self) -> None:
        """Say in the menu what would be undone: the actions are there now."""
        stack = self.steps.stack
        for key, title, can, text, can_now in (
            ("undo", "Undo", stack.canUndoChanged, stack.undoTextChanged, stack.canUndo()),
            ("redo", "Redo", stack.canRedoChanged, stack.redoTextChanged, stack.canRedo()),
        ):
            action = self._action(key)
            action.setEnabled(can_now)
            can.connect(action.setEnabled)
            text.connect(lambda what, action=action, title=title: action.setText(_entry(title, what)))

    def undo(self) -> None:
        """Take the last step back."""
        self.steps.stack.undo()

    def redo(self) -> None:
        """Do the next step again."""
        self.steps.stack.redo()

    def open(self) -> None:
        """Show the list of all steps."""
        from app.panels.history import HistoryPanel  # noqa: PLC0415 - seldom needed

        if self.panel is None:
            self.panel = HistoryPanel(self.steps.stack, self._window)
        self.panel.show()
        self.panel.raise_()


def _entry(title: str, step: str) -> str:
    """Return the words of a menu; an ampersand in the name of a step would mark the letter after it as a key."""
    return f"{title} {step}".strip().replace("&", "&&")
