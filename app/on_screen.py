"""Windows that lie on the screen with their frame, whose height is known once the desktop has drawn it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QTimer
from PySide6.QtWidgets import QWidget

FRAMED_MS = 100, 500
"""Milliseconds after a window is shown at which it has its frame: on most desktops, and on a busy one."""


def room_of(window: QWidget) -> QRect:
    """Return where on its screen a window may lie so that its frame, as far as that is known, does too."""
    screen, handle = window.screen().availableGeometry(), window.windowHandle()
    return screen if handle is None else screen.marginsRemoved(handle.frameMargins())


def fit_to_screen(window: QWidget) -> None:
    """Make a window that is about to be shown no larger than the screen has room for, where its contents let it."""
    window.resize(window.size().boundedTo(room_of(window).size()))


def keep_on_screen(window: QWidget) -> None:
    """Make a window no larger than the screen has room for, and move what hangs over an edge back."""
    room = room_of(window)
    size = window.size().boundedTo(room.size())
    lies = QRect(window.geometry().topLeft(), size)
    lies.moveRight(min(lies.right(), room.right()))
    lies.moveBottom(min(lies.bottom(), room.bottom()))
    lies.moveLeft(max(lies.left(), room.left()))
    lies.moveTop(max(lies.top(), room.top()))
    if lies != window.geometry():
        window.setGeometry(lies)


def keep_on_screen_once_framed(window: QWidget) -> None:
    """Keep a window that is being shown on the screen, as soon as it has its frame.

    One that the desktop has maximised stays as it is, and so does one that was made larger than the screen.
    """
    for ms in FRAMED_MS:
        # Not a filter of the events of the desktop's window: that one may end before what filters them.
        QTimer.singleShot(ms, window, lambda: _keep(window))


def _keep(window: QWidget) -> None:
    screen = window.screen().availableSize()
    is_free = window.isVisible() and not window.isMaximized() and not window.isFullScreen()
    if is_free and window.size().boundedTo(screen) == window.size():
        keep_on_screen(window)
