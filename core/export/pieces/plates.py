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

MOST_TOGETHER = 16
"""Plates that are compared at once, each with each; of more pieces, the plates of groups are joined in turn."""

BAND_PIXELS = 1 << 20
"""Pixels of each plate that are compared at once: bounds memory."""

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
        band = slice(top, top + rows)
        looks = np.stack([one.plate[band] for one in plates]).reshape(len(plates), -1, _n_planes(plate))
        seen = np.stack([one.weight[band].ravel() for one in plates])
        median, agreeing = _band(looks, seen, near)
        plate[band] = median.reshape(plate[band].shape)
        weight[band] = agreeing.reshape(weight[band].shape)
    return WeightedPlate(plate, weight)


def _band(looks: Values, seen: Pixels, near: float) -> tuple[Values, Pixels]:
    """Return the look (P, C) of P pixels that most of N plates (N, P, C) agree on, and the weight (P,) of these."""
    weights = seen + np.float32(GUESS)
    wide = looks.astype(np.int32)
    support = np.stack([_share(wide, weights, one, near) for one in wide])
    best = np.take_along_axis(wide, support.argmax(axis=0)[None, :, None], axis=0)[0]
    agree = np.abs(wide - best).max(axis=2) <= near
    exact = _weighted_median(wide, weights, agree)
    median: Values = np.asarray(np.rint(exact), looks.dtype)
    return median, np.asarray(np.where(agree, seen, np.float32(0)).sum(axis=0), np.float32)


def _share(looks: NDArray[np.int32], weights: Pixels, one: NDArray[np.int32], near: float) -> Pixels:
    """Return the weight (P,) of all plates that show what one of them (P, C) does."""
    alike = np.abs(looks - one).max(axis=2) <= near
    return np.asarray(np.where(alike, weights, np.float32(0)).sum(axis=0), np.float32)


def _weighted_median(looks: NDArray[np.int32], weights: Pixels, counts: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the median (P, C) of N looks (N, P, C) of weights (N, P) where these count (N, P), once at least.

    Where half of the weight lies between two looks, so does the median.
    """
    order = np.argsort(
        np.where(counts[..., None], looks, BEYOND), axis=0, kind="stable"
    )  # What does not count is last.
    sizes = np.take_along_axis(np.where(counts, weights, np.float32(0))[..., None], order, axis=0)
    reached = np.cumsum(sizes, axis=0, dtype=np.float64)
    middles, half = reached - sizes / 2, reached[-1] / 2
    high = (middles < half).sum(axis=0)[None]  # It counts: the middle of the last that does is half of all or more.
    low = np.maximum(high - 1, 0)
    values = np.take_along_axis(looks, order, axis=0)
    (v0, v1), (m0, m1) = ([np.take_along_axis(of, at, axis=0)[0] for at in (low, high)] for of in (values, middles))
    share = np.clip((half - m0) / np.maximum(m1 - m0, 1e-12), 0, 1)
    return np.asarray(v0 + share * (v1 - v0), np.float64)


def _n_planes(plate: Values) -> int:
    return 1 if plate.ndim == 2 else plate.shape[2]
