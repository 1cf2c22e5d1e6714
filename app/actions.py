"""The commands of one window as Qt's actions, and its keys: both made from the table in `app.shortcuts`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.shortcuts import Command, Where, commands_of

Handlers = Mapping[str, Callable[[], object]]
"""What to do for a command, by its key."""

Switches = Mapping[str, Callable[[bool], object]]
"""What to do for a command that can be on or off, by its key; called with its state."""


class Actions(QObject):
    """Every command of a window as an action.

    Parameters
    ----------
    window : QWidget
    where : Where
        Which window this is, in the table.
    handlers, switches : mapping
        What each command does; a checkable one has a switch.

    Attributes
    ----------
    shared : list of QAction
        Those whose keys act in other windows, too.

    Raises
    ------
    KeyError
        There is nothing to do for a command of the table.
    """

    def __init__(self, window: QWidget, where: Where, handlers: Handlers, switches: Switches) -> None:
        super().__init__(window)
        self.shared: list[QAction] = []
        self._by_key: dict[str, QAction] = {}
        self._plain: dict[QKeySequence, QAction] = {}
        for command in commands_of(where):
            action = QAction(command.text, window)
            action.setToolTip(command.help)
            action.setStatusTip(command.help)
            action.setCheckable(command.checkable)
            if command.checkable:
                action.toggled.connect(switches[command.key])
            else:
                action.triggered.connect(partial(_do, handlers[command.key]))
            if command.is_plain:
                # Shown in the menu, but acted on by `press`: see app.shortcuts.
                action.setText(f"{command.text}\t{command.keys}")
                self._plain[QKeySequence(command.keys)] = action
            elif command.keys:
                action.setShortcuts(_shortcuts(command))
            window.addAction(action)
            if command.shared:
                self.shared.append(action)
            self._by_key[command.key] = action

    def __getitem__(self, key: str) -> QAction:
        """Return the action of a command."""
        return self._by_key[key]

    def press(self, event: QKeyEvent) -> bool:
        """Do what a plain key that no control used stands for; False where it stands for nothing now."""
        action = self._plain.get(QKeySequence(event.keyCombination())) or self._plain.get(_without_shift(event))
        if action is None or not action.isEnabled():
            return False
        action.trigger()
        return True


def _shortcuts(command: Command) -> list[QKeySequence]:
    """Return the key that the table names, and then those that the platform has for the same."""
    named = QKeySequence(command.keys)
    bound = [] if command.standard is None else QKeySequence.keyBindings(command.standard)
    return [named, *(keys for keys in bound if keys != named)]


def _do(handler: Callable[[], object], _checked: bool = False) -> None:
    handler()


def _without_shift(event: QKeyEvent) -> QKeySequence:
    """Return the key without Shift and keypad: plus and the like need Shift on some keyboards."""
    kept = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
    return QKeySequence(QKeyCombination(kept, Qt.Key(event.key())))
