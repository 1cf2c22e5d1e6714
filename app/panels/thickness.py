"""How thick a brush is, on a slider."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSlider

from app.focus import leave_ends
from app.panels.controls import keep_wheel_off, named

RANGE = (2, 200)
"""Least and largest, pixels of the picture."""

USUAL = 24
"""To begin with."""


class ThicknessSlider(QSlider):
    """Sets how thick a brush is, in pixels of the picture; ``name`` says which brush.

    Attributes
    ----------
    words : QLabel
        Says it in words, to stand beside.
    """

    def __init__(self, name: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(*RANGE)
        self.setValue(USUAL)
        named(self, name, "How thick the brush is, in pixels of the picture. ([ and ])")
        keep_wheel_off(self)
        leave_ends(self)
        self.words = QLabel()
        self.words.setMinimumWidth(self.words.fontMetrics().horizontalAdvance(f"{RANGE[1]} px") + 4)
        self.valueChanged.connect(self._say)
        self._say()

    def _say(self) -> None:
        self.words.setText(f"{self.value()} px")

    def thicken(self, steps: int) -> None:
        """Make the brush thicker or thinner by a fifth for each step, by a pixel at least."""
        now = self.value()
        self.setValue(now + steps * max(1, round(0.2 * now)))
