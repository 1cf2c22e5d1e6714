"""Windows that lie on the screen with their frame, whose height is known once the desktop has drawn it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtWidgets import QWidget


def room_of(window: QWidget) -> QRect:
    """Return where on its screen a window may lie so that its frame, as far as that is known, does too."""
    screen, handle = window.screen().availableGeometry(), window.windowHandle()
    return screen if handle is None else screen.marginsRemoved(handle.frameMargins())


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


class FrameWatch(QObject):
    """Keeps a window on the screen as soon as it has its frame: with its first picture, not while it is being shown.

    One that the desktop has maximised stays as it is, and so does one that was made larger than the screen.

    Parameters
    ----------
    window : QWidget
        It calls `begin` when it is shown.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window

    def begin(self) -> None:
        """Wait for the frame."""
        handle = self._window.windowHandle()
        if handle is not None:
            handle.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Act once on the first picture."""
        if event.type() == QEvent.Type.Expose:
            watched.removeEventFilter(self)
            screen = self._window.screen().availableSize()
            is_free = not self._window.isMaximized() and not self._window.isFullScreen()
            if is_free and self._window.size().boundedTo(screen) == self._window.size():
                keep_on_screen(self._window)
        return False
