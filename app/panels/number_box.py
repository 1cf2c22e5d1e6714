"""A number that is typed, with its unit, or "auto"."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox

from app.focus import leave_space

if TYPE_CHECKING:
    from core.parameter import Parameter

DECIMALS = 20
"""That are kept, so that a default such as 10/255 stays what it is; a few are shown."""


class NumberBox(QDoubleSpinBox):
    """A number that is typed, with as many digits as it needs and its unit."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        leave_space(self)
        self._integer = parameter.kind is int
        self._automatic = self._is_known = False
        self.setDecimals(0 if self._integer else DECIMALS)
        self.setRange(float(parameter.low or 0), float(parameter.high or 1))
        unit = {"pixels": "px"}.get(parameter.unit, parameter.unit)
        self._suffix = f" {unit}" if unit else ""
        self.setSuffix(self._suffix)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setKeyboardTracking(False)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.lineEdit().setStyleSheet("padding: 0; border: none; background: transparent;")

    def set_automatic(self, on: bool, *, known: bool = False) -> None:
        """Show that the number is not the person's, until one is typed; "auto" where it is not ``known``."""
        if (on, known) != (self._automatic, self._is_known):
            self._automatic, self._is_known = on, known
            self.setSuffix("" if on and not known else self._suffix)
            self.setProperty("automatic", on)
            self.style().unpolish(self)
            self.style().polish(self)

    def textFromValue(self, value: float) -> str:
        """Return three significant digits, never an exponent."""
        if self._automatic and not self._is_known:
            return "auto"
        return f"{value:.0f}" if self._integer else format_number(value)


def format_number(value: float) -> str:
    """Return a number with three significant digits, such as 0.020, 5.0 or 120."""
    if value == 0:
        return "0"
    decimals = max(0, min(12, 2 - math.floor(math.log10(abs(value)))))
    text = f"{value:.{decimals}f}"
    if "." in text and decimals > 1:
        text = text.rstrip("0")
        text += "0" if text.endswith(".") else ""
    return text
