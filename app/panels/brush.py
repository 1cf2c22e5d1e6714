"""The bar of the brush: what is painted, how thick, and how to take it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSlider

from app.panels.controls import Segmented, button, keep_wheel_off, named

THICKNESS = (2, 200)
"""Least and largest, pixels of the picture."""

BACKGROUND, FOREGROUND = 0, 1


class BrushBar(QFrame):
    """Controls of the brush with which people correct the mask; hidden while nobody paints.

    Signals
    -------
    changed(bool, int) : paint background (or foreground), so many pixels of the picture thick
    undo_requested(), closed()
    """

    changed = Signal(bool, int)
    undo_requested = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 14, 6)
        row.setSpacing(10)
        row.addWidget(QLabel("Paint on the input or the mask:"))
        self.kind = Segmented(
            [
                ("Background", "What you paint is scene: it leaves the mask, is learnt, and stays out of the mask."),
                (
                    "Foreground",
                    "What you paint is foreground: it stays in the mask until it leaves; it is not learnt.",
                ),
            ],
            "Brush",
        )
        self.kind.chosen.connect(self._tell)
        row.addWidget(self.kind)
        row.addWidget(QLabel("Size"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(*THICKNESS)
        self.slider.setValue(24)
        self.slider.setMinimumWidth(90)
        named(self.slider, "Brush size", "How thick the brush is, in pixels of the picture. ([ and ])")
        keep_wheel_off(self.slider)
        self.slider.valueChanged.connect(self._tell)
        row.addWidget(self.slider)
        self.thickness = QLabel()
        self.thickness.setMinimumWidth(self.fontMetrics().horizontalAdvance("200 px"))
        row.addWidget(self.thickness)
        row.addStretch(1)
        self.undo = button("Undo stroke", "Undo stroke", "Take the last stroke back. (Ctrl+Z)")
        self.undo.clicked.connect(self.undo_requested)
        row.addWidget(self.undo)
        self.done = button("Done", "Done", "Put the brush away; what was painted is kept. (Esc)")
        self.done.clicked.connect(self.closed)
        row.addWidget(self.done)
        self._tell()
        self.hide()

    @property
    def paints_background(self) -> bool:
        """Whether background is painted."""
        return self.kind.index == BACKGROUND

    def thicken(self, steps: int) -> None:
        """Make the brush thicker or thinner by a fifth for each step, by a pixel at least."""
        now = self.slider.value()
        self.slider.setValue(now + steps * max(1, round(0.2 * now)))

    def _tell(self) -> None:
        self.thickness.setText(f"{self.slider.value()} px")
        self.changed.emit(self.paints_background, self.slider.value())
