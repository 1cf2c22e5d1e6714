"""What people painted teaches the head: its last layer is fitted to it, and to what it said of everything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.scene.masks.head import Weights

MOST = 400
"""Cells of a stroke, and of the rest of its frame, that are kept: more tell the same."""

STEPS = 12
"""Newton's steps; after six they no longer move."""

TRUST = 4.0
"""What was painted counts this many times what the head said of the rest: one stroke must show an effect."""

ANCHOR = 0.05
"""Pull of the weights towards those that were shipped, a cell's share: holds directions that no cell speaks of."""


@dataclass(frozen=True)
class Lesson:
    """What one stroke teaches.

    Attributes
    ----------
    painted : (n, N) float32
        Activations of the last layer in the cells that were painted.
    is_foreground : bool
    rest : (m, N) float32
        The same of cells elsewhere in the frame.
    """

    painted: NDArray[np.float32]
    is_foreground: bool
    rest: NDArray[np.float32]


def lesson_of(
    activations: NDArray[np.float32], active: NDArray[np.bool_], painted: NDArray[np.bool_], *, is_foreground: bool
) -> Lesson:
    """Return what cells teach.

    Parameters
    ----------
    activations : (N, h, w) float32
        Of the last layer.
    active, painted : (h, w) bool
        Cells that the head looked at, and that were painted.
    is_foreground : bool
        What was painted them.
    """

    def some(where: NDArray[np.bool_]) -> NDArray[np.float32]:
        cells = activations[:, where].T
        step = max(1, -(-len(cells) // MOST))
        return np.ascontiguousarray(cells[::step])

    return Lesson(some(active & painted), is_foreground, some(active & ~painted))


def taught(shipped: Weights, lessons: Sequence[Lesson]) -> Weights:
    """Return weights whose output of foreground fits what was painted; the shipped ones where there is no lesson.

    Logistic regression on the last layer, with the shipped weights as the prior: painted cells have the label that
    was painted, all others the probability that the shipped weights give them.
    """
    lessons = [lesson for lesson in lessons if len(lesson.painted)]
    if not lessons:
        return shipped
    prior = np.append(shipped.leave[0], shipped.leave_bias[0]).astype(np.float64)
    cells, targets, shares = [], [], []
    for lesson in lessons:
        for x, is_painted in ((lesson.painted, True), (lesson.rest, False)):
            if not len(x):
                continue
            rows = np.column_stack([x.astype(np.float64), np.ones(len(x))])
            cells.append(rows)
            label = np.full(len(x), float(lesson.is_foreground))
            targets.append(label if is_painted else _probability(rows @ prior))
            shares.append(np.full(len(x), (TRUST if is_painted else 1.0) / len(x)))
    a, y, share = np.concatenate(cells), np.concatenate(targets), np.concatenate(shares)
    # The anchor is measured in the scale of each activation.
    scale = ANCHOR * (share @ a**2 + 1e-6)
    w = prior.copy()
    for _ in range(STEPS):
        p = _probability(a @ w)
        gradient = a.T @ (share * (p - y)) + scale * (w - prior)
        curvature = (a * (share * np.maximum(p * (1 - p), 1e-3))[:, None]).T @ a + np.diag(scale)
        step = np.linalg.solve(curvature, gradient)
        w -= step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-9))
    leave, bias = shipped.leave.copy(), shipped.leave_bias.copy()
    leave[0], bias[0] = w[:-1], w[-1]
    return replace(shipped, leave=leave, leave_bias=bias)


def _probability(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    p: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
    return p
