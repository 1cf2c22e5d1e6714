"""What a person can set: one number, switch or choice, and its range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.errors import CleanplateError, quoted

Value = float | int | bool | str | None
"""Value of a parameter; None means automatic."""

LONGEST_LIST = 100
"""Numbers in a list; no rank is larger."""

MOST_DIGITS = 9
"""Of a number in a list: more than any range has."""


def number(values: Mapping[str, Value], name: str) -> float:
    """Return the value of a parameter that is a number and never automatic."""
    return float(values[name] or 0)


def listed(value: object) -> tuple[int, ...]:
    """Return the whole numbers of a list such as "4,4,8"; none where it is no such list."""
    words = [word.strip() for word in str(value).split(",")]
    if not all(word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS for word in words):
        return ()
    return tuple(int(word) for word in words)


@dataclass(frozen=True)
class Parameter:
    """One number, switch or choice that a person can set.

    Attributes
    ----------
    name : str
        As on the command line.
    title : str
        Short label for a control.
    default : Value
        None: automatic.
    low, high : float, optional
        Inclusive range; None for switches and choices.
    help : str
        What it does, in one plain sentence.
    effect : str
        Which way it works, such as "lower: more foreground".
    unit : str
        Such as "frames" or "s"; empty for pure numbers.
    kind : type
        float, int, bool or str.
    choices : tuple of str
        For ``str``.
    is_list : bool
        For ``str`` without choices: whole numbers within the range, separated by commas, at most `LONGEST_LIST`.
    automatic : bool
        May it be None?
    live : bool
        May it change while the method runs? Otherwise a change starts the method anew.
    logarithmic : bool
        Should a slider move by ratios?
    advanced : bool
        Shown behind "More".
    acts_with : tuple of (str, tuple of Value)
        Names of other parameters, each with values of it: this one has an effect while one of them has such a value.
        Empty: it always has.
    """

    name: str
    title: str
    default: Value
    low: float | None = None
    high: float | None = None
    help: str = ""
    effect: str = ""
    unit: str = ""
    kind: type[float] | type[int] | type[bool] | type[str] = float
    choices: tuple[str, ...] = ()
    automatic: bool = False
    live: bool = True
    logarithmic: bool = False
    advanced: bool = False
    is_list: bool = False
    acts_with: tuple[tuple[str, tuple[Value, ...]], ...] = ()

    def acts(self, values: Mapping[str, Value]) -> bool:
        """Return whether it has an effect where these are the values of all parameters."""
        return not self.acts_with or any(values[name] in acting for name, acting in self.acts_with)

    def condition(self, titles: Mapping[str, str] | None = None) -> str:
        """Return where it has an effect, such as "h_penalty is lasso or ridge"; empty: everywhere.

        ``titles`` has what other parameters are called, where that is not their names.
        """
        titles = {} if titles is None else titles
        return " or ".join(f"{titles.get(name, name)} is {_either(acting)}" for name, acting in self.acts_with)

    def check(self, value: object) -> Value:
        """Return ``value`` as this parameter's type, or raise an error that says what is allowed."""
        if value is None or value == "auto":
            if self.automatic:
                return None
            raise CleanplateError(f"{self.name} cannot be automatic; {self.allowed}.")
        if self.kind is bool:
            lowered = str(value).lower()
            if lowered in {"true", "on", "yes", "1"}:
                return True
            if lowered in {"false", "off", "no", "0"}:
                return False
        elif self.is_list:
            numbers = listed(value)
            if 0 < len(numbers) <= LONGEST_LIST and all(self._is_in_range(number) for number in numbers):
                return ",".join(map(str, numbers))
        elif self.kind is str:
            if str(value) in self.choices:
                return str(value)
        else:
            try:
                number = float(str(value))
            except ValueError:
                number = float("nan")
            if np.isfinite(number) and self._is_in_range(number) and (self.kind is float or number == int(number)):
                return int(number) if self.kind is int else number
        raise CleanplateError(f"{self.name} cannot be {quoted(value)}; {self.allowed}.")

    def _is_in_range(self, number: float) -> bool:
        return (self.low is None or number >= self.low) and (self.high is None or number <= self.high)

    @property
    def allowed(self) -> str:
        """What values are allowed, as the end of a sentence."""
        if self.kind is bool:
            text = "it is on or off"
        elif self.is_list:
            numbers = f"up to {LONGEST_LIST} whole numbers from {self.low:.10g} to {self.high:.10g}"
            text = f"it is {numbers}, with commas between them"
        elif self.kind is str:
            text = "it is one of " + ", ".join(self.choices)
        else:
            what = "a whole number" if self.kind is int else "a number"
            text = f"it is {what} from {self.low:.10g} to {self.high:.10g}" + (f" {self.unit}" if self.unit else "")
        return text + (", or auto" if self.automatic else "")


def _either(values: tuple[Value, ...]) -> str:
    """Return values that may be, as words; what is automatic is left out, as it may come to one of the others."""
    words = ["on" if value is True else str(value) for value in values if value is not None]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
