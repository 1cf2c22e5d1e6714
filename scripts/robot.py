"""A person at the window, as a program: looks where things are, and uses mouse and keyboard of the display."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pictures import write
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPushButton,
    QSlider,
    QTableView,
    QWidget,
)
from questions import PATIENCE_S, Questions
from screen import handle_of, in_file_dialog, point_of, screen_image, windows_shown
from x_events import XEvents

Answer = TypeVar("Answer")

Look = Callable[[], None]
"""What is done in the midst of something: a picture is taken."""

LOOK_EVERY_S = 0.05
SETTLE_S = 0.5
"""Long enough for what follows a click to be on the screen, and for numbers and curves, which change less often."""

DRAG_STEPS = 8
"""From one point to the next."""

SHELF_AT, SHELF_GRIP = (24, 690), (70, 30)
"""Where another program's window stands, and where the file in it is taken hold of, pixels."""


class Robot:
    """Works on a window from a thread of its own.

    Parameters
    ----------
    questions : Questions
        Made on the window's thread.
    pictures : Path
        Folder that `picture` writes to.
    """

    def __init__(self, questions: Questions, pictures: Path) -> None:
        self.ask = questions.ask
        self._events = XEvents()
        self._pictures = pictures
        self._last: QPoint | None = None
        self._known: list[QWidget] = []

    # Looking

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Wait until a condition holds on the window's thread."""
        until = time.monotonic() + PATIENCE_S
        while not self.ask(condition):
            if time.monotonic() > until:
                raise TimeoutError(f"waited in vain for {what}")
            time.sleep(LOOK_EVERY_S)

    def rest(self, seconds: float = SETTLE_S) -> None:
        """Wait a while."""
        time.sleep(seconds)

    def picture(self, name: str, *, ring: bool = False, folder: Path | None = None) -> None:
        """Write what the screen shows; with a ring where the last click was."""
        self._look_at(None)
        self.rest()
        image = self.ask(lambda: screen_image(self._last if ring else None))
        write(image, (folder or self._pictures) / f"{name}.png", colours=160)

    def show(self, widget: QWidget) -> None:
        """Scroll until a widget can be seen."""
        self.ask(lambda: point_of(widget, 0.5, 0.5))

    def buttons(self, widget: QWidget) -> list[QPushButton]:
        """Return the buttons of a widget, in their order."""
        return self.ask(lambda: widget.findChildren(QPushButton))

    # Mouse

    def click(self, widget: QWidget, at: tuple[float, float] = (0.5, 0.5), *, times: int = 1, button: int = 1) -> None:
        """Click on a widget, at a part of its width and height."""
        self._click(lambda: point_of(widget, *at), widget, times, button)

    def drag(self, widget: QWidget, points: list[tuple[float, float]]) -> None:
        """Press the left button at the first point, go through all, and let it go; parts of width and height."""
        self._look_at(widget)
        self._drag([self.ask(lambda at=at: point_of(widget, *at)) for at in points])

    def carry(self, path: Path, widget: QWidget, look: Look) -> None:
        """Drag a file from the window of another program onto a widget; ``look`` before letting it go."""
        (left, top), (right, down) = SHELF_AT, SHELF_GRIP
        shelf_py = Path(__file__).with_name("shelf.py")
        command = [sys.executable, str(shelf_py), str(path), str(left), str(top)]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as shelf:
            assert shelf.stdout is not None
            shelf.stdout.readline()
            self.rest()
            there = self.ask(lambda: point_of(widget, 0.5, 0.5))
            self._drag([QPoint(left + right, top + down), there], look)
            shelf.terminate()

    def slide(self, slider: QSlider, to: float) -> None:
        """Drag the handle of a slider to a part of its width."""
        self._look_at(slider)
        self.show(slider)
        self.rest()
        self.drag(slider, [self.ask(lambda: handle_of(slider)), (to, 0.5)])

    def scroll(self, widget: QWidget, steps: int) -> None:
        """Turn the wheel over a widget, downwards."""
        self.point(widget)
        for _ in range(steps):
            for down in (True, False):
                self._events.button(5, down=down)
        self.rest()

    def point(self, widget: QWidget, at: tuple[float, float] = (0.5, 0.5)) -> None:
        """Put the pointer over a widget."""
        where = self.ask(lambda: point_of(widget, *at))
        self._events.move(where.x(), where.y())

    def choose(self, box: QComboBox, text: str) -> None:
        """Open a list of choices and click the one with this text."""
        self.click(box)
        self.wait(lambda: box.view().isVisible(), f"the list with {text}")
        row = self.ask(lambda: box.findText(text))
        if row < 0:
            raise LookupError(f"there is no choice {text!r}")
        self.ask(lambda: box.view().scrollTo(box.model().index(row, 0)))
        self._click(
            lambda: box.view().viewport().mapToGlobal(box.view().visualRect(box.model().index(row, 0)).center()), None
        )

    def menu(self, bar: QMenuBar, *texts: str) -> None:
        """Choose an entry of a menu, by the texts that lead there."""
        self.open_menu(bar, texts[0])
        for text in texts[1:]:
            self.entry(text)

    def open_menu(self, bar: QMenuBar, text: str) -> None:
        """Open a menu of the menu bar."""
        action = self.ask(lambda: next(a for a in bar.actions() if a.text().replace("&", "") == text))
        self._click(lambda: bar.mapToGlobal(bar.actionGeometry(action).center()), bar)
        self.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu), f"the menu {text}")

    def entry(self, text: str) -> None:
        """Click an entry of the menu that is open."""

        def place() -> QPoint:
            menu = QApplication.activePopupWidget()
            assert isinstance(menu, QMenu), "no menu is open"
            action = next(a for a in menu.actions() if a.text().replace("&", "").rstrip("…") == text)
            return menu.mapToGlobal(menu.actionGeometry(action).center())

        self._click(place, None)

    def row(self, table: QTableView, number: int) -> None:
        """Click a row of a table, from 0, which is scrolled to where it is not seen."""

        def centre() -> QPoint:
            index = table.model().index(number, 2)
            table.scrollTo(index)
            return table.viewport().mapToGlobal(table.visualRect(index).center())

        self._click(centre, table)

    # Keyboard

    def press(self, *keys: str) -> None:
        """Press keys one after the other, each such as ``ctrl+e``."""
        self._look_at(None)
        for key in keys:
            self._events.press(key)
        self.rest()

    def write(self, text: str) -> None:
        """Type a text into what has the focus."""
        for sign in text:
            self._events.press(sign)
        self.rest(0.2)

    def fill(self, edit: QWidget, text: str) -> None:
        """Click into a field, and type a text instead of what stands there; ends with Tab."""
        self.click(edit, (0.3, 0.5))
        self._events.press("ctrl+a")
        self.write(text)
        self._events.press("Tab")
        self.rest()

    def name_file(self, path: Path, look: Look | None = None) -> None:
        """Type the path of a file or folder into the dialog that asks for one, ``look`` at it, and confirm."""
        self.wait(lambda: in_file_dialog(QLineEdit.isVisible), "the dialog that asks for a file")
        self._click(lambda: in_file_dialog(lambda field: point_of(field, 0.5, 0.5)), None)
        self._events.press("ctrl+a")
        self.write(str(path))
        if self.ask(lambda: in_file_dialog(lambda field: field.completer().popup().isVisible())):
            self._events.press("Escape")
        if look is not None:
            look()
        self._events.press("Return")
        self.wait(lambda: in_file_dialog(QLineEdit.isVisible) is None, "the dialog to close")

    # How

    def _click(self, place: Callable[[], QPoint], widget: QWidget | None, times: int = 1, button: int = 1) -> None:
        if widget is not None:
            self._look_at(widget)
        self._last = self.ask(place)
        self._events.move(self._last.x(), self._last.y())
        for _ in range(times):
            for down in (True, False):
                self._events.button(button, down=down)
        self.rest()

    def _drag(self, points: list[QPoint], look: Look | None = None) -> None:
        """Drag through points of the screen; ``look`` before letting go."""
        before, *rest = points
        self._events.move(before.x(), before.y())
        self._events.button(1, down=True)
        for point in rest:
            for part in range(1, DRAG_STEPS + 1):
                between = before + (point - before) * part / DRAG_STEPS
                self._events.move(between.x(), between.y())
            before = point
        if look is not None:
            look()
        self._events.button(1, down=False)
        self._last = before
        self.rest()

    def _look_at(self, widget: QWidget | None) -> None:
        """Give the keys to a widget's window, or else to the newest: there is no window manager to do it."""

        def look() -> None:
            windows = windows_shown()
            new = [window for window in windows if window not in self._known]
            self._known = windows
            active = QApplication.activeWindow()
            newest = new[-1] if new else active if active in windows else (windows or [None])[-1]
            top = widget.window() if widget is not None else QApplication.activeModalWidget() or newest
            if top is not None and not top.isActiveWindow() and QApplication.activePopupWidget() is None:
                top.activateWindow()

        self.ask(look)
        self.rest(0.1)
