"""Menus made from the table of commands."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QKeyCombination, QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.shortcuts import COMMANDS

THEMES = {"system": "As the desktop", "dark": "Dark", "light": "Light"}
SPLITS = {"export", "quit", "load_preset", "save_model", "fit", "pane_1", "source_panel", "loop", "full_screen", "back"}
"""Commands that a line stands before in their menu."""


class Actions(QObject):
    """Every command as an action, in its menu.

    Parameters
    ----------
    parent : QWidget
        The main window.
    handlers : dict
        What to do for each command's key; a checkable one is called with its state.
    """

    def __init__(self, parent: QWidget, handlers: dict[str, Callable]) -> None:
        super().__init__(parent)
        self.by_key: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {}
        self._plain: dict[QKeyCombination, QAction] = {}
        for command in COMMANDS:
            action = QAction(command.text, parent)
            action.setToolTip(command.help)
            action.setStatusTip(command.help)
            action.setCheckable(command.checkable)
            if command.checkable:
                action.toggled.connect(handlers[command.key])
            else:
                action.triggered.connect(lambda _on=False, do=handlers[command.key]: do())
            if command.is_plain:
                # Shown in the menu, but acted on by the main window: see app.shortcuts.
                action.setText(f"{command.text}\t{command.keys}")
                self._plain[QKeySequence(command.keys)[0]] = action
            elif command.keys:
                action.setShortcut(QKeySequence(command.keys))
            parent.addAction(action)
            self.by_key[command.key] = action
            menu = self.menus.setdefault(command.menu, QMenu(f"&{command.menu}", parent))
            menu.setToolTipsVisible(True)
            if command.key in SPLITS and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(action)

    def __getitem__(self, key: str) -> QAction:
        """Return the action of a command."""
        return self.by_key[key]

    def plain(self, keys: QKeyCombination) -> QAction | None:
        """Return the action of a plain key."""
        return self._plain.get(keys)

    def fill(self, bar: QMenuBar) -> None:
        """Put the menus into a bar."""
        for menu in self.menus.values():
            bar.addMenu(menu)

    def add_themes(self, chosen: str, choose: Callable[[str], None]) -> None:
        """Add the palettes to the View menu."""
        menu = QMenu("Theme", self.menus["View"])
        group = QActionGroup(menu)
        for key, text in THEMES.items():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(key == chosen)
            action.triggered.connect(lambda _on, key=key: choose(key))
            group.addAction(action)
        self.menus["View"].addMenu(menu)
        self.themes = group
