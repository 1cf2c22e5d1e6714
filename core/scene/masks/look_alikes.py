"""What strokes change of the head's verdict: cells that look like painted ones, by as much as they look like them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.kernels.likeness import add_likeness
from core.runtime import bands
from core.runtime.cached import cached
from core.scene.masks.lessons import Lesson, Sample, evenly, probability
from core.scene.masks.likeness import Descriptions, likeness, units_of

MOST_CENTRES = 128
"""Painted cells to which cells of a frame are compared, of all lessons together: the time of a frame goes by them."""

STEPS = 30
"""Newton's steps at most; the fit ends earlier where it has converged."""

CONVERGED = 1e-7
"""A step that promises less than this share of the loss ends the fit."""


@dataclass(frozen=True)
class LookAlikes:
    """What is added to the head's logit of foreground, ``Σ weight exp(−|unit x − c|² / 2)``.

    Attributes
    ----------
    unit : (D,) float32
        See `core.scene.masks.likeness.units_of`.
    centres : (D, C) float32
        The c, painted cells in these units, one a column.
    weights : (C,) float32
    """

    unit: NDArray[np.float32]
    centres: NDArray[np.float32]
    weights: NDArray[np.float32]

    @cached
    def halves(self) -> NDArray[np.float32]:
        """Half of the square of each centre (C,)."""
        halves: NDArray[np.float32] = np.float32(0.5) * np.square(self.centres).sum(axis=0)
        return halves

    def added(self, cells: Descriptions) -> NDArray[np.float32]:
        """Return what is added to the logits (n,) of cells (n, D), see `core.scene.masks.lessons.Sample`."""
        out = np.empty(len(cells), np.float32)
        parts = self.unit, self.centres, self.halves, self.weights
        bands.run(add_likeness, len(cells), cells, *parts, out, cost=len(self.weights))
        return out


def learnt(lessons: Sequence[Lesson]) -> LookAlikes | None:
    """Return what lessons change of the head's verdict; None where there are none.

    It minimises, over the cells of all lessons, the cross entropy of their targets and ``z = z0 + K w``, plus
    ``½ wᵀ C w`` (Newton's method with backtracking). ``z0`` are the head's own logits, ``K`` the likenesses of cells to
    the centres, which are painted cells, ``C`` those of the centres to each other, and each cell counts as often as it
    stands for one of its frame. That is classification by a Gaussian process about the head (Rasmussen and Williams
    2006, "Gaussian Processes for Machine Learning", section 3.4), made of a few of its functions (section 8.3.1). A
    painted cell takes along what looks like it; what nobody painted holds what looks like itself. The problem is
    strictly convex.
    """
    if not lessons:
        return None
    every = Sample.joined([part for lesson in lessons for part in (lesson.painted, lesson.rest)])
    unit = units_of(every.cells, every.weight)
    share = max(1, MOST_CENTRES // len(lessons))
    centres = np.concatenate([_some(lesson.painted.cells, share) for lesson in lessons])[-MOST_CENTRES:] * unit
    near = likeness(every.cells * unit, centres).astype(np.float64)
    among = likeness(centres, centres).astype(np.float64)
    weights = _fitted(near, among + 1e-6 * np.eye(len(among)), every)  # A cell may be a centre twice.
    return LookAlikes(unit, np.ascontiguousarray(centres.T), weights.astype(np.float32))


def _some(cells: Descriptions, most: int) -> Descriptions:
    return cells[evenly(np.arange(len(cells)), most)]


def _fitted(near: NDArray[np.float64], hold: NDArray[np.float64], sample: Sample) -> NDArray[np.float64]:
    """Return the ``w`` of the least ``Σ weight (log(1 + exp z) − target z) + ½ wᵀ hold w``; ``z = logit + near w``."""
    offset, target, weight = (x.astype(np.float64) for x in (sample.logit, sample.target, sample.weight))

    def loss(w: NDArray[np.float64]) -> float:
        z = offset + near @ w
        return float(weight @ (np.logaddexp(0, z) - target * z) + 0.5 * w @ hold @ w)

    w = np.zeros(len(hold))
    best = loss(w)
    for _ in range(STEPS):
        p = probability(offset + near @ w)
        gradient = near.T @ (weight * (p - target)) + hold @ w
        curvature = (near * (weight * p * (1 - p))[:, None]).T @ near + hold
        step = np.linalg.solve(curvature, gradient)
        promised, length = float(gradient @ step), 1.0
        if promised < CONVERGED * best:
            break
        while (now := loss(w - length * step)) > best - 1e-4 * length * promised and length > CONVERGED:
            length /= 2
        if now >= best:
            break
        w, best = w - length * step, now
    return w
