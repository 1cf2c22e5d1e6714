"""The pixels from which coefficients are computed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Vector
from core.kernels import sampled_nmf
from core.methods.fast.units import Units

COVERED_TRUST = np.float32(0.05)
"""Weight of pixels that a mask covers, in the search for coefficients: enough for when it covers all."""

FAR = 12 / 255
"""What differs by more from the model is something else, which pulls at the coefficients the less the further it lies:
a lorry that fills half the view is not light, nor is its shadow. Units of the contrast. Masks are alike from 6 to 20
grey levels; with less, light that compression brings to one block after the other is taken for a cut."""

HUBER = np.float32(np.inf)
"""Nothing is far: the loss is Huber's throughout."""

FEW = 1024
"""Values, about, from which a second start is found: it need not be exact."""

N_ROUNDS, TOLERANCE = 50, 1e-4
"""Most rounds of the coefficient search, and the change of the largest coefficient at which it stops."""

NO_MASK = np.empty((0, 0), np.uint8)
"""Stands for a mask that covers nothing."""


class Encoded(NamedTuple):
    """What came of a search for coefficients.

    Attributes
    ----------
    loss : float
        Over the sample.
    covered : (S,) bool
        Which values of the sample a mask covers.
    """

    loss: float
    covered: NDArray[np.bool_]


class PixelSample:
    """One value at random from each of S equal stretches of the vector; a few thousand determine the coefficients.

    Parameters
    ----------
    layout : Layout
    units : Units
    count : int
        Values S asked for; at most all are drawn.
    rng : Generator

    Attributes
    ----------
    index : (S,) intp
        The values.
    n_light : int
        So many of them, the first, are of light; in 4:2:0 others follow, which tell its colour.
    """

    def __init__(self, layout: Layout, units: Units, count: int, rng: np.random.Generator) -> None:
        n = layout.n_values
        count = min(count, n)
        edges = np.arange(count) * (n / count)
        index = np.minimum(edges + rng.random(count) * (n / count), n - 1).astype(np.intp)
        self.index: NDArray[np.intp] = np.arange(n) if count == n else index
        self.n_light = int(np.searchsorted(self.index, layout.signed_from))
        pixels = np.arange(layout.n_pixels).reshape(layout.height, layout.width)
        self._pixel_index = layout.spread(pixels)[self.index]
        self._far = FAR * units.contrast
        self.follow_zero(units)

    @property
    def size(self) -> int:
        """Number of values S."""
        return self.index.size

    def follow_zero(self, units: Units) -> None:
        """Count from where units do now."""
        self._zero = units.zero_at(self.index)
        self._white = 1 - self._zero

    def of(self, v: Vector, scale: np.float32) -> NDArray[np.float32]:
        """Return the sample (S,) of a vector (F,) times a scale, units of white, counted from zero."""
        out = np.empty(self.size, np.float32)
        sampled_nmf.sample(v, self.index, scale, self._zero, out)
        return out

    def columns(self, W: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the dictionary (K, S) at the sampled values of ``W`` (K, F)."""
        out = np.empty((len(W), self.size), np.float32)
        sampled_nmf.gather(W, self.index, out)
        return out

    def encode(
        self, sample: NDArray[np.float32], W: NDArray[np.float32], h: NDArray[np.float64], lam: float,
        foreground: NDArray[np.uint8], *, bounded: bool,
    ) -> Encoded:  # fmt: skip
        """Find the coefficients of a sample (see `core.kernels.sampled_nmf.encode`).

        As the loss levels off, the solution is that next to the start. Where Huber's loss, which has one solution
        alone, leads to coefficients that explain more, light has changed at once, and they are the start.

        Parameters
        ----------
        sample : (S,) float32
        W : (K, S) float32
            Dictionary at the sampled values.
        h : (K,) float64
            Start; overwritten with the solution.
        lam : float
            Units of white.
        foreground : (H, W) uint8
            Pixels that are not 0 here hardly count; `NO_MASK`: all count alike.
        bounded : bool
            False: Huber's loss.
        """
        covered, trust = np.empty(sample.size, np.bool_), np.empty_like(sample)
        sampled_nmf.weigh(sample, self._white, foreground.ravel(), self._pixel_index, COVERED_TRUST, covered, trust)
        near = np.float32(lam)
        if not bounded:
            loss, _, _ = sampled_nmf.encode(sample, W, trust, near, HUBER, N_ROUNDS, TOLERANCE, h)
            return Encoded(loss, covered)
        far, elsewhere = np.float32(max(lam, self._far)), self._huber_solution(sample, W, trust, near, h)
        loss, trusted, _ = sampled_nmf.encode(sample, W, trust, near, far, N_ROUNDS, TOLERANCE, h)
        if sampled_nmf.encode(sample, W, trust, near, far, 0, TOLERANCE, elsewhere)[1] < trusted:
            h[:] = elsewhere
            loss, _, _ = sampled_nmf.encode(sample, W, trust, near, far, N_ROUNDS, TOLERANCE, h)
        return Encoded(loss, covered)

    def _huber_solution(
        self, sample: NDArray[np.float32], W: NDArray[np.float32], trust: NDArray[np.float32], lam: np.float32,
        h: NDArray[np.float64],
    ) -> NDArray[np.float64]:  # fmt: skip
        """Return the coefficients (K,) that minimise Huber's loss over part of a sample."""
        some, found = slice(None, None, max(1, self.size // FEW)), h.copy()
        v, columns, weights = (np.ascontiguousarray(X[..., some]) for X in (sample, W, trust))
        sampled_nmf.encode(v, columns, weights, lam, HUBER, N_ROUNDS, TOLERANCE, found)
        return found

    def residual(
        self, sample: NDArray[np.float32], W: NDArray[np.float32], h: NDArray[np.float64]
    ) -> NDArray[np.float32]:
        """Return what coefficients leave of a sample (S,); beyond white there is only white."""
        out = np.empty_like(sample)
        sampled_nmf.clipped_residual(sample, W, h.astype(np.float32), self._white, out)
        return out
