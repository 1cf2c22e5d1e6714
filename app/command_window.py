"""What both windows have in common: they fit the screen, and do what the table of commands says."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow

from app.actions import Actions, Handlers, Switches
from app.focus import tab_order
from app.on_screen import keep_on_screen_once_framed
from app.shortcuts import Where

LEAST_SIZE = QSize(900, 600)
"""Of a window, where the screen has the room."""

FRAME = QSize(16, 48)
"""What desktops draw around a window at most, pixels, which is not known before it is shown."""


class CommandWindow(QMainWindow):
    """A window with commands.

    Parameters
    ----------
    where : Where
        Which window this is, in the table.
    """

    def __init__(self, where: Where) -> None:
        super().__init__()
        self._where = where
        self._keep_least_size()

    def resize_on_screen(self, size: QSize) -> None:
        """Be so large, but no larger than the screen: what hangs over its edge could not be reached."""
        self.resize(self._on_screen(size))

    def event(self, event: QEvent) -> bool:
        """Follow what is in the window: nothing of it is cut off."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._keep_least_size()
        return super().event(event)

    def _keep_least_size(self) -> None:
        # A screen of few pixels, or of large ones, may be smaller.
        room = self.screen().availableSize() - FRAME
        self.setMinimumSize(LEAST_SIZE.expandedTo(self.minimumSizeHint()).boundedTo(room))

    def showEvent(self, event: QShowEvent) -> None:
        """Keep within the screen with the frame too, once there is one."""
        super().showEvent(event)
        keep_on_screen_once_framed(self)

    def _on_screen(self, size: QSize) -> QSize:
        return size.boundedTo(self.screen().availableSize())

    def add_commands(self, handlers: Handlers, switches: Switches) -> None:
        """Have the commands of the table; called once, while the window is made."""
        self._commands_by_key = Actions(self, self._where, handlers, switches)

    def action(self, key: str) -> QAction:
        """Return the action of a command, by its name in the table."""
        return self._commands_by_key[key]

    @property
    def shared_actions(self) -> Sequence[QAction]:
        """The actions whose keys act in the windows beside this one, too."""
        return self._commands_by_key.shared

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Give the keys to what comes next, or before, where things lie in the window."""
        held, centre = self.focusWidget(), self.centralWidget()
        order = [] if centre is None else tab_order(centre)
        if not order:
            return False
        step = 1 if forward else -1
        index = order.index(held) + step if held in order else min(step, 0)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        order[index % len(order)].setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Act on plain keys that no control used."""
        if not self._commands_by_key.press(event):
            super().keyPressEvent(event)
