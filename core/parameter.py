"""What a person can set: one number, switch or choice, and its range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.errors import CleanplateError, quoted

Value = float | int | bool | str | None
"""Value of a parameter; None means automatic."""


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
    automatic : bool
        May it be None?
    live : bool
        May it change while the method runs? Otherwise a change starts the method anew.
    logarithmic : bool
        Should a slider move by ratios?
    advanced : bool
        Shown behind "More".
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
        elif self.kind is str:
            if str(value) in self.choices:
                return str(value)
        else:
            try:
                number = float(str(value))
            except ValueError:
                number = float("nan")
            in_range = (self.low is None or number >= self.low) and (self.high is None or number <= self.high)
            if np.isfinite(number) and in_range and (self.kind is float or number == int(number)):
                return int(number) if self.kind is int else number
        raise CleanplateError(f"{self.name} cannot be {quoted(value)}; {self.allowed}.")

    @property
    def allowed(self) -> str:
        """What values are allowed, as the end of a sentence."""
        if self.kind is bool:
            text = "it is on or off"
        elif self.kind is str:
            text = "it is one of " + ", ".join(self.choices)
        else:
            what = "a whole number" if self.kind is int else "a number"
            text = f"it is {what} from {self.low:.10g} to {self.high:.10g}" + (f" {self.unit}" if self.unit else "")
        return text + (", or auto" if self.automatic else "")
