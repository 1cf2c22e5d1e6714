"""What one painted stroke does for the masks of all later frames, on labelled sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench import sequences
from core.bench.scores import session_over
from core.frames.metrics import confusion, detection, shows_background, shows_foreground
from core.scene.masks.strokes import Pixels

Mask = NDArray[np.uint8]


@dataclass(frozen=True)
class Mistake:
    """The largest connected region of wrong pixels of a mask.

    Attributes
    ----------
    number : int
        Of its frame, from 1.
    where : (H, W) bool
    is_background : bool
        It was taken for foreground.
    """

    number: int
    where: Pixels
    is_background: bool

    @property
    def painted(self) -> str:
        """What has to be painted over it."""
        return "background" if self.is_background else "foreground"

    @property
    def n_pixels(self) -> int:
        """Its size."""
        return int(np.count_nonzero(self.where))


@dataclass(frozen=True)
class StrokeResult:
    """What painting over the largest mistake gave.

    Attributes
    ----------
    name : str
    mistake : Mistake
        What was painted.
    before, after : float
        F over all scored pixels of the later frames, without the stroke and with it.
    """

    name: str
    mistake: Mistake
    before: float
    after: float

    def as_data(self) -> dict[str, object]:
        """Return plain data, rounded."""
        return {
            "frame": self.mistake.number, "painted": self.mistake.painted, "pixels": self.mistake.n_pixels,
            "before": round(self.before, 4), "after": round(self.after, 4),
        }  # fmt: skip


def measure(sequence: sequences.Sequence, tell: Callable[[int, int], None] = lambda done, total: None) -> StrokeResult:
    """Read a sequence as it is, then again with the largest mistake of its first half painted over as it comes.

    Both times in one pass, default settings, at full size.

    Parameters
    ----------
    sequence : core.bench.sequences.Sequence
    tell : callable
        Called with the frames done and their number, of both readings together.

    Raises
    ------
    CleanplateError
        A frame or its labels cannot be read.
    NothingToScoreError
        No pixel is wrong in the first half.
    """
    labelled = sequence.labelled
    half, total = labelled[len(labelled) // 2], 2 * len(sequence.inputs)
    counts: dict[int, NDArray[np.int64]] = {}
    worst: Mistake | None = None
    size = 0
    for number, mask, truth in _scored(sequence, None, lambda done: tell(done, total)):
        counts[number] = confusion(mask, truth)
        if number > half:
            continue
        for is_background in (True, False):
            where, area = _largest_mistake(mask, truth, is_background=is_background)
            if area > size:
                worst, size = Mistake(number, where, is_background), area
    if worst is None:
        raise sequences.NothingToScoreError(
            f"No mask of the first half of {sequence.name} is wrong; there is nothing to paint."
        )
    before = sum((count for number, count in counts.items() if number > worst.number), np.zeros(3, np.int64))
    after = np.zeros(3, np.int64)
    for number, mask, truth in _scored(sequence, worst, lambda done: tell(total // 2 + done, total)):
        if number > worst.number:
            after += confusion(mask, truth)
    return StrokeResult(sequence.name, worst, detection(before)[2], detection(after)[2])


def _scored(
    sequence: sequences.Sequence, stroke: Mistake | None, tell: Callable[[int], None]
) -> Iterator[tuple[int, Mask, Mask]]:
    """Yield number, mask and labels (H, W) of each labelled frame, with a stroke painted when its frame has come."""
    with session_over(sequence, 1) as session:
        for report in session.run():
            number = report.frame.index + 1
            tell(number)
            truth = sequence.truth(number)
            if truth is not None:
                yield number, report.full_mask, truth
            if stroke is not None and number == stroke.number:
                painted = (stroke.where, None) if stroke.is_background else (None, stroke.where)
                session.strokes.paint(report.frame, *painted)


def _largest_mistake(mask: Mask, truth: Mask, *, is_background: bool) -> tuple[Pixels, int]:
    """Return the largest connected region that is wrong in one way, (H, W), and its pixels."""
    found = mask > 127
    wrong = found & shows_background(truth) if is_background else ~found & shows_foreground(truth)
    n, regions, stats, _ = cv2.connectedComponentsWithStats(wrong.view(np.uint8), connectivity=4)
    if n == 1:
        return wrong, 0
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    return regions == largest, int(stats[largest, cv2.CC_STAT_AREA])
