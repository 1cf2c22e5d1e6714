"""What an object saves, declared: the arrays of a file are held against it before anything is made of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import quoted

LARGEST = 1e12
"""Of what is learnt: coefficients stay below 1e5 where basis images have norm 1; this leaves room for others, and the
squares of it to float32."""

State = Mapping[str, NDArray[np.generic]]


class MisfitError(ValueError):
    """An array is not what is saved: the message says which, and why, as part of a sentence."""


@dataclass(frozen=True)
class Range:
    """What numbers may be.

    Attributes
    ----------
    low, high : float
        Inclusive.
    is_whole : bool
        No fractions.
    or_infinite : bool
        Positive infinity is allowed too: nothing is known yet.
    """

    low: float
    high: float
    is_whole: bool = False
    or_infinite: bool = False

    def misfit(self, values: NDArray[Any]) -> str | None:
        """Return what is wrong with numbers, as the end of a sentence."""
        if not values.size:
            return None
        if self.or_infinite and not (values := values[~np.isposinf(values)]).size:
            return None
        low, high = float(values.min()), float(values.max())
        if not math.isfinite(low + high):  # The extremes of what holds a NaN are NaN.
            return "holds what is no finite number"
        for wrong, is_wrong in ((low, low < self.low), (high, high > self.high)):
            if is_wrong:
                return f"holds {wrong:.4g}, and may be from {self.low:.4g} to {self.high:.4g}"
        if self.is_whole and values.dtype.kind == "f" and (values != np.floor(values)).any():
            return "holds fractions, and may hold whole numbers only"
        return None


FREE = Range(-LARGEST, LARGEST)
NONNEGATIVE = Range(0, LARGEST)
SUMS = Range(-(LARGEST**2), LARGEST**2)
"""Sums of products of what is learnt."""
NONNEGATIVE_SUMS = Range(0, LARGEST**2)
COUNT = Range(0, 2**53, is_whole=True)
LEARNT_COUNT = Range(1, 2**53, is_whole=True)
"""Of what is saved only once something was learnt."""
SWITCH = Range(0, 1, is_whole=True)
SAMPLES = Range(0, 1.001)
"""Samples in units of white; the division rounds."""


@dataclass(frozen=True)
class ArraySpec:
    """What one array is.

    Attributes
    ----------
    dtype : type
    shape : tuple of int or str
        Sizes, or names of sizes: the same name, the same size.
    ranges : tuple of Range
        One for all, or one for each entry of the last axis.
    signed_from : int, optional
        From this entry of the last axis on numbers may also be negative.
    """

    dtype: type[np.generic]
    shape: tuple[int | str, ...]
    ranges: tuple[Range, ...] = (FREE,)
    signed_from: int | None = None

    def misfit(self, array: NDArray[np.generic]) -> str | None:
        """Return what is wrong with the contents of an array, as the end of a sentence; its shape is right."""
        values = array.view(np.uint8) if array.dtype == np.bool_ else array
        if len(self.ranges) > 1:
            parts = [(range_, values[..., i]) for i, range_ in enumerate(self.ranges[: values.shape[-1]])]
        elif self.signed_from is not None:
            (range_,) = self.ranges
            signed = Range(-range_.high, range_.high)
            parts = [(range_, values[..., : self.signed_from]), (signed, values[..., self.signed_from :])]
        else:
            parts = [(self.ranges[0], values)]
        return next((text for range_, part in parts if (text := range_.misfit(part))), None)


Agreement = Callable[[State], str | None]
"""From the arrays to what is wrong with them together, as part of a sentence."""


@dataclass(frozen=True)
class StateSchema:
    """Which arrays an object saves.

    Attributes
    ----------
    arrays : mapping
        What each one is, by name.
    sizes : mapping
        What the named sizes may be. Those not listed may be anything.
    together : tuple of frozenset of str
        Arrays of which all are there, or none: what was never learnt is not saved.
    agreements : tuple of callable
        What arrays say of each other. Asked where all else is right.
    """

    arrays: Mapping[str, ArraySpec]
    sizes: Mapping[str, Collection[int]] = field(default_factory=dict)
    together: tuple[frozenset[str], ...] = ()
    agreements: tuple[Agreement, ...] = ()

    def check_declared(self, declared: Mapping[str, tuple[np.dtype[Any], tuple[int, ...]]]) -> None:
        """Hold what headers say of arrays, types and shapes, against this.

        Raises
        ------
        MisfitError
            Arrays are missing, or more than there should be, or of another type or shape.
        """
        if extra := [name for name in declared if name not in self.arrays]:
            raise MisfitError(f"{_listed(extra)} should not be there")
        may_lack = frozenset[str]().union(*(group for group in self.together if group.isdisjoint(declared)))
        if missing := [name for name in self.arrays if name not in declared and name not in may_lack]:
            raise MisfitError(f"{_listed(missing)} is missing")
        known: dict[str, int] = {}
        for name, (dtype, shape) in declared.items():
            spec = self.arrays[name]
            if dtype != np.dtype(spec.dtype):
                raise MisfitError(f"{name} is of type {dtype}, not {np.dtype(spec.dtype)}")
            if len(shape) != len(spec.shape) or not all(
                self._fits(size, wanted, known) for size, wanted in zip(shape, spec.shape, strict=True)
            ):
                raise MisfitError(f"{name} has the shape {_shape(shape)}, not {self._wanted(spec.shape, known)}")

    def check_contents(self, state: State) -> None:
        """Hold the contents of arrays, whose types and shapes are right, against this.

        Raises
        ------
        MisfitError
            Numbers are not finite, out of range, or contradict each other.
        """
        for name, array in state.items():
            if text := self.arrays[name].misfit(array):
                raise MisfitError(f"{name} {text}")
        for agreement in self.agreements:
            if text := agreement(state):
                raise MisfitError(text)

    def check(self, state: State) -> None:
        """Hold arrays against this; see `check_declared` and `check_contents`."""
        self.check_declared({name: (array.dtype, array.shape) for name, array in state.items()})
        self.check_contents(state)

    def prefixed(self, prefix: str) -> StateSchema:
        """Return the same for arrays whose names have something before them."""

        def bare(agreement: Agreement) -> Agreement:
            return lambda state: agreement(
                {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}
            )

        return StateSchema(
            {prefix + name: spec for name, spec in self.arrays.items()}, self.sizes,
            tuple(frozenset(prefix + name for name in group) for group in self.together),
            tuple(bare(agreement) for agreement in self.agreements),
        )  # fmt: skip

    def joined(self, other: StateSchema) -> StateSchema:
        """Return both together; the same name of a size is the same size."""
        return StateSchema(
            {**self.arrays, **other.arrays}, {**self.sizes, **other.sizes}, (*self.together, *other.together),
            (*self.agreements, *other.agreements),
        )  # fmt: skip

    def _fits(self, size: int, wanted: int | str, known: dict[str, int]) -> bool:
        if isinstance(wanted, int):
            return size == wanted
        return known.setdefault(wanted, size) == size and (wanted not in self.sizes or size in self.sizes[wanted])

    def _wanted(self, shape: tuple[int | str, ...], known: Mapping[str, int]) -> str:
        """Return a shape for people; of a named size what other arrays or the limits say."""

        def size(wanted: int | str) -> str:
            if isinstance(wanted, int):
                return str(wanted)
            if wanted in self.sizes:
                allowed = sorted({min(self.sizes[wanted]), max(self.sizes[wanted])})
                if known.get(wanted) not in self.sizes[wanted]:
                    return " to ".join(str(end) for end in allowed)
            return str(known.get(wanted, wanted))

        return "×".join(size(wanted) for wanted in shape) or "a single number"


NOTHING = StateSchema({})
"""Of objects that save nothing."""


def all_or_none(arrays: Mapping[str, ArraySpec], *agreements: Agreement) -> StateSchema:
    """Return the schema of what is saved once something was learnt, and not before."""
    return StateSchema(
        arrays, together=(frozenset(arrays),), agreements=tuple(_where_present(arrays, one) for one in agreements)
    )


def _where_present(names: Iterable[str], agreement: Agreement) -> Agreement:
    return lambda state: agreement(state) if all(name in state for name in names) else None


def _shape(shape: tuple[int, ...]) -> str:
    return "×".join(str(size) for size in shape) or "a single number"


def _listed(names: list[str]) -> str:
    return ", ".join(quoted(name) for name in names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
