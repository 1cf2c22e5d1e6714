"""A number that is typed, with its unit, or "auto"."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox

from app.focus import leave_space

if TYPE_CHECKING:
    from core.parameter import Parameter

DECIMALS = 20
"""That are kept, so that a default such as 10/255 stays what it is; a few are shown."""

SHORT_UNITS = {"pixels": "px", "% of the height": "% height", "% of width": "% width"}
"""Units as there is room for them beside a number and its name."""

FINE = 1.23
"""Times the least number gives one that needs all the digits that are shown."""


class NumberBox(QDoubleSpinBox):
    """A number that is typed, with as many digits as it needs and its unit."""

    def __init__(self, parameter: Parameter) -> None:
        super().__init__()
        leave_space(self)
        self._integer = parameter.kind is int
        self._automatic = self._is_known = False
        self.setDecimals(0 if self._integer else DECIMALS)
        self.setRange(float(parameter.low or 0), float(parameter.high or 1))
        unit = SHORT_UNITS.get(parameter.unit, parameter.unit)
        self._suffix = f" {unit}" if unit else ""
        self.setSuffix(self._suffix)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setKeyboardTracking(False)
        self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)

    def set_automatic(self, on: bool, *, known: bool = False) -> None:
        """Show that the number is not the person's, until one is typed; "auto" where it is not ``known``."""
        if (on, known) != (self._automatic, self._is_known):
            self._automatic, self._is_known = on, known
            self.setSuffix("" if on and not known else self._suffix)
            self.setProperty("automatic", on)
            self.style().unpolish(self)
            self.style().polish(self)

    def sizeHint(self) -> QSize:
        """Return room for all digits of the smallest numbers; Qt measures the ends of the range alone."""
        return self._with_digits(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        """Return the same: a number that is cut reads as another one."""
        return self._with_digits(super().minimumSizeHint())

    def _with_digits(self, size: QSize) -> QSize:
        metrics, least = self.fontMetrics(), self.minimum()
        more = 0 if self._integer else metrics.horizontalAdvance(self.textFromValue(FINE * least))
        return QSize(size.width() + max(0, more - metrics.horizontalAdvance(self.textFromValue(least))), size.height())

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
