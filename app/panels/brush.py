"""The bar of the brush: what is painted, how thick, whether it teaches, and how to take it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QFrame, QHBoxLayout, QLabel, QSlider, QWidget

from app.focus import leave_keys
from app.panels.controls import Segmented, button, keep_wheel_off, named

THICKNESS = (2, 200)
"""Least and largest, pixels of the picture."""

BACKGROUND, FOREGROUND = 0, 1


class BrushBar(QFrame):
    """Controls of the brush with which people correct the mask; hidden while nobody paints.

    Signals
    -------
    changed(bool, int) : paint background (or foreground), so many pixels of the picture thick
    undo_requested(), forget_requested(), closed()
    """

    changed = Signal(bool, int)
    undo_requested = Signal()
    forget_requested = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(14, 6, 14, 6)
        self._rows.setSpacing(8)
        self.kind = Segmented(
            [
                ("Background", "What you paint is scene: it leaves the mask, is learnt, and stays out of the mask."),
                ("Foreground", "What you paint is foreground: it stays in the mask until it leaves; it is not learnt."),
            ],
            "Brush",
        )
        self.kind.setToolTip("Paint on the input or on the mask.")
        self.kind.chosen.connect(self._tell)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(*THICKNESS)
        self.slider.setValue(24)
        named(self.slider, "Brush size", "How thick the brush is, in pixels of the picture. ([ and ])")
        keep_wheel_off(self.slider)
        self.slider.valueChanged.connect(self._tell)
        self.thickness = QLabel()
        self.thickness.setMinimumWidth(self.fontMetrics().horizontalAdvance("200 px") + 4)
        self.learn = QCheckBox("Learn from it")
        self.learn.setChecked(True)
        leave_keys(self.learn)
        named(
            self.learn,
            "Learn from it",
            "On: the same mistake is corrected elsewhere and in other frames. Off: this frame only. (T)",
        )
        self.undo = button("Undo", "Undo", "Take the last step back: a stroke, or what was set since. (Ctrl+Z)")
        self.undo.clicked.connect(self.undo_requested)
        self.forget = button("Forget all", "Forget all strokes", "Remember nothing of what was painted on this input.")
        self.forget.clicked.connect(self.forget_requested)
        self.done = button("Done", "Done", "Put the brush away; what was painted is kept. (Esc)")
        self.done.clicked.connect(self.closed)
        self._what = _beside(QLabel("Paint"), self.kind, QLabel("Size"), self.slider, self.thickness, self.learn)
        self._then = _beside(self.undo, self.forget, self.done)
        self._rows.addWidget(self._what)
        self._rows.addWidget(self._then)
        self._tell()
        self.hide()

    @property
    def paints_background(self) -> bool:
        """Whether background is painted."""
        return self.kind.index == BACKGROUND

    @property
    def teaches(self) -> bool:
        """Whether strokes are learnt from; else each is for its frame only."""
        return self.learn.isChecked()

    def thicken(self, steps: int) -> None:
        """Make the brush thicker or thinner by a fifth for each step, by a pixel at least."""
        now = self.slider.value()
        self.slider.setValue(now + steps * max(1, round(0.2 * now)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Go on in a second row where one is too narrow."""
        super().resizeEvent(event)
        wide = self._what.sizeHint().width() + self._then.sizeHint().width() + 3 * self._rows.spacing()
        direction = QBoxLayout.Direction
        self._rows.setDirection(direction.LeftToRight if event.size().width() > wide else direction.TopToBottom)

    def _tell(self) -> None:
        self.thickness.setText(f"{self.slider.value()} px")
        self.changed.emit(self.paints_background, self.slider.value())


def _beside(*widgets: QWidget) -> QWidget:
    """Return widgets in a row, none narrower than it wants to be but sliders."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for widget in widgets:
        widget.ensurePolished()
        if not isinstance(widget, QSlider):
            widget.setMinimumWidth(widget.sizeHint().width())
        row.addWidget(widget)
    row.addStretch(1)
    return holder
