"""What people painted teaches the head: its last layer is fitted to it, and to what it said of everything else."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.scene.masks.head import Weights
from core.scene.tuning import SURE
from core.state_schema import FREE, SWITCH, ArraySpec, Range, State, StateSchema, all_or_none

MOST = 256
"""Cells of a stroke, and of the rest of its frame, that are kept: fifteen for each weight that is fitted."""

MOST_LESSONS = 100
"""Lessons kept, as many as strokes; beyond, the oldest is forgotten. All of them take 3 MB."""

TRUST = 0.1
"""Weight of a large stroke; the rest of its frame weighs 1, and so does all that the head saw in training.

The rest is most of the picture, and mostly right. Over 25 mistakes on five labelled sequences, each painted over, F of
the cells of later frames rose by 0.0020 on average with 0.05, by 0.0025 with 0.1 and 0.0024 with 0.2, and fell by
0.003, 0.006 and 0.012 at worst.
"""

STEPS = 30
"""Newton's steps at most; the fit ends earlier where it has converged."""

CONVERGED = 1e-9
"""A step that promises less ends the fit; the loss is around 0.1 for each lesson."""


@dataclass(frozen=True)
class Lesson:
    """What one stroke teaches.

    Attributes
    ----------
    painted : (n, N) float32
        Activations of the last layer in the cells that were painted, n > 0.
    is_foreground : bool
    rest : (m, N) float32
        The same of cells elsewhere in the frame.
    """

    painted: NDArray[np.float32]
    is_foreground: bool
    rest: NDArray[np.float32]


def lesson_of(
    activations: NDArray[np.float32],
    logit: NDArray[np.float32],
    active: NDArray[np.bool_],
    painted: NDArray[np.bool_],
    rest: NDArray[np.bool_],
    *,
    is_foreground: bool,
) -> Lesson | None:
    """Return what cells teach; None where the head looked at none that was painted, or was sure of them.

    Where the head is sure that what was painted as background is none, it is an object that belongs to the scene: its
    look is remembered, and says nothing of other objects; where most of a stroke is such, all of it teaches nothing.

    Parameters
    ----------
    activations : (N, h, w) float32
        Of the last layer.
    logit : (h, w) float32
        Of foreground, as the head has it now.
    active, painted, rest : (h, w) bool
        Cells that the head looked at, that were painted, and of which nobody said anything.
    is_foreground : bool
        What was painted them.
    """

    def some(where: NDArray[np.bool_]) -> NDArray[np.float32]:
        rows, columns = np.nonzero(where)
        step = max(1, -(-len(rows) // MOST))
        return np.ascontiguousarray(activations[:, rows[::step], columns[::step]].T, np.float32)

    asked = active & painted
    if not is_foreground and 2 * np.count_nonzero(logit[asked] > SURE) > np.count_nonzero(asked):
        return None
    found = some(asked & (np.abs(logit) < SURE))
    return Lesson(found, is_foreground, some(active & rest)) if len(found) else None


def taught(shipped: Weights, lessons: Sequence[Lesson], experience: NDArray[np.float64]) -> Weights:
    """Return weights whose output of foreground fits what was painted; the shipped ones where there is no lesson.

    Logistic regression of the last layer (Newton's method with backtracking), about the shipped weights ``w0``: it
    minimises the sum of ``share · cross entropy(target, p)`` over the cells of all lessons, plus
    ``½ (w − w0)ᵀ E (w − w0)``, which stands for all that they were fitted to. Painted cells have the target that was
    painted, or what the shipped weights say where that is surer of it; all others what the shipped weights say, so that
    without painted cells ``w0`` is the minimum. The problem is strictly convex.

    Parameters
    ----------
    shipped : Weights
    lessons : sequence of Lesson
    experience : (N + 1, N + 1) float64
        ``E``: see `core.scene.masks.head.experience`.
    """
    if not lessons:
        return shipped
    w = np.append(shipped.leave[0], shipped.leave_bias[0]).astype(np.float64)
    rows, target, share = _problem(lessons, w)
    # In the scale of the activations all weights weigh alike: the equations are well-conditioned. What is 0 in all
    # cells has no scale, and would not move anyway.
    square = share @ rows**2 + experience.diagonal()
    root = np.sqrt(np.maximum(square, 1e-6 * square.max()))
    hold = experience / np.outer(root, root) + 1e-6 * np.eye(len(w))
    w = w + _fitted(rows / root, rows @ w, target, share, hold) / root
    leave, bias = shipped.leave.copy(), shipped.leave_bias.copy()
    leave[0], bias[0] = w[:-1], w[-1]
    return replace(shipped, leave=leave, leave_bias=bias)


def _problem(
    lessons: Sequence[Lesson], prior: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return activations and 1 (n, N + 1), targets (n), and shares (n)."""
    rows, targets, shares = [], [], []
    sure = float(probability(np.array(SURE, np.float64)))
    for lesson in lessons:
        n, m = len(lesson.painted), len(lesson.rest)
        cells = np.concatenate([lesson.painted, lesson.rest]).astype(np.float64)
        rows.append(np.column_stack([cells, np.ones(n + m)]))
        said = probability(rows[-1] @ prior)
        told = np.maximum(said[:n], sure) if lesson.is_foreground else np.minimum(said[:n], 1 - sure)
        targets.append(np.append(told, said[n:]))
        shares.append(np.append(np.full(n, TRUST / (n + prior.size)), np.full(m, 1 / max(m, 1))))
    return np.concatenate(rows), np.concatenate(targets), np.concatenate(shares)


def _fitted(
    a: NDArray[np.float64],
    offset: NDArray[np.float64],
    target: NDArray[np.float64],
    share: NDArray[np.float64],
    hold: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the ``u`` that minimises ``Σ share (log(1 + exp z) − target z) + ½ uᵀ hold u``; ``z = offset + a u``."""

    def loss(u: NDArray[np.float64]) -> float:
        z = offset + a @ u
        return float(share @ (np.logaddexp(0, z) - target * z) + 0.5 * u @ hold @ u)

    u = np.zeros(a.shape[1])
    best = loss(u)
    for _ in range(STEPS):
        p = probability(offset + a @ u)
        gradient = a.T @ (share * (p - target)) + hold @ u
        curvature = (a * (share * p * (1 - p))[:, None]).T @ a + hold
        step = np.linalg.solve(curvature, gradient)
        promised, length = float(gradient @ step), 1.0
        if promised < CONVERGED:
            break
        while (now := loss(u - length * step)) > best - 1e-4 * length * promised and length > CONVERGED:
            length /= 2
        if now >= best:
            break
        u, best = u - length * step, now
    return u


def probability(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of what has a logit."""
    p: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
    return p


def state_of(lessons: Sequence[Lesson], layout: Layout, shipped: Weights) -> dict[str, NDArray[np.generic]]:
    """Return lessons as arrays for a model; none where there are none."""
    if not lessons:
        return {}
    return {
        "lessons_head": np.array(_fingerprint(shipped), np.int64),
        "lessons_shapes": np.array(layout.shapes),
        "lessons_sizes": np.array([[x.is_foreground, len(x.painted), len(x.rest)] for x in lessons], np.int64),
        "lessons_cells": np.concatenate([part for x in lessons for part in (x.painted, x.rest)]),
    }


def lessons_schema(layout: Layout, shipped: Weights) -> StateSchema:
    """Return what `state_of` may give."""

    def agree(state: State) -> str | None:
        n_cells, n_activations = state["lessons_cells"].shape
        if n_cells != int(state["lessons_sizes"][:, 1:].sum()):
            return "lessons_sizes do not fit the number of lessons_cells"
        if n_activations != shipped.leave.shape[1] and int(state["lessons_head"]) == _fingerprint(shipped):
            return "lessons_cells do not fit the head"
        fits = np.array_equal(state["lessons_shapes"], layout.shapes)
        return None if fits else "lessons_shapes are not those of the frames"

    learnt = all_or_none({
        "lessons_head": ArraySpec(np.int64, (), (Range(0, 2**32 - 1),)),
        "lessons_shapes": ArraySpec(np.int64, (len(layout.shapes), 2), (Range(1, max(layout.shapes[0])),)),
        "lessons_sizes": ArraySpec(np.int64, ("n_lessons", 3), (SWITCH, Range(1, MOST), Range(0, MOST))),
        "lessons_cells": ArraySpec(np.float32, ("n_cells", "n_activations"), (FREE,)),
    }, agree)  # fmt: skip
    return replace(learnt, sizes={"n_lessons": range(1, MOST_LESSONS + 1)})


def load_lessons(state: Mapping[str, NDArray[np.generic]], layout: Layout, shipped: Weights) -> tuple[Lesson, ...]:
    """Return the lessons that `state_of` gave; none of another size, or of another head, whose activations differ."""
    if not np.array_equal(state.get("lessons_shapes", ()), layout.shapes):
        return ()
    if int(state["lessons_head"]) != _fingerprint(shipped):
        return ()
    cells, lessons = np.asarray(state["lessons_cells"], np.float32), []
    for is_foreground, n, m in np.asarray(state["lessons_sizes"]).tolist():
        lessons.append(Lesson(cells[:n].copy(), bool(is_foreground), cells[n : n + m].copy()))
        cells = cells[n + m :]
    return tuple(lessons)


def _fingerprint(weights: Weights) -> int:
    """Return a checksum of all layers: to other weights, lessons mean nothing."""
    sum_ = 0
    for array in (weights.enter, weights.enter_bias, weights.spread, weights.mix, weights.mix_bias, weights.leave):
        sum_ = zlib.crc32(array.tobytes(), sum_)
    return sum_
