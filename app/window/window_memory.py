"""What lasts of the window beyond its end: its place, its panels, how large its parts are; written at each change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QSize, QTimer

from app.window import settings
from app.window.commands.project_state import PANELS
from app.window.part_sizes import PartSizes

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QSplitter

    from app.command_window import CommandWindow
    from app.window.layout import Parts
    from app.window.panel_room import PanelRoom
    from app.window.settings import Remembered

FIRST_SIZE = QSize(1440, 900)
"""Of a window of which nothing is remembered, where the screen has the room."""

RESTS_MS = 1000
"""A window that was not moved for so long rests."""

LOW_PX = 850
"""In a window lower than this basis and plots begin as low as they can be."""


class WindowMemory(QObject):
    """Shows the window as it was, and writes what is remembered.

    Parameters
    ----------
    window : CommandWindow
        It has an action for each panel.
    parts : Parts
    room : PanelRoom
        Knows which panels are hidden for want of room only.
    remembered : Remembered
        Also of others, who have it written by `write`.
    path : Path
        Of the file.
    """

    def __init__(
        self, window: CommandWindow, parts: Parts, room: PanelRoom, remembered: Remembered, path: Path
    ) -> None:
        super().__init__(window)
        self._window, self._parts, self._room = window, parts, room
        self._remembered, self._path = remembered, path
        self._rests = QTimer(self, singleShot=True, interval=RESTS_MS)
        self._rests.timeout.connect(self.write)
        self._sizes = PartSizes(remembered, self)
        self._sizes.changed.connect(self.write_soon)
        self.watch("sides", parts.sides)
        self.watch("split", parts.split)

    def watch(self, name: str, splitter: QSplitter) -> None:
        """Make the parts of a splitter as large as they were, and remember each change."""
        self._sizes.watch(name, splitter)

    def show_again(self) -> None:
        """Give the window its place and its panels as they are remembered."""
        window, remembered = self._window, self._remembered
        window.resize_on_screen(FIRST_SIZE)
        if remembered.geometry:
            window.restoreGeometry(QByteArray.fromHex(remembered.geometry.encode("ascii", "ignore")))
        self._lower_bottom()
        hidden = remembered.hidden  # Before all that is told as a change, and so is remembered.
        for key in PANELS:
            window.action(key).setChecked(True)
        for key in hidden:
            if key in PANELS:
                window.action(key).setChecked(False)

    def show_usual(self) -> None:
        """Show all panels, as large as at the first start; none is remembered otherwise. The window stays."""
        for key in PANELS:
            self._window.action(key).setChecked(True)
        self._room.fit_anew(self._window.size())
        self._remembered.parts = {}
        self._parts.share_out()
        self._lower_bottom()
        self.write()

    def _lower_bottom(self) -> None:
        """Let basis and plots begin as low as they can be where the window is low."""
        height = self._window.height()
        if height < LOW_PX and "split" not in self._remembered.parts:
            self._parts.split.setSizes([height, self._parts.bottom.minimumHeight()])

    def write(self, *, waits: bool = False) -> None:
        """Write what is to be remembered, at each change: the end may not be a clean one."""
        window = self._window
        if window.isVisible() and not window.isFullScreen():
            self._remembered.geometry = window.saveGeometry().toHex().toStdString()
        self._remembered.hidden = [key for key in PANELS if not self._room.is_wanted(key)]
        settings.save(self._remembered, self._path, waits=waits)

    def write_soon(self) -> None:
        """Write it once the window rests."""
        self._rests.start()

    def end(self) -> None:
        """Write it for the last time."""
        self._rests.stop()
        self.write(waits=True)
