"""Training examples of the head: what it went by in a frame, and what it should have said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.metrics import shows_background, shows_foreground
from core.scene.masks.cells import CellGrid, Map
from core.scene.masks.head import HeadEvidence
from core.training.labelled import SHADOW

Half = NDArray[np.float16]


@dataclass(frozen=True)
class Example:
    """One frame, cut down to what the head looked at: beyond, its activations are 0 as they are behind the edge.

    Attributes
    ----------
    features : (N, h, w) float16
    active : (h, w) uint8
        1 where the head looks, else 0.
    foreground, shadow : (h, w) float16
        Shares of the scored pixels of a cell.
    weight : (h, w) float16
        Share of the pixels of a cell that are scored.
    missed : float
        Share of the frame's foreground at which the head did not look.
    """

    features: Half
    active: NDArray[np.uint8]
    foreground: Half
    shadow: Half
    weight: Half
    missed: float


def make_example(evidence: HeadEvidence, labels: NDArray[np.uint8], grid: CellGrid) -> Example | None:
    """Return the example of a frame; None where the head looked at nothing, or nothing there is scored.

    Parameters
    ----------
    evidence : HeadEvidence
    labels : (H, W) uint8
        As in `core.training.labelled`; from 60 to 200 a pixel is not scored.
    grid : CellGrid
        Of the frame.
    """
    is_foreground = shows_foreground(labels)
    weight = _share(shows_background(labels) | is_foreground, grid)
    scored = np.maximum(weight, np.float32(1e-6))
    foreground, shadow = _share(is_foreground, grid), _share(labels == SHADOW, grid)
    active = evidence.active
    if not (weight * active).any():
        return None
    rows, columns = (_extent(np.asarray(active.any(axis))) for axis in (1, 0))
    part = (rows, columns)
    missed = float((foreground * (1 - active)).sum() / max(float(foreground.sum()), 1e-6))
    return Example(
        evidence.features[:, rows, columns].astype(np.float16), active[part].copy(),
        (foreground / scored)[part].astype(np.float16), (shadow / scored)[part].astype(np.float16),
        weight[part].astype(np.float16), missed,
    )  # fmt: skip


def _share(where: NDArray[np.bool_], grid: CellGrid) -> Map:
    """Return which share of the pixels of each cell (h, w) is set."""
    (height, width), side = grid.shape, grid.side
    padded = np.zeros((height * side, width * side), np.float32)
    padded[: where.shape[0], : where.shape[1]] = where
    share: Map = padded.reshape(height, side, width, side).mean((1, 3))
    return share


def _extent(some: NDArray[np.bool_]) -> slice:
    """Return from the first to the last that is set; blocks begin at the first, as the head's own do."""
    at = np.flatnonzero(some)
    return slice(int(at[0]), int(at[-1]) + 1)


class ExampleSet:
    """At most so many examples, a random choice of all that were offered.

    Parameters
    ----------
    most : int
        What memory allows: a frame of 320×240 takes 0.7 MB where all of it is looked at.
    seed : int
    """

    def __init__(self, most: int, seed: int) -> None:
        self._most, self._rng = most, np.random.default_rng((seed, 1))
        self._kept: list[Example] = []
        self._n_offered = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Example]:
        return iter(self._kept)

    def add(self, example: Example) -> None:
        """Take one more, in the place of another where there is no room (Vitter's algorithm R)."""
        self._n_offered += 1
        if len(self._kept) < self._most:
            self._kept.append(example)
        elif (at := int(self._rng.integers(self._n_offered))) < self._most:
            self._kept[at] = example

    def extend(self, examples: Iterable[Example]) -> None:
        """Take more of them."""
        for example in examples:
            self.add(example)

    def thin(self, share: float) -> None:
        """Keep a random share of what is there, as if only that had been offered."""
        n = round(share * len(self._kept))
        chosen = np.sort(self._rng.permutation(len(self._kept))[:n])
        self._kept = [self._kept[at] for at in chosen]
        self._n_offered = n
