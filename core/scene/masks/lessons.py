"""What people painted teaches the head: painted cells are what was painted them, all others of the frame were right.

A person who paints on a frame sees it all. What is not painted is evidence as good as what is: cells that look like
painted ones and were left hold what a stroke changes. The frame does not show all that there is; a few cells of the
frames before stand for that, as the head has them (`core.scene.masks.recent`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.kernels import cell_features
from core.scene.masks.likeness import Descriptions, likeness, units_of
from core.scene.tuning import SURE

MOST = 64
"""Cells of a stroke that are kept."""

MOST_REST = 512
"""Cells of the rest of its frame that are kept: half of them those that look most like painted ones, which the stroke
would change; the other half stands for all that is left."""

MOST_LESSONS = 100
"""Lessons kept, as many as strokes; beyond, the oldest is forgotten. All of them take 13 MB."""

JUDGED = 2 * SURE
"""Logit of what a person has judged: so sure that no pixel is drawn to the other side (`PULL` in
`core.scene.masks.detection`)."""

DESCRIBED = 2 * cell_features.N
"""Numbers that describe a cell: the activations of the head's last layer, and its features."""


@dataclass(frozen=True)
class Sample:
    """Cells of a frame.

    Attributes
    ----------
    cells : (n, DESCRIBED) float32
    logit : (n,) float32
        Of foreground, as the head has it by itself.
    target : (n,) float32
        Probability of foreground that they should have.
    weight : (n,) float32
        How many cells of the frame each stands for.
    """

    cells: Descriptions
    logit: NDArray[np.float32]
    target: NDArray[np.float32]
    weight: NDArray[np.float32]

    @property
    def packed(self) -> NDArray[np.float32]:
        """All of it, (n, DESCRIBED + 3)."""
        return np.column_stack([self.cells, self.logit, self.target, self.weight])

    @staticmethod
    def unpacked(rows: NDArray[np.float32]) -> Sample:
        """Return the sample that `packed` gave."""
        logit, target, weight = (rows[:, DESCRIBED + k].copy() for k in range(3))
        return Sample(np.ascontiguousarray(rows[:, :DESCRIBED]), logit, target, weight)

    @staticmethod
    def joined(samples: Sequence[Sample]) -> Sample:
        """Return the cells of several samples."""
        return Sample.unpacked(np.concatenate([sample.packed for sample in samples]))


NO_CELLS = Sample.unpacked(np.empty((0, DESCRIBED + 3), np.float32))


@dataclass(frozen=True)
class Lesson:
    """What one stroke teaches.

    Attributes
    ----------
    is_foreground : bool
    index : int
        Frame that was painted on.
    painted : Sample
        Cells that were painted, one at least.
    rest : Sample
        Cells elsewhere in the frame, and of frames before; none where a later lesson of the same frame has them.
    """

    is_foreground: bool
    index: int
    painted: Sample
    rest: Sample


@dataclass(frozen=True)
class SeenCells:
    """What the head looked at in one frame.

    Attributes
    ----------
    cells : (n, DESCRIBED) float32
    untaught, logit : (n,) float32
        Of foreground: as the head has it by itself, and with what it was taught before.
    """

    cells: Descriptions
    untaught: NDArray[np.float32]
    logit: NDArray[np.float32]

    def sample(self, which: NDArray[np.intp], is_foreground: NDArray[np.bool_], n: int) -> Sample:
        """Return cells that stand for ``n`` of some class, of which they should surely be, or as surely as they are.

        Parameters
        ----------
        which : (m,) int
            Indices of cells.
        is_foreground : (m,) bool
            Their class.
        n : int
        """
        sure = probability(np.array(JUDGED, np.float64))
        said = probability(self.logit[which].astype(np.float64))
        target = np.where(is_foreground, np.maximum(said, sure), np.minimum(said, 1 - sure)).astype(np.float32)
        weight = np.full(len(which), n / max(len(which), 1), np.float32)
        return Sample(self.cells[which], self.untaught[which], target, weight)


def lesson_of(
    seen: SeenCells, painted: NDArray[np.bool_], rest: NDArray[np.bool_], recent: Sample, *, is_foreground: bool,
    index: int, may_stay: bool = False,
) -> Lesson | None:  # fmt: skip
    """Return what cells teach; None where the head looked at none that was painted, or had all of them right and sure.

    Where the head is sure of most of what was painted as background, and nobody knows whether that stays, it may be an
    object that belongs to the scene: its look is remembered, and says nothing of other objects.

    Parameters
    ----------
    seen : SeenCells
    painted, rest : (n,) bool
        Which of these cells were painted, and of which nobody said anything.
    recent : Sample
        Of the frames before, which nobody has judged.
    is_foreground : bool
        What was painted them.
    index : int
        Of the frame.
    may_stay : bool
        It is not known for how long the frame has shown what was painted.
    """
    if may_stay and not is_foreground and 2 * np.count_nonzero(seen.logit[painted] > SURE) > np.count_nonzero(painted):
        return None
    asked = np.flatnonzero(painted & ((seen.logit < SURE) if is_foreground else (seen.logit > -SURE)))
    if not asked.size:
        return None
    kept, others = evenly(asked, MOST), np.flatnonzero(rest)
    cells = [seen.sample(kept, np.full(len(kept), is_foreground), len(asked))]
    if len(others) > MOST_REST:
        unit = units_of(seen.cells, np.ones(len(seen.cells), np.float32))
        alike = likeness(seen.cells[others] * unit, seen.cells[kept] * unit).max(axis=1)
        order = np.argsort(-alike, kind="stable")
        most = MOST_REST // 2
        nearest, far = np.sort(others[order[:most]]), np.sort(others[order[most:]])
        some = evenly(far, MOST_REST - most)
        cells += [seen.sample(part, seen.logit[part] > 0, n) for part, n in ((nearest, most), (some, len(far)))]
    else:
        cells.append(seen.sample(others, seen.logit[others] > 0, len(others)))
    return Lesson(is_foreground, index, cells[0], Sample.joined([*cells[1:], recent]))


def with_one_rest(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Return lessons such that each frame's other cells count once, in its last lesson: only then all was painted."""
    kept: list[Lesson] = []
    later = set[int]()
    for lesson in reversed(lessons):
        has_rest = len(lesson.rest.cells) > 0
        kept.append(replace(lesson, rest=NO_CELLS) if has_rest and lesson.index in later else lesson)
        later.add(lesson.index)
    return kept[::-1]


def evenly(which: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return so many of some indices (n,) at most, as far apart as all others."""
    return which[:: max(1, -(-len(which) // most))]


def probability(logit: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of what has a logit, in the same shape."""
    p: NDArray[np.float64] = 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
    return p
