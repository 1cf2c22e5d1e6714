"""How good the masks are, beside OpenCV's background subtractors, on labelled sequences."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench import sequences
from core.bench.opencv_subtractors import make_peers, picture_for_opencv
from core.bench.scores import KEPT_TIMES, Score, Scored, session_over
from core.errors import CleanplateError
from core.frames.metrics import confusion, detection

METHODS = {
    "ours": "Cleanplate", "mog2": "MOG2", "mog2_median": "MOG2 + 5×5 median", "knn": "KNN",
    "knn_median": "KNN + 5×5 median",
}  # fmt: skip
"""What is compared, by key, in words for people."""

MEDIAN = 5
"""Width of the median that is given to the peers, pixels."""


@dataclass(frozen=True)
class MaskScore(Score):
    """Precision, recall and their harmonic mean over all scored pixels, and the median time, milliseconds a frame."""

    precision: float
    recall: float
    f: float
    ms: float

    def as_data(self) -> dict[str, float]:
        """Return plain data, rounded."""
        return {
            "precision": round(self.precision, 4), "recall": round(self.recall, 4), "f": round(self.f, 4),
            "ms": round(self.ms, 3),
        }  # fmt: skip


@dataclass(frozen=True)
class Example:
    """One frame of a sequence for a contact sheet, all at the original size, 8 bit.

    Attributes
    ----------
    number : int
        Place in the input, from 1.
    picture : (H, W) grey or (H, W, 3) BGR
    truth, ours, mog2 : (H, W)
        Labels as they are, and masks.
    """

    number: int
    picture: NDArray[np.uint8]
    truth: NDArray[np.uint8]
    ours: NDArray[np.uint8]
    mog2: NDArray[np.uint8]


@dataclass(frozen=True)
class MaskResult(Scored[MaskScore]):
    """What one sequence gave, for each key of `METHODS`.

    Attributes
    ----------
    n_scored : int
        Labelled frames.
    example : Example
    """

    n_scored: int
    example: Example


def measure(
    sequence: sequences.Sequence, passes: int = 1, tell: Callable[[int, int], None] = lambda done, total: None
) -> MaskResult:
    """Run all methods over a sequence, each frame as it comes, ours with its default settings.

    Parameters
    ----------
    sequence : core.bench.sequences.Sequence
    passes : int
        How often ours reads it; the last time is scored. The others read it once.
    tell : callable
        Called with the frames done and their number.

    Raises
    ------
    CleanplateError
        A labelled frame cannot be read or has another size than its labels: then nothing is scored.
    """
    peers = make_peers()
    tallies = {key: _Tally() for key in METHODS}
    wanted, example, n_scored = _typical(sequence), None, 0
    with session_over(sequence, passes) as session:
        total = session.source.info.n_frames or len(sequence.inputs)
        for report in session.run():
            number = report.frame.index + 1
            tell(report.pass_index * total + number, passes * total)
            if report.pass_index + 1 < passes:
                continue
            picture = picture_for_opencv(report.frame)
            masks = {"ours": report.full_mask}
            tallies["ours"].spent(report.stages_ms["step"] + report.stages_ms["mask"])
            for key, peer in peers.items():
                masks[key], masks[f"{key}_median"] = _apply(peer, picture, tallies[key], tallies[f"{key}_median"])
            truth = sequence.truth(number)
            if truth is not None:
                if truth.shape != picture.shape[:2]:
                    raise CleanplateError(f"The labels of frame {number} of {sequence.name} have another size than it.")
                for key, mask in masks.items():
                    tallies[key].count(mask, truth)
                n_scored += 1
                if number == wanted:
                    example = Example(number, picture, truth, masks["ours"], _binary(masks["mog2"]))
    if example is None or n_scored != len(sequence.labelled):
        why = "".join(f" {sentence}" for sentence in session.source.warnings[:1])
        raise CleanplateError(f"Not all labelled frames of {sequence.name} can be read, so it is not scored.{why}")
    return MaskResult(sequence.name, {key: tally.score() for key, tally in tallies.items()}, n_scored, example)


class _Tally:
    """Counts and times of one method."""

    def __init__(self) -> None:
        self._counts = np.zeros(3, np.int64)
        self._ms: deque[float] = deque(maxlen=KEPT_TIMES)

    def count(self, mask: NDArray[np.uint8], truth: NDArray[np.uint8]) -> None:
        self._counts += confusion(mask, truth)

    def spent(self, ms: float) -> None:
        self._ms.append(ms)

    def score(self) -> MaskScore:
        return MaskScore(*detection(self._counts), float(np.median(self._ms)))


def _apply(
    peer: cv2.BackgroundSubtractor, picture: NDArray[np.uint8], raw: _Tally, smoothed: _Tally
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    started = time.perf_counter()
    mask = peer.apply(picture)
    applied = time.perf_counter()
    smooth = cv2.medianBlur(mask, MEDIAN)
    ended = time.perf_counter()
    raw.spent(1e3 * (applied - started))
    smoothed.spent(1e3 * (ended - started))
    return np.asarray(mask, np.uint8), np.asarray(smooth, np.uint8)


def _binary(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return a mask as it is scored: what a peer marks as shadow, in grey, is background."""
    return np.asarray(cv2.threshold(mask, 127, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _typical(sequence: sequences.Sequence) -> int:
    """Return the frame whose labelled foreground has the median area among those that have any: neither best nor worst.

    Chosen by the labels alone, so that the frame favours no method.
    """
    shares = [(share, number) for number in sequence.labelled if (share := sequence.foreground_share(number))]
    return sorted(shares)[len(shares) // 2][1] if shares else sequence.labelled[len(sequence.labelled) // 2]
