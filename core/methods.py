"""What a method is, what one step gives, and how its parameters are described."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frame import Layout, Values

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
    kind: type = float
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
                return self.kind(number)
        raise CleanplateError(f"{self.name} cannot be {value!s}; {self.allowed}.")

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


class Split(Protocol):
    """What one step made of one vector ``v``. Nothing in it is written again."""

    @property
    def background(self) -> NDArray[np.float32]:
        """``W h`` (F,), units of white."""

    @property
    def residual(self) -> NDArray[np.float32]:
        """``v − W h`` (F,), units of white."""

    @property
    def outliers(self) -> NDArray[np.float32] | None:
        """``r`` (F,), units of white; None where the method has none."""

    @property
    def h(self) -> NDArray[np.float64]:
        """Coefficients (K,)."""

    @property
    def objective(self) -> float:
        """The method's loss of this vector."""

    @property
    def iterations(self) -> int:
        """Inner iterations spent."""

    def samples(self, layout: Layout) -> Values:
        """Return the background (F,) rounded to samples of ``layout``, as it is shown and saved."""


@dataclass(frozen=True)
class DenseSplit:
    """A split whose arrays were all computed; see `Split` for what they are."""

    background: NDArray[np.float32]
    residual: NDArray[np.float32]
    outliers: NDArray[np.float32] | None
    h: NDArray[np.float64]
    objective: float
    iterations: int = 1

    def samples(self, layout: Layout) -> Values:
        """Return the background (F,) rounded to samples of ``layout``, as it is shown and saved."""
        return layout.quantise(self.background)


@dataclass(frozen=True)
class MaskedSplit(DenseSplit):
    """A split of a method that makes its own masks, which then are taken as they are.

    Attributes
    ----------
    mask : (H, W) uint8
        255 foreground, 0 background.
    """

    mask: NDArray[np.uint8] = field(kw_only=True)


class WarmUp(NamedTuple):
    """How far a method's start is: its first ``n_done`` of ``n_frames`` frames were seen."""

    n_done: int
    n_frames: int


class Method(Protocol):
    """A factorization that learns from one vector after another."""

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (F, K) in units such that ``W @ h`` is a vector in units of white. A view: copy to keep."""

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""

    @property
    def warming(self) -> WarmUp | None:
        """How far its start is; None where it has none, or it is over."""

    def step(self, v: Values | NDArray[np.float32]) -> Split:
        """Learn from a vector and split it with the dictionary as it was before.

        Parameters
        ----------
        v : (F,)
            Samples as decoded (integers), or float32 in units of white.
        """

    def transform(self, v: Values | NDArray[np.float32]) -> Split:
        """Split a vector; learn nothing."""

    def shield(self, foreground: NDArray[np.uint8]) -> None:
        """Let the pixels that are not 0 in ``foreground`` (H, W) teach nothing, until told otherwise."""

    def adopt(self, v: Values | NDArray[np.float32], where: NDArray[np.bool_]) -> None:
        """Take a vector (F,) as background at the values ``where`` (F,), as if it had been seen there for long."""

    def set(self, name: str, value: Value) -> None:
        """Change a live parameter; takes effect at the next step."""

    def drop(self, k: int) -> None:
        """Go on without column ``k`` of the dictionary; the rank becomes one less. At least one column stays."""

    def state(self) -> dict[str, NDArray]:
        """Return the arrays that `load` needs to go on; copies."""

    def load(self, state: Mapping[str, NDArray]) -> None:
        """Take up a state of the same layout."""


class Unguided:
    """Part of methods that learn as their papers say, whatever a mask finds."""

    @property
    def warming(self) -> WarmUp | None:
        """No start to be waited for."""
        return None

    def shield(self, foreground: NDArray[np.uint8]) -> None:
        """Do nothing: outliers are the method's own affair."""

    def adopt(self, v: Values | NDArray[np.float32], where: NDArray[np.bool_]) -> None:
        """Do nothing: the background is what the method learns."""


@dataclass(frozen=True)
class MethodRow:
    """One row of the catalogue.

    Attributes
    ----------
    key, title, paper : str
        Name on the command line, name for people, and where it comes from.
    summary : str
        One plain sentence.
    parameters : tuple of Parameter
    build : callable
        ``build(layout, values, seed)`` makes a fresh method; ``values`` holds every parameter.
    kind : str
        ``"online"``, ``"batch"`` or ``"reference"``.
    for_video : bool
        Made for one scene that changes with time: it works in the planes that video decodes to, chroma counting from
        neutral, and goes on learning in the last pass. Others see colour as RGB, and what earlier passes learnt is
        applied to all frames alike in the last one.
    """

    key: str
    title: str
    paper: str
    summary: str
    parameters: tuple[Parameter, ...]
    build: Callable[[Layout, Mapping[str, Value], int], Method] = field(repr=False)
    kind: str = "online"
    for_video: bool = False

    def defaults(self) -> dict[str, Value]:
        """Return the default of every parameter."""
        return {p.name: p.default for p in self.parameters}
