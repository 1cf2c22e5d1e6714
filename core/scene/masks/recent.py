"""A few cells of the last frames, to which what a stroke teaches is held: one frame does not show all that there is."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from core.kernels.cell_features import BLOCK
from core.scene.masks.lessons import NO_CELLS, Sample, probability
from core.scene.masks.look_alikes import LookAlikes
from core.scene.tuning import MEMORY, SETTLED_FRAMES

EVERY = MEMORY // SETTLED_FRAMES
"""Frames from one that is kept to the next: so many make up what is remembered of the scene anyway."""

A_FRAME = 32
"""Cells of a frame that are kept."""


class RecentCells:
    """Keeps cells of some of the last `MEMORY` frames, as the head described and judged them."""

    def __init__(self) -> None:
        self._kept: deque[Sample] = deque(maxlen=SETTLED_FRAMES)

    def offer(self, cells: NDArray[np.float32], logit: NDArray[np.float32], n_looked_at: int) -> None:
        """Keep cells (n, DESCRIBED) of a frame, with the head's own logits (n,), for all that it looked at there."""
        weight = np.full(len(cells), n_looked_at / max(len(cells), 1), np.float32)
        self._kept.append(Sample(cells, logit, np.zeros_like(logit), weight))

    def sample(self, taught: LookAlikes | None) -> Sample:
        """Return them as cells of a frame; their target is what the head, with what it was taught, says of them now."""
        if not self._kept:
            return NO_CELLS
        every = Sample.joined(self._kept)
        logit = every.logit if taught is None else every.logit + taught.added(every.cells)
        target = probability(logit.astype(np.float64)).astype(np.float32)
        return Sample(every.cells, every.logit, target, every.weight / np.float32(len(self._kept)))


def chosen(active: NDArray[np.uint8], shape: tuple[int, ...], turn: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of cells, `A_FRAME` at most, each in an active block (r, c) of its own.

    ``turn`` counts the times; the next are others. ``shape`` is that of the cells.
    """
    rows, columns = np.nonzero(active)
    n = min(len(rows), A_FRAME)
    which = (np.arange(n) * len(rows) + turn % max(len(rows), 1)) // max(n, 1) % max(len(rows), 1)
    y = rows[which] * BLOCK + turn // BLOCK % BLOCK
    x = columns[which] * BLOCK + turn % BLOCK
    inside = (y < shape[0]) & (x < shape[1])
    return y[inside], x[inside]
