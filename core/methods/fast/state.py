"""What the fast method has learnt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Values, Vector
from core.kernels import dictionary_pass
from core.methods.fast.pixel_sample import PixelSample
from core.methods.fast.units import Units
from core.nmf.relevance_determination import Fold
from core.runtime import bands

PRIOR_FRAMES = 10
"""Weight of the start, in frames."""

OVERWRITTEN = 1 << 18
"""Values that are overwritten, or asked for, at a time, at most: all of 1080p at once took 130 MB more."""

UNSEEN = 0.25
"""A background is written anew once a sampled value has moved by so much of a sample since it was written: with the
rounding to whole ones that makes three quarters there, and more only where light changes on a few pixels alone. Steady
light moves it by 0.05 to 0.25 from frame to frame."""

LEAST_SHARE = 1e-6
"""A coefficient that nothing is shown by is taken to be so much where its column is to show something."""

DAMPING = 0.01
"""Share of the largest column's weight that is added to each step's denominator: keeps unused columns still."""

LEAST_WEIGHT = 1e-20
"""Statistics whose largest weight is less fade no further: as long as all is black nothing joins them, and numbers of
float32 end at 1e-38."""


def places_in_parts(where: NDArray[np.bool_]) -> Iterator[NDArray[np.intp]]:
    """Yield the places (N,) where an array (F,) is True, in parts of nearly one size.

    Products of few values may be rounded in another way.
    """
    count = int(np.count_nonzero(where))
    n_parts = max(1, -(-count // OVERWRITTEN))
    found, start = np.arange(0), 0
    for i in range(n_parts):
        size = count // n_parts + (i < count % n_parts)
        while found.size < size:
            found = np.concatenate([found, start + np.flatnonzero(where[start : start + OVERWRITTEN])])
            start += OVERWRITTEN
        yield found[:size]
        found = found[size:]


def by_first(plate: NDArray[np.float32], rank: int) -> NDArray[np.float64]:
    """Return the coefficients (K,) with which the first of the shadings of a plate (F,) is the plate."""
    h = np.zeros(rank)
    h[0] = max(float(np.linalg.norm(plate)), LEAST_SHARE)
    return h


def prior(W: NDArray[np.float32], h: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Return statistics A (K, K) and B (K, F), as if the image of the first coefficient had been seen for a while.

    Parameters
    ----------
    W : (K, F) float32
    h : (K,) float64
    """
    A = PRIOR_FRAMES * h[0] ** 2 * np.eye(h.size)
    B, weights = np.empty_like(W), np.diag(A).astype(np.float32)[:, None]

    def weigh(start: int, stop: int) -> None:
        np.multiply(W[:, start:stop], weights, out=B[:, start:stop])

    bands.run(weigh, W.shape[1])
    return A, B


class State:
    """Dictionary, statistics and coefficients; all agree on the columns.

    The dictionary is written by nothing outside of this class, and here `_set_dictionary` follows each change: the
    copy at the sampled values is always that of the dictionary.

    Parameters
    ----------
    n_values : int
        Length F of the vectors.
    units : Units
    sample : PixelSample

    Attributes
    ----------
    B : (K, F) float32
        Statistics ``Σ h vᵀ`` of vectors without their outliers; what is older counts less.
    A : (K, K) float64
        Statistics ``Σ h hᵀ``.
    h : (K,) float64
        Coefficients of the last vector.
    usage : (K,) float64
        Statistics ``Σ h²`` without the start.
    weight : float
        Number of vectors in ``usage``.
    """

    def __init__(self, n_values: int, units: Units, sample: PixelSample) -> None:
        self._units, self._sample = units, sample
        self.B = np.zeros((0, n_values), np.float32)
        self.A = np.zeros((0, 0))
        self.h, self.usage, self.weight = np.zeros(0), np.zeros(0), 0.0
        self._set_dictionary(np.zeros_like(self.B))

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (K, F); not to be written."""
        return self._W

    @property
    def W_sample(self) -> NDArray[np.float32]:
        """The dictionary at the sampled values, (K, S)."""
        return self._W_sample

    @property
    def rank(self) -> int:
        """Number of columns K."""
        return self.h.size

    def _set_dictionary(self, W: NDArray[np.float32]) -> None:
        self._W = W
        self._W_sample = self._sample.columns(W)
        self._written: tuple[NDArray[np.float32], Values] | None = None

    def set_sample(self, sample: PixelSample) -> None:
        """Go on with other sampled values."""
        self._sample = sample
        self._set_dictionary(self._W)

    # -- using it

    def background(self, h: NDArray[np.float64], out: Values) -> Values:
        """Write ``W h`` (F,) in samples, for coefficients (K,); return it."""
        units, white = self._units, self._units.white
        bands.run(
            dictionary_pass.background_band, out.size, self._W, h.astype(np.float32) * white, white, units.signed_from,
            units.dark * white, units.neutral * white, out,
        )  # fmt: skip
        return out

    def following_background(self, h: NDArray[np.float64], empty: Callable[[], Values]) -> Values:
        """Return ``W h`` (F,) in samples, or the one before while their sampled values differ by less than `UNSEEN`.

        For frames of one run, one after the other: what comes out depends on those before. It is not to be written.

        Parameters
        ----------
        h : (K,) float64
        empty : callable
            Gives room for it.
        """
        now = h.astype(np.float32)
        if self._written is not None and self._moves(now - self._written[0]) < UNSEEN:
            return self._written[1]
        self._written = now, self.background(h, empty())
        return self._written[1]

    def _moves(self, by: NDArray[np.float32]) -> float:
        """Return by how much a change of the coefficients (K,) moves that sampled value most, samples."""
        return float(self._units.white * np.abs(by @ self._W_sample).max())

    def explained(self, at: NDArray[np.intp] | slice) -> NDArray[np.float32]:
        """Return ``W h`` of the last vector at some values, units of white, counted from zero."""
        return self.h.astype(np.float32) @ self._W[:, at]

    # -- changing it

    def follow(self, h: NDArray[np.float64]) -> None:
        """Take the coefficients (K,) of another vector for the last ones."""
        self.h = h

    def begin(self, W: NDArray[np.float32], h: NDArray[np.float64]) -> None:
        """Start from a dictionary (K, F) and the coefficients (K,) of its image, as if it had been seen for a while."""
        self.h = h
        self.A, self.B = prior(W, h)
        self.usage, self.weight = np.zeros(h.size), 0.0
        self._set_dictionary(W)

    def learn(self, v: Vector, scale: np.float32, keep: float, bound: float, foreground: NDArray[np.uint8]) -> None:
        """Add a vector to the statistics and improve the dictionary by one sweep of coordinate descent.

        Parameters
        ----------
        v : (F,)
            The vector, of which ``h`` are the coefficients.
        scale : float32
            Its unit over white.
        keep : float
            What the past counts from here on; all of it where it is next to nothing (`LEAST_WEIGHT`).
        bound : float
            Residuals teach this much at most, units of white.
        foreground : (F,) uint8, or empty
            Values that are not 0 here teach nothing.
        """
        h = self.h
        if keep * np.max(np.diag(self.A), initial=0) < LEAST_WEIGHT:
            keep = 1.0
        self.A = keep * self.A + np.outer(h, h)
        self.usage, self.weight = keep * self.usage + h**2, keep * self.weight + 1
        damped = self.A + DAMPING * np.max(np.diag(self.A)) * np.eye(h.size)
        units = self._units
        squares = bands.run(
            dictionary_pass.learn_band, v.size, v, scale, self._W, self.B, self.A.astype(np.float32),
            1 / np.diag(damped).astype(np.float32), h.astype(np.float32), np.float32(keep),
            np.float32(bound), foreground, units.signed_from, units.dark, units.neutral,
        )  # fmt: skip
        self._normalise(np.sqrt(sum(squares, np.zeros(h.size))))
        self._set_dictionary(self._W)

    def _normalise(self, norms: NDArray[np.float64]) -> None:
        """Bring columns back into the unit ball; coefficients and statistics change with them, the fit does not."""
        for k in np.flatnonzero(norms > 1):
            by = norms[k] * 1.25
            self._W[k] /= np.float32(by)
            self.B[k] *= np.float32(by)
            self.A[k] *= by
            self.A[:, k] *= by
            self.h[k] *= by
            self.usage[k] *= by**2

    def _main(self) -> tuple[int, float]:
        """Return the column that brings most of the light, and how much that is at the sampled values."""
        light = self.h * np.linalg.norm(self._W_sample, axis=1)
        main = int(np.argmax(light))
        return main, float(light[main])

    def lift(self, by: np.float32) -> None:
        """Go on where light counts from so much lower, units of white: `W h` shows the same, by its main column."""
        if not self.rank:
            return
        (main, _), n = self._main(), self._units.signed_from
        self.h[main] = max(self.h[main], LEAST_SHARE)
        share = by / np.float32(self.h[main])
        self._W[main, :n] += share
        self.B[:, :n] += (self.A[:, main] * share).astype(np.float32)[:, None]
        norms = np.zeros(self.rank)
        norms[main] = np.linalg.norm(self._W[main])
        self._normalise(norms)
        self._set_dictionary(self._W)

    def overwrite(self, where: NDArray[np.bool_], wanted: Callable[[NDArray[np.intp]], NDArray[np.float32]]) -> bool:
        """Let the last coefficients explain other values than before, by the column that brings most of the light.

        Parameters
        ----------
        where : (F,) bool
            The values.
        wanted : callable
            Gives what they are to be at some places (N,): float32, units of white, counted from zero.

        Returns
        -------
        bool
            False where no column brings a sample's worth of light: nothing is changed then.
        """
        main, light = self._main()
        if light < float(self._units.step) * self._W_sample.shape[1] ** 0.5:
            return False
        share, A = np.float32(self.h[main]), self.A.astype(np.float32)
        for here in places_in_parts(where):
            left = wanted(here) - (self.explained(here) - share * self._W[main, here])
            self._W[main, here] = np.where(here >= self._units.signed_from, left, np.maximum(left, 0)) / share
            self.B[:, here] = A @ self._W[:, here]
        self._set_dictionary(self._W)
        return True

    def add_columns(self, columns: NDArray[np.float32]) -> None:
        """Add columns (n, F) that were not used yet."""
        weight = float(np.max(np.diag(self.A)))
        self.B = np.vstack([self.B, columns * np.float32(weight)])
        n = len(columns)
        self.A = np.pad(self.A, (0, n))
        self.A[-n:, -n:] = weight * np.eye(n)
        self.h, self.usage = np.pad(self.h, (0, n)), np.pad(self.usage, (0, n))
        self._set_dictionary(np.vstack([self._W, columns]))

    def keep_columns(self, kept: NDArray[np.intp]) -> None:
        """Go on with some of the columns."""
        self.B, self.A = self.B[kept], self.A[np.ix_(kept, kept)]
        self.h, self.usage = self.h[kept], self.usage[kept]
        self._set_dictionary(self._W[kept])

    def most_used(self, count: int) -> NDArray[np.intp]:
        """Return the columns that were used most, in order."""
        return np.sort(np.argsort(-self.usage, kind="stable")[:count])

    def fold(self, fold: Fold) -> None:
        """Go on without a column that the others take over."""
        # Statistics hold the start, as if all columns had been used; so they begin anew, at the dictionary as it is.
        W = fold.dictionary(self._W)
        self.A = self.A[np.ix_(fold.kept, fold.kept)]
        self.B = self.A.astype(np.float32) @ W
        self.h, self.usage = fold.coefficients(self.h), fold.products(np.diag(self.usage)).diagonal().copy()
        self._set_dictionary(W)

    # -- keeping it

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of the arrays."""
        return {
            "W": self._W.copy(), "B": self.B.copy(), "A": self.A.copy(), "h": self.h.copy(), "usage": self.usage.copy()
        }  # fmt: skip

    def load(self, arrays: Mapping[str, NDArray[np.generic]], weight: float) -> None:
        """Load copies of arrays as `arrays` gives them."""
        self.B = np.array(arrays["B"], np.float32)
        self.A, self.h, self.usage = (np.array(arrays[key], np.float64) for key in ("A", "h", "usage"))
        self.weight = weight
        self._set_dictionary(np.array(arrays["W"], np.float32))
