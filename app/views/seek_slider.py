"""The slider of the timeline."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QSlider, QStyle, QStyleOptionSlider, QWidget

from app.focus import leave_ends, leave_keys

_OWN_KEYS: frozenset[int] = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown})


class SeekSlider(QSlider):
    """A slider on which a click goes to the frame under the pointer.

    Home and End are the window's, and so are arrow keys after a click; reached with the Tab key, they move it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        leave_keys(self)
        leave_ends(self)

    def value_at(self, x: float) -> int:
        """Return the value at a point of the slider."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
        )
        room = self.width() - handle.width()
        return QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), round(x - handle.width() / 2), room)

    @property
    def margin(self) -> int:
        """Pixels on either side that stand for no value of their own: half of the handle."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = QStyle.SubControl.SC_SliderHandle
        return self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, handle, self).width() // 2

    def event(self, event: QEvent) -> bool:
        """Keep the keys that move the slider from the window's shortcuts while it has the focus."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_own(event):
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the pointer and take hold."""
        if event.button() is Qt.MouseButton.LeftButton and self.isEnabled():
            self.setSliderDown(True)
            self.setSliderPosition(self.value_at(event.position().x()))
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer."""
        if self.isSliderDown():
            self.setSliderPosition(self.value_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSliderDown(False)


def _is_own(event: QKeyEvent) -> bool:
    return event.key() in _OWN_KEYS and not event.modifiers()
