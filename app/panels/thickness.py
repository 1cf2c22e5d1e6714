"""How thick a brush is, on a slider."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider

from app.focus import leave_ends
from app.panels.controls import keep_wheel_off, named

RANGE = (2, 200)
"""Least and largest, pixels of the picture."""

USUAL = 24
"""To begin with."""


class ThicknessSlider(QSlider):
    """Sets how thick a brush is, in pixels of the picture; ``name`` says which brush."""

    def __init__(self, name: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(*RANGE)
        self.setValue(USUAL)
        named(self, name, "How thick the brush is, in pixels of the picture. ([ and ])")
        keep_wheel_off(self)
        leave_ends(self)

    def thicken(self, steps: int) -> None:
        """Make the brush thicker or thinner by a fifth for each step, by a pixel at least."""
        now = self.value()
        self.setValue(now + steps * max(1, round(0.2 * now)))
