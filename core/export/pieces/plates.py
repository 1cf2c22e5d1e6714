"""The plate of a whole run from those of its pieces: each pixel has the look that most of them agree on.

A piece counts by how often it saw the pixel: its confidence there, times its frames. As within a run
(`core.scene.clean_plate`), looks that differ by no more than `core.scene.plate_consensus.ALIKE` are one look in another
light; the weighted median of the pieces that show the one with most support is taken. What no piece saw is the median
of their guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Values
from core.runtime import stopping

MOST_TOGETHER = 16
"""Plates that are compared at once, each with each; of more pieces, the plates of groups are joined in turn."""

BAND_PIXELS = 1 << 15
"""Pixels of each plate that are compared at once: 16 plates in colour take 70 MiB so, and less time than more at once,
which leave the processor's caches."""

GUESS = 1e-6
"""Weight of a look that was only guessed, beside one that was seen once in a million frames."""

BEYOND = 1 << 20
"""Above all samples."""

Pixels = NDArray[np.float32]


@dataclass(frozen=True)
class WeightedPlate:
    """A plate, and for how many frames it speaks.

    Attributes
    ----------
    plate : (H, W) or (H, W, 3), uint8 or uint16
    weight : (H, W) float32
        Frames in which each pixel was seen; 0: it is a guess.
    """

    plate: Values
    weight: Pixels


def joined_plate(plates: Sequence[Callable[[], WeightedPlate]], near: float) -> WeightedPlate:
    """Return the plate of the whole.

    Parameters
    ----------
    plates : sequence of callable
        Each reads the plate of a piece, in order.
    near : float
        By how much looks of one place may differ in another light, samples.

    Raises
    ------
    StoppedError
        Someone wants the work to stop (`core.runtime.stopping`).
    """
    if len(plates) <= MOST_TOGETHER:
        return _agreed([read() for read in plates], near)
    size = -(-len(plates) // MOST_TOGETHER)
    groups = [plates[start : start + size] for start in range(0, len(plates), size)]
    return _agreed([joined_plate(group, near) for group in groups], near)


def _agreed(plates: Sequence[WeightedPlate], near: float) -> WeightedPlate:
    height, width = plates[0].weight.shape
    plate, weight = np.empty_like(plates[0].plate), np.empty((height, width), np.float32)
    rows = max(1, BAND_PIXELS // width)
    for top in range(0, height, rows):
        stopping.check()
        band = slice(top, top + rows)
        looks = np.stack([one.plate[band].reshape(-1, _n_planes(plate)).T for one in plates], axis=1)
        seen = np.stack([one.weight[band].ravel() for one in plates])
        median, agreeing = _band(looks, seen, near)
        plate[band] = median.T.reshape(plate[band].shape)
        weight[band] = agreeing.reshape(weight[band].shape)
    return WeightedPlate(plate, weight)


def _band(looks: Values, seen: Pixels, near: float) -> tuple[Values, Pixels]:
    """Return the look (C, P) of P pixels that most of N plates (C, N, P) agree on, and the weight (P,) of these."""
    weights = seen + np.float32(GUESS)
    wide = looks.astype(np.int32)
    support = np.stack([_share(wide, weights, wide[:, n], near) for n in range(len(weights))])
    best = np.take_along_axis(wide, support.argmax(axis=0)[None, None], axis=1)[:, 0]
    agree = _are_alike(wide, best, near)
    exact = _weighted_median(wide, weights, agree)
    median: Values = np.asarray(np.rint(exact), looks.dtype)
    return median, np.asarray(np.where(agree, seen, np.float32(0)).sum(axis=0), np.float32)


def _share(looks: NDArray[np.int32], weights: Pixels, one: NDArray[np.int32], near: float) -> Pixels:
    """Return the weight (P,) of all plates that show what one of them (C, P) does."""
    return np.asarray(np.where(_are_alike(looks, one, near), weights, np.float32(0)).sum(axis=0), np.float32)


def _are_alike(looks: NDArray[np.int32], one: NDArray[np.int32], near: float) -> NDArray[np.bool_]:
    """Return which of N looks (C, N, P) are like one (C, P) in all of its planes, (N, P)."""
    return np.asarray(np.abs(looks - one[:, None]).max(axis=0) <= near)


def _weighted_median(looks: NDArray[np.int32], weights: Pixels, counts: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the median (C, P) of N looks (C, N, P) of weights (N, P) where these count (N, P), once at least.

    Where half of the weight lies between two looks, so does the median.
    """
    order = np.argsort(np.where(counts, looks, BEYOND), axis=1, kind="stable")  # What does not count is last.
    sizes = np.take_along_axis(np.where(counts, weights, np.float32(0))[None], order, axis=1)
    reached = np.cumsum(sizes, axis=1, dtype=np.float64)
    middles, half = reached - sizes / 2, reached[:, -1:] / 2
    high = (middles < half).sum(axis=1, keepdims=True)  # It counts: the middle of the last that does is half or more.
    low = np.maximum(high - 1, 0)
    values = np.take_along_axis(looks, order, axis=1)
    v0, v1 = (np.take_along_axis(values, at, axis=1)[:, 0] for at in (low, high))
    m0, m1 = (np.take_along_axis(middles, at, axis=1)[:, 0] for at in (low, high))
    share = np.clip((half[:, 0] - m0) / np.maximum(m1 - m0, 1e-12), 0, 1)
    return np.asarray(v0 + share * (v1 - v0), np.float64)


def _n_planes(plate: Values) -> int:
    return 1 if plate.ndim == 2 else plate.shape[2]
