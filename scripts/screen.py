"""What is on the screen, and where: asked on the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QSlider, QStyle, QStyleOptionSlider, QWidget

Answer = TypeVar("Answer")

RING_PX = 15


def windows_shown() -> list[QWidget]:
    """Return the windows on the screen, dialogs last; no menus and tips."""
    kinds = (Qt.WindowType.Window, Qt.WindowType.Dialog)
    shown = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w.windowType() in kinds]
    return sorted(shown, key=lambda window: isinstance(window, QDialog))


def in_file_dialog(question: Callable[[QLineEdit], Answer]) -> Answer | None:
    """Return what a question to the field of the file dialog gives; None where no such dialog is open.

    What Python holds of a dialog of Qt's own ends with the dialog's name here, so the field is never handed out.
    """
    dialog = QApplication.activeModalWidget()
    field = None if dialog is None else dialog.findChild(QLineEdit, "fileNameEdit")
    return None if field is None else question(field)


def point_of(widget: QWidget, right: float, down: float) -> QPoint:
    """Return a point of a widget on the screen; what holds it is scrolled until it can be seen."""
    if not widget.isVisible():
        raise LookupError(f"{widget.accessibleName() or widget} is not on the screen")
    parent = widget.parentWidget()
    while parent is not None:
        if hasattr(parent, "ensureWidgetVisible"):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()
    return widget.mapToGlobal(QPoint(round(right * (widget.width() - 1)), round(down * (widget.height() - 1))))


def handle_of(slider: QSlider) -> tuple[float, float]:
    """Return where the middle of a slider's handle is, as parts of its width and height."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    parts = QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle
    return slider.style().subControlRect(*parts, slider).center().x() / (slider.width() - 1), 0.5


def screen_image(ring: QPoint | None) -> QImage:
    """Return the screen; the dialog in use gets an outline, as a window manager would give it a frame."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    image = application.primaryScreen().grabWindow(0).toImage()
    painter = QPainter(image)
    top = QApplication.activeModalWidget() or QApplication.activeWindow()
    if isinstance(top, QDialog):
        painter.setPen(QPen(QColor(128, 128, 128), 2))
        painter.drawRect(QRect(top.mapToGlobal(QPoint(0, 0)), top.size()))
    if ring is not None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(255, 140, 0), 3))
        painter.drawEllipse(ring, RING_PX, RING_PX)
    painter.end()
    return image
