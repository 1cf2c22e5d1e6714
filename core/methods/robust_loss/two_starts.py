"""Truncated losses from two starts: the paper's own, and a lenient one for where that finds nothing."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.methods.robust_loss.half_quadratic import HalfQuadraticRule
from core.methods.rules import BatchRule, Matrix
from core.nmf.encoders.base import Encoding
from core.nmf.residual_scales import shoulder
from core.state_schema import StateSchema

TRIAL = 15
"""Iterations of both starts before one is given up; that they differ shows after ten, and no clearer after thirty."""

DARK = np.float32(1e-6)
"""No background is taken to be darker where samples are divided by it, units of white."""

CLEARLY = 0.8
"""The lenient start is taken where its shoulder is less than this part of the other's. With planted factors under salt
and pepper it is .27 to .74; where it is led astray, by blocks on faces, it is .92 to 4."""


class MedianStartRule(HalfQuadraticRule):
    """A robust loss whose coefficients first fit the median of each sample, not its mean.

    Least squares makes a sample as bright as its outliers are on the average. Where they take up two fifths of it, they
    are then no further away than all else, and the limit of outliers lets them in; the median does not see them as
    long as they are fewer than half.
    """

    _is_fresh = False

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Begin with the factors, the coefficients yet to be scaled."""
        super().begin(V, W, H)
        self._is_fresh = True

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Return better factors; see `HalfQuadraticRule.improve`."""
        if self._is_fresh:
            self._is_fresh = False
            ratios = np.median(V / np.maximum(H @ W, DARK), axis=1, keepdims=True).astype(np.float32)
            H = H * np.where(ratios > 0, ratios, np.float32(1))
        return super().improve(V, W, H)


class TwoStartsRule(BatchRule):
    """Follows two courses of a truncated loss from the same factors, and goes on with the one that fits.

    The strict one holds the paper's limit of outliers from the first iteration on: what hides two fifths of each image
    never leads it astray. But entries that a random start misses may have no weight for ever. The lenient one begins
    without a limit: it finds factors from any start, and follows large objects. After `TRIAL` iterations the strict
    one is kept unless it leaves clearly more residuals in the shoulder, too large for noise and too small for
    outliers: these are what a fit has missed. Where both leave none there, as without noise, the mean residual decides.

    Parameters
    ----------
    strict, lenient : HalfQuadraticRule
        With the same loss.
    """

    def __init__(self, strict: HalfQuadraticRule, lenient: HalfQuadraticRule) -> None:
        self._strict, self._lenient = strict, lenient
        self._kept, self._left = strict, 0
        self._other: tuple[Matrix, Matrix] | None = None

    @property
    def is_settling(self) -> bool:
        """True while both are tried, and in the stages of the one that is kept."""
        return self._other is not None or self._kept.is_settling

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Let both begin with the factors."""
        self._kept, self._left, self._other = self._strict, TRIAL, (W, H)
        self._strict.begin(V, W, H)
        self._lenient.begin(V, W, H)

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Return better factors; until one course is given up, those of the strict one."""
        found = self._kept.improve(V, W, H)
        if self._other is None:
            return found
        W_other, H_other, objective = self._lenient.improve(V, *self._other)
        self._other = W_other, H_other
        self._left -= 1
        if self._left:
            return found
        self._other = None
        W, H, _ = found
        if not fits_clearly_better(V - H_other @ W_other, V - H @ W):
            return found
        self._kept = self._lenient
        return W_other, H_other, objective

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients of samples that teach nothing; see `HalfQuadraticRule.encode`."""
        return self._kept.encode(V, W, H)

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return what the factors make of samples, with the scale that was learnt last."""
        return self._kept.split(V, W, H)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the scale."""
        return self._kept.state()

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give."""
        return self._kept.schema(n_values)

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a scale."""
        self._kept.load(state)


def fits_clearly_better(E_other: Matrix, E: Matrix) -> bool:
    """Return whether a fit with the residual ``E_other`` (n, F) has missed clearly less than one with ``E``."""
    others, ours = shoulder(E_other), shoulder(E)
    if not (others or ours):
        others, ours = float(np.abs(E_other).mean()), float(np.abs(E).mean())
    return others < CLEARLY * ours
