"""The menus of the main window: made from the table of commands, and from samples, recent files and cameras."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.shortcuts import Where, commands_of
from app.system.cameras import camera_numbers
from app.theme import MASK_TINTS, MaskTint, Mode
from app.window.project_picture import PictureStyle, ProjectPictures
from app.window.settings import Remembered
from core.project.naming import is_project

Item = TypeVar("Item")

THEMES: Mapping[Mode, str] = {"system": "As the desktop", "dark": "Dark", "light": "Light"}
SPLITS = {
    "save_project",
    "export",
    "quit",
    "load_preset",
    "load_areas",
    "mark_in",
    "marker",
    "last_mark",
    "save_model",
    "fit",
    "pane_1",
    "source_panel",
    "loop",
    "restart",
    "full_screen",
    "back",
}
"""Commands that a line stands before in their menu."""


def as_it_is(text: str) -> str:
    """Return what a menu shows as this text: an ampersand alone would mark the letter after it as a key."""
    return text.replace("&", "&&")


class Menus(QObject):
    """The menus.

    Parameters
    ----------
    parent : QWidget
    action : callable
        ``action(key)`` returns the action of a command.
    open_path : callable
        Opens a sample, a camera or a file, by its path.
    remembered : Remembered
        Knows what was opened last.

    Attributes
    ----------
    by_title : dict of str to QMenu
        Those of the menu bar.
    opening, cameras, samples, recent : QMenu
        Everything that can be opened, and three parts of it.
    themes, mask_tints : QActionGroup
    """

    def __init__(
        self,
        parent: QWidget,
        action: Callable[[str], QAction],
        open_path: Callable[[str], None],
        remembered: Remembered,
    ) -> None:
        super().__init__(parent)
        self._open_path, self._remembered = open_path, remembered
        self.themes, self.mask_tints = QActionGroup(self), QActionGroup(self)
        self.by_title: dict[str, QMenu] = {}
        for command in commands_of(Where.MAIN):
            menu = self.by_title.setdefault(command.menu, QMenu(f"&{command.menu}", parent))
            menu.setToolTipsVisible(True)
            if command.key in SPLITS and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(action(command.key))
        self.opening = QMenu("Open", parent)
        for key in ("open_file", "open_folder", "open_stream"):
            self.opening.addAction(action(key))
        self.cameras = self.opening.addMenu("Camera")
        self.cameras.aboutToShow.connect(self.fill_cameras)
        self.samples = QMenu("Samples", parent)
        self.samples.setToolTipsVisible(True)
        self.recent = QMenu("Recent", parent)
        self.recent.setToolTipsVisible(True)
        self.recent.setStyle(PictureStyle(parent))
        self.recent.aboutToShow.connect(self.fill_recent)
        self._pictures = ProjectPictures()
        for menu in (self.samples, self.recent):
            self.opening.addMenu(menu)
        file = self.by_title["File"]
        entries = file.actions()
        line = entries[entries.index(action("save_project")) - 1]
        for menu in (self.cameras, self.samples, self.recent):
            file.insertMenu(line, menu)
        for menu in (file, self.opening):
            menu.aboutToShow.connect(self.read_pictures)

    def fill(self, bar: QMenuBar) -> None:
        """Put the menus into a bar."""
        for menu in self.by_title.values():
            bar.addMenu(menu)

    def add_themes(self, chosen: Mode, choose: Callable[[Mode], None]) -> None:
        """Add the palettes to the View menu."""
        self._add_choice("Theme", THEMES, chosen, choose, self.themes)

    def add_mask_tints(self, chosen: MaskTint, choose: Callable[[MaskTint], None]) -> None:
        """Add the colours of masks to the View menu."""
        self._add_choice(
            "Mask colour", {tint: tint.capitalize() for tint in MASK_TINTS}, chosen, choose, self.mask_tints
        )

    def _add_choice(
        self,
        title: str,
        texts: Mapping[Item, str],
        chosen: Item,
        choose: Callable[[Item], None],
        group: QActionGroup,
    ) -> None:
        """Add one of several to choose to the View menu."""
        menu = QMenu(title, self.by_title["View"])
        for item, text in texts.items():
            entry = menu.addAction(text)
            entry.setCheckable(True)
            entry.setChecked(item == chosen)
            entry.triggered.connect(partial(_choose, choose, item))
            group.addAction(entry)
        self.by_title["View"].addMenu(menu)

    def fill_samples(self, samples: Mapping[str, str]) -> None:
        """Offer the samples: the name of each, and what it shows."""
        self.samples.clear()
        for name, about in samples.items():
            self._add(self.samples, name.capitalize(), f"sample:{name}", about)

    def fill_cameras(self) -> None:
        """Offer the cameras that are there now."""
        self.cameras.clear()
        for number in camera_numbers():
            self._add(self.cameras, f"Camera {number}", f"camera:{number}")
        if self.cameras.isEmpty():
            self.cameras.addAction("None found").setEnabled(False)

    def read_pictures(self) -> None:
        """Begin to read the pictures of recent projects, to have them once that menu is opened."""
        self._pictures.read(filter(is_project, self._remembered.recent))

    def wait(self) -> None:
        """Wait a moment for the pictures that are being read: the window has closed."""
        self._pictures.wait()

    def fill_recent(self) -> None:
        """Offer what was opened last, with the pictures that were read by now."""
        self.recent.clear()
        for path in self._remembered.recent:
            if is_project(path):
                self._add(self.recent, Path(path).name, path).setIcon(self._pictures.icon(path))
            else:
                self._add(self.recent, path, path)
        if self.recent.isEmpty():
            self.recent.addAction("Nothing yet").setEnabled(False)

    def _add(self, menu: QMenu, text: str, path: str, tip: str = "") -> QAction:
        entry = menu.addAction(as_it_is(text))
        entry.setToolTip(tip or path)
        entry.triggered.connect(partial(_choose, self._open_path, path))
        return entry


def _choose(choose: Callable[[Item], None], item: Item, _checked: bool = False) -> None:
    choose(item)
