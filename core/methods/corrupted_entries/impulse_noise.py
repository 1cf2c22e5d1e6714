"""Spoiled pixels found by the noise: what stands out from the model and from its neighbours alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.methods.corrupted_entries.alternating import Outliers, SetAside
from core.methods.corrupted_entries.missing_entries import FirstStage, Known
from core.methods.rules import BatchRule, Matrix
from core.nmf.encoders.base import Encoding
from core.runtime import stopping
from core.state_schema import LARGEST, ArraySpec, Range, StateSchema, all_or_none

Mask = NDArray[np.bool_]
"""(n, F), True where something is spoiled."""

FIRST = 2.5
"""Noise scales from which the search starts: nothing spoiled may bend the first model, whatever else is left out."""

ROUNDS, FITS = 12, 4
"""Rounds of the search, and improvements of the factors in each."""

AGAIN = 4
"""Rounds in which a mask settles where the factors are given."""

LEAST_NOISE = 1e-3
"""A quarter of a grey level, units of white: no scale is smaller."""

NEAR = np.array([[0.5, 1, 0.5], [1, 0, 1], [0.5, 1, 0.5]], np.float32)
"""Weights of the eight neighbours."""


class LonePixels:
    """Finds pixels that stand out, on one side, from each of four guesses of what they should show.

    The guesses are the model ``W h``; the mean of the pixel's neighbours; their median; and the model, corrected by
    the mean of its error at the neighbours. Neighbours that are spoiled themselves are left out of the means. The
    noise is the error of the last guess where nothing is spoiled: the root of the mean of its square over the samples,
    for each pixel halfway to that of all. Large errors count fully: a few are far off in clean images, too.

    Parameters
    ----------
    layout : Layout
        Of a sample.
    threshold : float
        Noise scales by which the nearest guess must be missed.
    """

    def __init__(self, layout: Layout, threshold: float) -> None:
        self._layout = layout
        self.threshold = threshold
        self.forget_noise()

    @property
    def noise(self) -> NDArray[np.float32]:
        """Scale (F,), units of white, that `search` goes by; empty: each set of samples is judged by its own."""
        return self._noise

    def load(self, noise: NDArray[np.float32]) -> None:
        """Go on from `noise` as it was."""
        self._noise = noise

    def forget_noise(self) -> None:
        """Judge each set of samples by its own noise from here on."""
        self.load(np.zeros(0, np.float32))

    def search(self, V: Matrix, background: Matrix, spoiled: Mask, threshold: float) -> Mask:
        """Return what is spoiled by more than ``threshold`` scales, judged with what was thought to be so."""
        margin, error = self._margins(V, background, spoiled)
        return margin > np.float32(threshold) * (self._noise if self._noise.size else _noise(error, spoiled))

    def settle(self, V: Matrix, background: Matrix, spoiled: Mask) -> Mask:
        """Return what is spoiled where the model is given, from a first guess."""
        for _ in range(AGAIN):
            spoiled = self.search(V, background, spoiled, self.threshold)
        return spoiled

    def learn_noise(self, V: Matrix, background: Matrix, spoiled: Mask) -> None:
        """Take the noise from a whole set of samples, for those that come later."""
        self._noise = _noise(self._margins(V, background, spoiled)[1], spoiled)

    def _margins(self, V: Matrix, background: Matrix, spoiled: Mask) -> tuple[Matrix, Matrix]:
        """Return by how much the nearest guess is missed, below 0 where they lie on both sides, and the noise."""
        residual = V - background
        weights = np.maximum(self._sums((~spoiled).astype(np.float32)), NEAR.min(initial=1, where=NEAR > 0))
        error = residual - self._sums(np.where(spoiled, 0, residual)) / weights
        side = np.sign(error)
        margin = np.minimum(np.abs(error), side * residual)
        np.minimum(margin, side * (V - self._sums(np.where(spoiled, 0, V)) / weights), out=margin)
        np.minimum(
            margin,
            side * (V - self._each(V, lambda plane: np.asarray(cv2.medianBlur(plane, 3), np.float32))),
            out=margin,
        )
        return margin, error

    def _sums(self, X: Matrix) -> Matrix:
        def summed(plane: Matrix) -> Matrix:
            return np.asarray(cv2.filter2D(plane, cv2.CV_32F, NEAR, borderType=cv2.BORDER_CONSTANT), np.float32)

        return self._each(X, summed)

    def _each(self, X: Matrix, do: Callable[[Matrix], Matrix]) -> Matrix:
        """Apply a filter to each plane of each sample."""
        out = np.empty(X.shape, np.float32)
        for x, y in zip(X, out, strict=True):
            stopping.check()
            for index in range(len(self._layout.shapes)):
                self._layout.plane(y, index)[:] = do(np.ascontiguousarray(self._layout.plane(x, index), np.float32))
        return out


class LonePixelsThenMissing(BatchRule):
    """Finds spoiled pixels by the noise instead of by a penalty, then factorizes as if they were missing.

    It begins as `missing_entries.DetectThenMissing` does, with outliers at a price. Then it searches in `ROUNDS`, one
    an iteration: the threshold rises from `FIRST` to its value, and after each the factors are fitted to what is left.
    As more and more is left, the objective may rise from round to round.

    Parameters
    ----------
    outliers : Outliers
        Of the first stage.
    pixels : LonePixels
    iterations, tolerance
        See `core.methods.corrupted_entries.missing_entries.FirstStage`.
    """

    def __init__(self, outliers: Outliers, pixels: LonePixels, iterations: int, tolerance: float) -> None:
        self._outliers, self._pixels, self._first = outliers, pixels, FirstStage(iterations, tolerance)
        self._to_first_stage()

    @property
    def is_settling(self) -> bool:
        """True in the first stage and in the rounds of the search."""
        return not self._first.is_over or bool(self._thresholds)

    def stop_by(self, iterations: int, tolerance: float) -> None:
        """End the first stage by other limits, if it goes on."""
        self._first.stop_by(iterations, tolerance)

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Begin with the first stage: what is spoiled was found in another set, if anything was."""
        self._to_first_stage()
        self._stage.begin(V, W, H)

    def _to_first_stage(self) -> None:
        self._first.begin()
        self._thresholds = list(np.linspace(FIRST, self._pixels.threshold, ROUNDS))
        self._stage = SetAside(self._outliers)
        self._spoiled: Mask = np.zeros((0, 0), bool)

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Improve the factors once, or in a round of the search (see `core.methods.rules.BatchRule.improve`)."""
        if not self.is_settling:
            return self._stage.improve(V, W, H)
        if not self._first.is_over:
            W, H, objective = self._stage.improve(V, W, H)
            self._first.note(objective)
            if not self._first.is_over:
                return W, H, objective
            self._spoiled = self._guess(V, H @ W)
        return self._round(V, W, H)

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients that what is spoiled does not bend (see `core.methods.rules.Rule.encode`)."""
        first = SetAside(self._outliers).encode(V, W, H)
        spoiled, H, spent = first.outliers != 0, first.H, first.iterations
        for _ in range(AGAIN):
            spoiled = self._pixels.settle(V, H @ W, spoiled)
            found = SetAside(Known(spoiled)).encode(V, W, H)
            H, spent = found.H, spent + found.iterations
        return replace(found, iterations=spent)

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return what the factors as they are make of samples; what is spoiled is judged anew."""
        background = H @ W
        return SetAside(Known(self._pixels.settle(V, background, self._guess(V, background)))).split(V, W, H)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the noise."""
        return {"noise": self._pixels.noise} if self._pixels.noise.size else {}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give."""
        return all_or_none({"noise": ArraySpec(np.float32, (n_values,), (Range(LEAST_NOISE / 2, LARGEST),))})

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load the noise."""
        self._pixels.load(np.array(state.get("noise", ()), np.float32))

    def _guess(self, V: Matrix, background: Matrix) -> Mask:
        E, _ = self._outliers.of(V, V - background)
        out: Mask = E != 0
        return out

    def _round(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        self._pixels.forget_noise()
        self._spoiled = self._pixels.search(V, H @ W, self._spoiled, self._thresholds.pop(0))
        self._stage = SetAside(Known(self._spoiled))
        self._stage.begin(V, W, H)
        for _ in range(FITS):
            W, H, objective = self._stage.improve(V, W, H)
        self._pixels.learn_noise(V, H @ W, self._spoiled)
        return W, H, objective


def _noise(error: Matrix, spoiled: Mask) -> Matrix:
    """Return the scale of errors (n, F) for each pixel, (F,), units of white."""
    count = np.count_nonzero(~spoiled, axis=0)
    squares = np.where(spoiled, 0, np.square(error)).sum(axis=0, dtype=np.float64)
    own, of_all = squares / np.maximum(count, 1), squares.sum() / max(int(count.sum()), 1)
    out: Matrix = np.sqrt((own + of_all) / 2 + LEAST_NOISE**2).astype(np.float32)
    return out
