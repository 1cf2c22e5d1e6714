"""How good the masks of short clips are, beside the best fixed threshold on the difference from the temporal median."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench import sequences
from core.bench.opencv_subtractors import grey, picture_for_opencv
from core.bench.scores import session_over
from core.frames.metrics import confusion, detection

LENGTH = 40
"""Frames of a clip."""

CUTS = 3
"""Clips that are cut from a sequence, evenly spread over the labelled frames that show foreground."""

THRESHOLDS = tuple(range(4, 44, 4))
"""Grey levels that are tried; the best is taken for each sequence by its labels, which ours never sees."""

MEDIAN = 5
"""Width of the median that cleans what is thresholded, pixels."""


@dataclass(frozen=True)
class ShortResult:
    """What the clips of one sequence gave.

    Attributes
    ----------
    name : str
    clips : tuple of (int, int)
        First and last frame of each, from 1.
    ours : float
        F over all scored pixels of all clips; two passes, default settings.
    fixed : float
        The same of the best fixed threshold.
    threshold : int
        It, grey levels.
    """

    name: str
    clips: tuple[tuple[int, int], ...]
    ours: float
    fixed: float
    threshold: int

    def as_data(self) -> dict[str, object]:
        """Return plain data, rounded."""
        return {
            "clips": [list(clip) for clip in self.clips], "ours": round(self.ours, 4), "fixed": round(self.fixed, 4),
            "threshold": self.threshold,
        }  # fmt: skip


def measure(
    sequence: sequences.Sequence,
    tell: Callable[[int, int], None] = lambda done, total: None,
    *,
    length: int = LENGTH,
    n_cuts: int = CUTS,
) -> ShortResult:
    """Cut clips out of a sequence, and score the masks of each as if it were all there is.

    Parameters
    ----------
    sequence : core.bench.sequences.Sequence
    tell : callable
        Called with the clips done and their number.
    length, n_cuts : int
        Frames of a clip, and clips.

    Raises
    ------
    CleanplateError
        A frame or its labels cannot be read.
    """
    clips = _cuts(sequence, length, n_cuts)
    ours, fixed = np.zeros(3, np.int64), np.zeros((len(THRESHOLDS), 3), np.int64)
    for done, clip in enumerate(clips):
        tell(done, len(clips))
        pictures, truths = [], []
        with session_over(sequence, 2, clip) as session:
            for report in session.run():
                if report.pass_index != 1:
                    continue
                truth = sequence.truth(report.frame.index + clip[0])
                pictures.append(grey(picture_for_opencv(report.frame)))
                truths.append(truth)
                if truth is not None:
                    ours += confusion(report.full_mask, truth)
        fixed += _thresholded(pictures, truths)
    tell(len(clips), len(clips))
    scores = [detection(counts)[2] for counts in fixed]
    best = int(np.argmax(scores))
    return ShortResult(sequence.name, clips, detection(ours)[2], scores[best], THRESHOLDS[best])


def _cuts(sequence: sequences.Sequence, length: int, n_cuts: int) -> tuple[tuple[int, int], ...]:
    """Return clips around frames that show something, evenly spread among these: of others nothing is to be found."""
    labelled = sequence.labelled
    shown = [number for number in labelled if sequence.foreground_share(number) > 0] or labelled
    middles = [shown[int((k + 0.5) * len(shown) / n_cuts)] for k in range(n_cuts)]
    latest = max(labelled[-1] - length + 1, labelled[0])
    starts = sorted({min(max(middle - length // 2, labelled[0]), latest) for middle in middles})
    return tuple((start, start + length - 1) for start in starts)


def _thresholded(
    pictures: Sequence[NDArray[np.uint8]], truths: Sequence[NDArray[np.uint8] | None]
) -> NDArray[np.int64]:
    """Return what each threshold on |frame − median| found, missed, and took for foreground."""
    plate = np.median(np.stack(pictures), axis=0).astype(np.uint8)
    counts = np.zeros((len(THRESHOLDS), 3), np.int64)
    for picture, truth in zip(pictures, truths, strict=True):
        if truth is None:
            continue
        apart = cv2.absdiff(picture, plate)
        for k, threshold in enumerate(THRESHOLDS):
            found = cv2.threshold(apart, threshold, 255, cv2.THRESH_BINARY)[1]
            counts[k] += confusion(np.asarray(cv2.medianBlur(found, MEDIAN), np.uint8), truth)
    return counts
