"""Undo, redo, and the list of what was done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.window.menus import as_it_is

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from app.panels.history import HistoryPanel
    from app.window.history import History


TITLES: Mapping[str, str] = {"undo": "Undo", "redo": "Redo"}


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
        steps.setParent(self)  # The stack tells of names while it goes too: of that nobody is told any more.
        self.panel: HistoryPanel | None = None

    def attach(self) -> None:
        """Say in the menu what would be undone: the actions are there now."""
        stack = self.steps.stack
        for key, can, can_now in (
            ("undo", stack.canUndoChanged, stack.canUndo()),
            ("redo", stack.canRedoChanged, stack.canRedo()),
        ):
            self._action(key).setEnabled(can_now)
            can.connect(self._action(key).setEnabled)
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)
        self.steps.awaits_changed.connect(self._on_awaits)

    def _on_awaits(self, awaits: bool) -> None:
        """Offer to take back what was just painted, of which the stack knows nothing yet."""
        stack = self.steps.stack
        for key, can, text in (
            ("undo", stack.canUndo(), stack.undoText()),
            ("redo", stack.canRedo(), stack.redoText()),
        ):
            self._action(key).setEnabled(can or awaits)
            self._name(key, "" if awaits else text)
        if self.panel is not None:
            self.panel.view.setEnabled(not awaits)

    def _name_undo(self, what: str) -> None:
        self._name("undo", what)

    def _name_redo(self, what: str) -> None:
        self._name("redo", what)

    def _name(self, key: str, what: str) -> None:
        self._action(key).setText(as_it_is(f"{TITLES[key]} {what}".strip()))

    def undo(self) -> None:
        """Take the last step back."""
        self.steps.undo()

    def redo(self) -> None:
        """Do the next step again."""
        self.steps.redo()

    def open(self) -> None:
        """Show the list of all steps."""
        from app.panels.history import HistoryPanel  # noqa: PLC0415 - seldom needed

        if self.panel is None:
            self.panel = HistoryPanel(self.steps.stack, self._window)
            self.panel.view.setEnabled(not self.steps.awaits_painted)
        self.panel.show()
        self.panel.raise_()
