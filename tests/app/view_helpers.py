"""Real reports and real mouse events for the tests of the views."""

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from app.engine.saver import Saver
from core.frames.frame import frame_from_image
from core.frames.split import DenseSplit
from core.session.report import Report

HEIGHT, WIDTH = 90, 120
SQUARE = (slice(30, 60), slice(40, 80))


def make_report(*, dtype=np.uint8, colour=True, bit_depth=None, size=(HEIGHT, WIDTH), seed=0):
    """Return the report of a frame with a dark rectangle (the foreground) on a ramp (the background).

    In the rectangle the input is 10 (2560 in 16 bits), behind it 200 (51200); elsewhere both are a ramp from 40 up.
    """
    height, width = size
    unit = 1 if dtype == np.uint8 else 256
    ramp = np.broadcast_to(40 + np.arange(width) * 150 // width, (height, width)) + seed
    rows, columns = slice(height // 3, height * 2 // 3), slice(width // 3, width * 2 // 3)
    still = ramp.copy()
    still[rows, columns] = 200
    seen = ramp.copy()
    seen[rows, columns] = 10
    if colour:
        still, seen = (np.stack([plane, plane + 1, plane + 2], axis=-1) for plane in (still, seen))
    frame = frame_from_image(3, 0.1, (seen * unit).astype(dtype), bit_depth=bit_depth)
    behind = frame_from_image(3, 0.1, (still * unit).astype(dtype), bit_depth=bit_depth).values
    background = behind / np.float32(frame.layout.white)
    mask = np.zeros((height, width), np.uint8)
    mask[rows, columns] = 255
    split = DenseSplit(background, frame.values / np.float32(frame.layout.white) - background, None, np.ones(2), 1.0)
    return Report(frame, split, mask, 0, 1, 4, 10, 0.01, {"decode": 1.0, "step": 1.0, "mask": 1.0})


def exposed(qtbot, widget, width, height):
    """Show a widget in a size, and return it when it is there."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def mouse(widget, kind, at, button=Qt.MouseButton.LeftButton, held=None):
    """Send a mouse event to a widget at a point of it."""
    point = QPointF(*at)
    held = (Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else button) if held is None else held
    pressed = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else button
    event = QMouseEvent(kind, point, widget.mapToGlobal(point), pressed, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)


def drag(widget, start, end):
    """Press at a point, move to another, release."""
    mouse(widget, QEvent.Type.MouseButtonPress, start)
    middle = tuple((a + b) / 2 for a, b in zip(start, end, strict=True))
    for at in (middle, end):
        mouse(widget, QEvent.Type.MouseMove, at, held=Qt.MouseButton.LeftButton)
    mouse(widget, QEvent.Type.MouseButtonRelease, end, held=Qt.MouseButton.NoButton)


def hover(widget, at):
    """Move the pointer over a widget."""
    mouse(widget, QEvent.Type.MouseMove, at)


def rgb(image, at):
    """Return the colour of a grabbed picture at a point."""
    colour = image.pixelColor(round(at.x()), round(at.y()))
    return colour.red(), colour.green(), colour.blue()


def keeps(widget, key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Tell whether a widget that has the focus keeps a key from the window's shortcuts."""
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def saver_of(view):
    """Return what writes the files that are wanted of a view, as a window does: on a thread of its own."""
    saver = Saver(view)
    view.save_requested.connect(lambda wanted: saver.save(wanted.path, wanted.write))
    return saver
