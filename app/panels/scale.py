"""Which place of a slider stands for which value of a parameter: evenly or by ratios, in round numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.parameter import Parameter

STEPS = 1000
"""About as many places has a slider, unless the parameter has fewer whole numbers."""

KEY_STEP = 10
"""Places that the arrow keys move it by: about a hundredth of its way. Page keys go ten times as far."""

LEAST_RATIO = 1e-4
"""Where a logarithmic slider of a range from 0 begins, as a part of the largest value; of whole numbers, at 1."""

REST = 0.4
"""Where a slider stands while the method chooses, as a part of its way."""


class Scale:
    """The places of a parameter's slider, from 0 to ``steps``.

    Parameters
    ----------
    parameter : Parameter
        A number; its range, and whether it goes by ratios.

    Attributes
    ----------
    steps : int
        The last place.
    key_step, page_step : int
        Places that arrow keys and page keys move it by. With the arrow keys whole numbers of a short range change by
        one, others that go evenly by a number such as 1, 0.2 or 500.
    """

    def __init__(self, parameter: Parameter) -> None:
        self._kind, self._by_ratio = parameter.kind, parameter.logarithmic
        self._low, self._high = float(parameter.low or 0), float(parameter.high or 1)
        least = 1.0 if parameter.kind is int else self._high * LEAST_RATIO
        self._floor = self._low if self._low > 0 else least
        span = self._high - self._low
        if parameter.kind is int and not parameter.logarithmic and span <= STEPS:
            self.steps, self.key_step = int(span), 1
            self.page_step = max(1, self.steps // 10)
        else:
            self.steps = STEPS if parameter.logarithmic else round(KEY_STEP * span / _plain(span * KEY_STEP / STEPS))
            self.key_step, self.page_step = KEY_STEP, 10 * KEY_STEP

    @property
    def rest(self) -> float:
        """The value shown while the method chooses."""
        return self._value(REST)

    def step_of(self, value: float) -> int:
        """Return the place that stands for a value."""
        if not self._by_ratio:
            position = (value - self._low) / (self._high - self._low)
        elif value < self._floor:
            position = 0.0
        else:
            position = math.log(value / self._floor) / math.log(self._high / self._floor)
        return round(self.steps * position)

    def value_at(self, step: int) -> float:
        """Return the value that a place stands for, in three significant digits."""
        return self._value(step / self.steps)

    def _value(self, position: float) -> float:
        if self._by_ratio:
            value = self._floor * (self._high / self._floor) ** position if position > 0 else self._low
            value = value if self._kind is int else float(f"{value:.3g}")
        else:
            value = self._low + (self._high - self._low) * position
            digits = max(0, 3 - math.ceil(math.log10(self._high - self._low))) if self._high > self._low else 3
            value = round(value, digits)
        if self._kind is int:
            value = round(value) if value < 100 else float(f"{value:.3g}")
        return min(max(value, self._low), self._high)


def _plain(number: float) -> float:
    """Return that of 1, 2 and 5, and of these times powers of ten, which is nearest to a number by its ratio."""
    ten = 10.0 ** math.floor(math.log10(number))
    return min((part * ten for part in (1, 2, 5, 10)), key=lambda plain: abs(math.log(plain / number)))
