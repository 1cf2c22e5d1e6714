"""Entries that are known to be missing: they cost nothing, and teach nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.methods.corrupted_entries.alternating import Outliers, SetAside
from core.methods.rules import BatchRule, Matrix
from core.nmf.encoders.base import Encoding

HALF_LEVEL = 0.5 / 65535
"""Half the finest grey level, units of white: what rounding may take from black and white."""


def without(missing: NDArray[np.bool_], residual: Matrix) -> tuple[Matrix, NDArray[np.float64]]:
    """Return the whole residual (n, F) as outliers where something is missing, at no price.

    With it the factors are those of ``min ‖√Q ∘ (V − H W)‖²``, weights ``Q`` 0 where missing, else 1: each iteration
    fits ``Q ∘ V + (1 − Q) ∘ H W``, missing entries filled in by what is known so far (Zhang et al. 2006, WNMF in its EM
    form).
    """
    return np.where(missing, residual, np.float32(0)), np.zeros(len(residual))


@dataclass(frozen=True)
class Extremes:
    """Takes what is saturated for missing: a stuck pixel, salt and pepper, a highlight that the camera cut off.

    Attributes
    ----------
    black, white : bool
        Which ends of the range count.
    margin : float
        How near to black or white, units of white.
    """

    black: bool = True
    white: bool = True
    margin: float = 0.0

    def of(self, V: Matrix, residual: Matrix) -> tuple[Matrix, NDArray[np.float64]]:
        """Return what is missing of samples as outliers (see `core.methods.corrupted_entries.alternating.Outliers`)."""
        reach = self.margin + HALF_LEVEL
        missing = np.zeros(V.shape, bool)
        if self.black:
            missing |= reach >= V
        if self.white:
            missing |= reach >= 1 - V
        return without(missing, residual)


@dataclass(frozen=True)
class Known:
    """Takes given entries for missing, of one set of samples."""

    missing: NDArray[np.bool_]

    def of(self, V: Matrix, residual: Matrix) -> tuple[Matrix, NDArray[np.float64]]:
        """Return what is missing of the set as outliers (see `core.methods.corrupted_entries.alternating.Outliers`)."""
        return without(self.missing, residual)


@dataclass(frozen=True)
class Detected:
    """Takes for missing what ``outliers`` sets aside of the residual at hand, all of it instead of its part."""

    outliers: Outliers

    def of(self, V: Matrix, residual: Matrix) -> tuple[Matrix, NDArray[np.float64]]:
        """Return what is detected (see `core.methods.corrupted_entries.alternating.Outliers`)."""
        E, _ = self.outliers.of(V, residual)
        return without(E != 0, residual)


class FirstStage:
    """Says when a first stage is over: when it has converged, or after half the iterations.

    Parameters
    ----------
    iterations : int
        Of all stages, at most.
    tolerance : float
        It has converged when an iteration lowers its objective relatively by no more.
    """

    def __init__(self, iterations: int, tolerance: float) -> None:
        self.stop_by(iterations, tolerance)
        self.begin()

    def begin(self) -> None:
        """Begin anew."""
        self.is_over = False
        self._n_done, self._before = 0, np.inf

    def stop_by(self, iterations: int, tolerance: float) -> None:
        """Be over by other limits from here on."""
        self._at_most, self._tolerance = max(1, iterations // 2), tolerance

    def note(self, objective: float) -> None:
        """Take note of the objective after an iteration."""
        self._n_done += 1
        converged = self._before - objective <= self._tolerance * objective
        self.is_over = converged or self._n_done >= self._at_most
        self._before = objective


class DetectThenMissing(BatchRule):
    """Detects outliers first, then factorizes as if these entries were missing (Shen et al. 2012, section 6.2).

    A penalty takes a part of each outlier only, so the rest still bends the factors; a missing entry does not. The
    first stage ends when it has converged, or after half the iterations. The objective does not rise there either:
    the squares of the entries that remain are part of what it was.

    Parameters
    ----------
    outliers : Outliers
        Of the first stage; what it sets aside is exactly 0 elsewhere.
    iterations, tolerance
        See `FirstStage`.
    """

    def __init__(self, outliers: Outliers, iterations: int, tolerance: float) -> None:
        self._outliers, self._first = outliers, FirstStage(iterations, tolerance)
        self._stage = SetAside(outliers)

    @property
    def is_settling(self) -> bool:
        """True in the first stage."""
        return not self._first.is_over

    def stop_by(self, iterations: int, tolerance: float) -> None:
        """End the first stage by other limits, if it goes on."""
        self._first.stop_by(iterations, tolerance)

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Begin with the first stage: what is missing was detected in another set, if any was."""
        self._first.begin()
        self._stage = SetAside(self._outliers)
        self._stage.begin(V, W, H)

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Improve the factors; at the end of the first stage once by each (`core.methods.rules.BatchRule.improve`)."""
        if not self._first.is_over:
            W, H, objective = self._stage.improve(V, W, H)
            self._first.note(objective)
            if not self._first.is_over:
                return W, H, objective
            detected, _ = self._outliers.of(V, V - H @ W)
            self._stage = SetAside(Known(detected != 0))
            self._stage.begin(V, W, H)
        return self._stage.improve(V, W, H)

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients that the outliers of each sample do not bend (see `core.methods.rules.Rule.encode`)."""
        first = SetAside(self._outliers).encode(V, W, H)
        second = SetAside(Known(first.outliers != 0)).encode(V, W, first.H)
        return replace(second, iterations=first.iterations + second.iterations)

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Encode samples with the current factors; the residual decides what is an outlier."""
        return SetAside(Detected(self._outliers)).split(V, W, H)
