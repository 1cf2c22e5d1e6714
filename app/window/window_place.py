"""Where a window beside the main one lies: not over what it is about, until a person has moved it; then there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QMargins, QObject, QPoint, QRect, QSize, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.on_screen import FRAMED_MS

if TYPE_CHECKING:
    from app.window.settings import Remembered

RESTS_MS = max(FRAMED_MS) + 100
"""Milliseconds after a window is shown at which the desktop has given it its place: what moves it then is a person."""

LEAST_FRAME = QMargins(6, 20, 6, 6)
"""What desktops draw around a window, pixels: one that is maximised, or fills the screen, does not show it."""


class WindowPlace(QObject):
    """Gives a window its place, and remembers the one that a person has given it.

    Parameters
    ----------
    name : str
        Under which it is remembered.
    window : QWidget
        It lives as long as this.
    remembered : Remembered
    free : callable
        ``free(size, least)`` returns where it lies while nobody has moved it: as large as ``size`` where there is room,
        and never smaller than ``least``.

    Signals
    -------
    changed() : another place is remembered
    """

    changed = Signal()

    def __init__(
        self, name: str, window: QWidget, remembered: Remembered, free: Callable[[QSize, QSize], QRect]
    ) -> None:
        super().__init__(window)
        self._name, self._window, self._remembered, self._free = name, window, remembered, free
        self._size = window.size()
        self._given: QRect | None = None
        self._rests = QTimer(self, singleShot=True, interval=RESTS_MS)
        self._rests.timeout.connect(self._on_rest)
        window.installEventFilter(self)

    def give(self) -> None:
        """Lay the window where it belongs; it is about to be shown."""
        known = self._remembered.windows.get(self._name, "")
        if known and self._window.restoreGeometry(QByteArray.fromHex(known.encode("ascii"))):
            return
        self._window.setGeometry(self._free(self._size, self._window.minimumSizeHint()))

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Look where the window is once it rests, and as it goes."""
        if event.type() == QEvent.Type.Show and not event.spontaneous():
            self._given = None
            self._rests.start()
        elif event.type() == QEvent.Type.Hide and not event.spontaneous():
            self._rests.stop()
            if self._given is not None and self._window.geometry() != self._given:
                place = self._window.saveGeometry().toHex().toStdString()
                self._remembered.windows = {**self._remembered.windows, self._name: place}
                self.changed.emit()
        return False

    def _on_rest(self) -> None:
        self._given = self._window.geometry()


def place_beside(window: QWidget, centre: QWidget | None, size: QSize, least: QSize) -> QRect:
    """Return where another window lies beside this one or, where the screen has no room for that, beside its centre.

    Parameters
    ----------
    window : QWidget
    centre : QWidget or None
        What of the window is looked at meanwhile.
    size, least : QSize
        See `free_place`.
    """
    handle = window.windowHandle()
    frame = LEAST_FRAME if handle is None else LEAST_FRAME | handle.frameMargins()
    around = QMargins(frame.right(), frame.bottom(), frame.left(), frame.top())  # Its title lies over it.
    spared = [window.frameGeometry()]
    if centre is not None:
        spared.append(QRect(centre.mapToGlobal(QPoint()), centre.size()))
    room = window.screen().availableGeometry().marginsRemoved(frame)
    return free_place(size, least, room, [one.marginsAdded(around) for one in spared])


def free_place(size: QSize, least: QSize, room: QRect, spared: Sequence[QRect]) -> QRect:
    """Return where a window covers none of what is spared, as large as it can be there.

    Parameters
    ----------
    size, least : QSize
        As large as it would be, and as small as it may be.
    room : QRect
        Where it may lie.
    spared : sequence of QRect
        What it does not cover, the largest first: the first that leaves room is heeded. Where none does, it lies in the
        lower right corner as low as it may be, over as little as it can.
    """
    for there in spared:
        fitting = [strip for strip in _strips_around(there, room) if strip.size().boundedTo(least) == least]
        if fitting:
            strip = max(fitting, key=lambda one: _area(one.size().boundedTo(size)))
            return _beside(there, strip, size.boundedTo(strip.size()))
    placed = QRect(room.topLeft(), QSize(size.width(), least.height()).boundedTo(room.size()))
    placed.moveBottomRight(room.bottomRight())
    return placed


def _strips_around(there: QRect, room: QRect) -> list[QRect]:
    """Return what of the room lies right of, below, left of and above what is there."""
    right, below, left, above = (QRect(room) for _ in range(4))
    right.setLeft(there.right() + 1)
    below.setTop(there.bottom() + 1)
    left.setRight(there.left() - 1)
    above.setBottom(there.top() - 1)
    return [strip.intersected(room) for strip in (right, below, left, above)]


def _area(size: QSize) -> int:
    return size.width() * size.height()


def _beside(there: QRect, strip: QRect, size: QSize) -> QRect:
    """Return a place in a strip that touches what lies there, its top or its right side in line with that's."""
    placed = QRect(strip.topLeft(), size)
    placed.moveLeft(min(max(there.right() + 1 - size.width(), strip.left()), strip.right() + 1 - size.width()))
    placed.moveTop(min(max(there.top(), strip.top()), strip.bottom() + 1 - size.height()))
    return placed
