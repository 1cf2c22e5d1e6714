"""How well events follow what is labelled: boxes in each frame, and passages that keep one event to their end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from core.bench import sequences
from core.bench.scores import session_over
from core.errors import CleanplateError
from core.events.event import Event
from core.events.regions import Corners, areas_of, find_regions
from core.events.rules import Rules
from core.events.tracker import Tracker

FOREGROUND, OUTSIDE = 255, 85
"""Labels of what moves, and of what is never scored."""

LIKE = 0.5
"""Intersection over union from which a box is that of a labelled region."""

PASSAGE = 10
"""Frames that a passage has at least: twice the shortest event."""


@dataclass(frozen=True)
class EventScore:
    """What a sequence gave.

    Attributes
    ----------
    name : str
    n_scored : int
        Labelled frames.
    precision, recall, f : float
        Of the boxes of events against the labelled regions, one to one, over all labelled frames.
    passages, broken, missed : int
        Passages; those that more than one event followed; those that none did.
    events : int
        Events in all frames.
    """

    name: str
    n_scored: int
    precision: float
    recall: float
    f: float
    passages: int
    broken: int
    missed: int
    events: int

    def as_data(self) -> dict[str, float]:
        """Return plain data, rounded."""
        return {
            "precision": round(self.precision, 4), "recall": round(self.recall, 4), "f": round(self.f, 4),
            "passages": self.passages, "broken": self.broken, "missed": self.missed, "events": self.events,
        }  # fmt: skip


def measure(sequence: sequences.Sequence, tell: Callable[[int, int], None] = lambda done, total: None) -> EventScore:
    """Run the program over a sequence with its default settings and rules, and compare its events with the labels.

    Where labels are never scored the mask is empty, for the labels are too.

    Parameters
    ----------
    sequence : core.bench.sequences.Sequence
    tell : callable
        Called with the frames done and their number.
    """
    outside = np.asarray(sequence.truth(sequence.labelled[0])) == OUTSIDE
    tracker, events, truth = Tracker(Rules()), list[Event](), dict[int, Corners]()
    with session_over(sequence, 1) as session:
        for report in session.run():
            index = report.frame.index
            mask = report.full_mask
            if mask.shape != outside.shape:
                raise CleanplateError(f"The labels of {sequence.name} have another size than its frames.")
            regions = find_regions(mask * ~outside)
            events += tracker.update(index, report.frame.time_s, regions, report.scene_first)[1]
            labels = sequence.truth(index + 1)
            if labels is not None:
                truth[index] = labelled_regions(labels)
            tell(index + 1, len(sequence.inputs))
    return score(sequence.name, truth, events + tracker.finish())


def labelled_regions(labels: NDArray[np.uint8]) -> Corners:
    """Return the boxes (N, 4) of the connected regions of foreground in labels (H, W)."""
    found = cv2.connectedComponentsWithStats((labels == FOREGROUND).astype(np.uint8), connectivity=8)[2][1:]
    corners: Corners = found[:, :4].astype(np.float64)
    corners[:, 2:] += corners[:, :2]
    return corners


def score(name: str, truth: dict[int, Corners], events: Sequence[Event]) -> EventScore:
    """Compare events with the boxes of labelled regions (N, 4), by frame.

    Parameters
    ----------
    name : str
    truth : dict of int to (N, 4)
        For each labelled frame, also those in which nothing moves.
    events : sequence of Event
    """
    boxes: dict[int, list[tuple[int, ...]]] = {index: [] for index in truth}
    for event in events:
        for index, *box in event.rows[:, :5].tolist():
            if index in boxes:
                boxes[index].append((event.number, *box))
    n_right = n_found = n_labelled = 0
    follows: dict[int, list[int]] = {}
    for index, corners in truth.items():
        rows = np.array(boxes[index], float).reshape(-1, 5)
        found = np.hstack([rows[:, 1:3], rows[:, 1:3] + rows[:, 3:5]])
        like = overlaps(corners, found)
        pairs = [(i, j) for i, j in zip(*linear_sum_assignment(like >= LIKE, maximize=True), strict=True)
                 if like[i, j] >= LIKE]  # fmt: skip
        numbers = [0] * len(corners)
        for i, j in pairs:
            numbers[i] = int(rows[j, 0])
        follows[index] = numbers
        n_right, n_found, n_labelled = n_right + len(pairs), n_found + len(rows), n_labelled + len(corners)
    followed = [{follows[index][i] for index, i in passage} - {0} for passage in passages(truth)]
    return EventScore(
        name, len(truth), n_right / max(n_found, 1), n_right / max(n_labelled, 1),
        2 * n_right / max(n_found + n_labelled, 1), len(followed), sum(len(numbers) > 1 for numbers in followed),
        sum(not numbers for numbers in followed), len(events),
    )  # fmt: skip


def passages(truth: dict[int, Corners]) -> list[list[tuple[int, int]]]:
    """Return the passages in labels, corners (n, 4) by frame: of each the frames, and which region of the frame it is.

    A region goes on as the one region of the next frame that it overlaps, if that overlaps no other: where regions
    part or meet, labels do not say which is which, and passages end.
    """
    done: list[list[tuple[int, int]]] = []
    current: dict[int, list[tuple[int, int]]] = {}
    before: Corners = np.zeros((0, 4))
    previous = None
    for index, corners in sorted(truth.items()):
        touches = overlaps(before, corners) > 0
        if previous != index - 1:
            touches[...] = False
        next_: dict[int, list[tuple[int, int]]] = {}
        for j in range(len(corners)):
            from_ = np.flatnonzero(touches[:, j])
            alone = len(from_) == 1 and touches[from_[0]].sum() == 1
            passage = current.pop(int(from_[0])) if alone else []
            passage.append((index, j))
            next_[j] = passage
        done += current.values()
        current, before, previous = next_, corners, index
    done += current.values()
    return [passage for passage in done if len(passage) >= PASSAGE]


def overlaps(a: Corners, b: Corners) -> NDArray[np.float64]:
    """Return intersection over union (N, M) of boxes ``a`` (N, 4) and ``b`` (M, 4): 1 the same, 0 apart."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = np.maximum(high - low, 0).prod(axis=2)
    return np.asarray(shared / np.maximum(areas_of(a)[:, None] + areas_of(b)[None, :] - shared, 1e-9))
