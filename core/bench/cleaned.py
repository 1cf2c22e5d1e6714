"""How much of what passes is left in cleaned frames, on labelled sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench import sequences
from core.bench.opencv_subtractors import grey, picture_for_opencv, read_for_opencv
from core.bench.scores import Score, mean, session_over
from core.errors import CleanplateError
from core.frames.frame import Values, frame_from_image

FRAMES = 120
"""About how many evenly spaced labelled frames are scored, and make the true plate."""

LABELLED = 20
"""Labels above this are foreground, shadow or not known: all that may hide the scene."""

WIDER = 2
"""Pixels around what is labelled that count as well: objects end softly."""

FAR = 20
"""Grey levels, of 255, from which on a pixel counts as left."""

BUDGET_BYTES = 128 << 20
"""Memory for the frames of the true plate; larger ones are made in parts, each reading the images again."""

Grey = NDArray[np.uint8 | np.float32]
Plate = NDArray[np.float32]
Hidden = NDArray[np.bool_]


@dataclass(frozen=True)
class CleanedScore(Score):
    """How cleaned frames differ from the true plate where something hid it.

    Attributes
    ----------
    left : float
        Percentage of the pixels that differ by more than `FAR` grey levels.
    age : float
        Mean absolute grey-level error, 0 to 255.
    """

    left: float
    age: float

    def as_data(self) -> dict[str, float]:
        """Return plain data, rounded."""
        return {"left": round(self.left, 3), "age": round(self.age, 3)}


@dataclass(frozen=True)
class CleanedResult:
    """What one sequence gave."""

    name: str
    n_scored: int
    score: CleanedScore


class Truth:
    """The true plate of a sequence, and what is left of what hides it.

    The plate is each pixel's median over the scored frames that do not hide it; a cleaned frame may be lighter or
    darker than it by as much as the frame itself is, in the median, where nothing hides it.

    Parameters
    ----------
    sequence : core.bench.sequences.Sequence

    Raises
    ------
    CleanplateError
        A frame cannot be read or has another size than its labels.
    NothingToScoreError
        Nothing of the scene is ever visible, or nothing that is visible is ever hidden.
    """

    def __init__(self, sequence: sequences.Sequence) -> None:
        self._sequence = sequence
        numbers = sequence.labelled[:: max(1, len(sequence.labelled) // FRAMES)]
        self.numbers = frozenset(numbers)
        self._plate = self._median(numbers)
        if np.isnan(self._plate).all():
            raise sequences.NothingToScoreError(
                f"No labelled frame of {sequence.name} shows the background, so it has no truth."
            )
        if not any(hidden.any() and visible.any() for hidden, visible in map(self._known, numbers)):
            raise sequences.NothingToScoreError(
                f"No labelled frame of {sequence.name} hides what others show: nothing to score."
            )
        self._n_far = self._n = 0
        self._sum = 0.0

    def count(self, number: int, frame: Grey, cleaned: Grey) -> None:
        """Take note of a grey frame (H, W) by its number in `numbers`, and of what was made of it."""
        hidden, visible = self._known(number)
        if not visible.any():
            return
        lighter = np.median((frame - self._plate)[visible])
        miss = np.abs(cleaned - self._plate - lighter)[hidden]
        self._n_far += int((miss > FAR).sum())
        self._n += miss.size
        self._sum += float(miss.sum(dtype=np.float64))

    def score(self) -> CleanedScore:
        """Return the score of all that was counted."""
        return CleanedScore(100 * self._n_far / self._n, self._sum / self._n)

    def _known(self, number: int) -> tuple[Hidden, Hidden]:
        """Return where (H, W) the plate is known, of what a frame hides and of what it shows."""
        hidden, known = self._hidden(number), ~np.isnan(self._plate)
        return known & hidden, known & ~hidden

    def _hidden(self, number: int) -> Hidden:
        labels = self._sequence.truth(number)
        assert labels is not None, "labelled frames have labels"
        square = np.ones((2 * WIDER + 1, 2 * WIDER + 1), np.uint8)
        return np.asarray(cv2.dilate((labels > LABELLED).astype(np.uint8), square) > 0)

    def _median(self, numbers: Sequence[int]) -> Plate:
        first = self._hidden(numbers[0])
        plate = np.full(first.shape, np.nan, np.float32)
        rows = max(1, BUDGET_BYTES // (4 * len(numbers) * first.shape[1]))
        for top in range(0, first.shape[0], rows):
            part = slice(top, min(top + rows, first.shape[0]))
            seen = []
            for number in numbers:
                frame = grey(read_for_opencv(self._sequence.inputs[number - 1]))
                hidden = self._hidden(number)
                if hidden.shape != frame.shape:
                    raise CleanplateError(
                        f"The labels of frame {number} of {self._sequence.name} have another size than it."
                    )
                seen.append(np.where(hidden[part], np.float32(np.nan), frame[part]))
            plate[part] = _median_of_seen(np.stack(seen))
        return plate


def measure(
    sequence: sequences.Sequence, passes: int = 2, tell: Callable[[int, int], None] = lambda done, total: None
) -> CleanedResult:
    """Clean a sequence with default settings, and score what is left.

    Parameters
    ----------
    sequence : core.bench.sequences.Sequence
    passes : int
        How often it is read; frames of the last time are scored.
    tell : callable
        Called with the frames done and their number, over all passes.

    Raises
    ------
    CleanplateError
        Images cannot be read.
    NothingToScoreError
        As for `Truth`, before anything else is done.
    """
    truth = Truth(sequence)
    n_scored = 0
    with session_over(sequence, passes) as session:
        total = session.source.info.n_frames or len(sequence.inputs)
        for report in session.run():
            number = report.frame.index + 1
            if report.pass_index == passes - 1 and number in truth.numbers:
                depth = report.frame.full.layout.bit_depth
                truth.count(
                    number, grey(picture_for_opencv(report.frame)), grey(_as_opencv(report.cleaned_image, depth))
                )
                n_scored += 1
            tell(report.pass_index * total + number, passes * total)
    if n_scored != len(truth.numbers):
        raise CleanplateError(f"Not all labelled frames of {sequence.name} can be read, so it is not scored.")
    return CleanedResult(sequence.name, n_scored, truth.score())


def as_data(results: Sequence[CleanedResult]) -> dict[str, object]:
    """Return plain data for JSON."""
    rows = {r.name: {**r.score.as_data(), "n_scored": r.n_scored} for r in results}
    return {"sequences": rows, "mean": mean([r.score for r in results]).as_data()}


def _as_opencv(picture: Values, bit_depth: int) -> NDArray[np.uint8]:
    return picture_for_opencv(frame_from_image(0, 0.0, picture, bit_depth=bit_depth))


def _median_of_seen(looks: Plate) -> Plate:
    """Return the median over the first axis, NaN left out; NaN where there is nothing else."""
    in_order = np.sort(looks, axis=0)  # NaN comes last.
    count = looks.shape[0] - np.isnan(looks).sum(axis=0, dtype=np.intp)
    low, high = (np.maximum(k, 0)[None] for k in ((count - 1) // 2, count // 2))
    middle = np.take_along_axis(in_order, low, axis=0) + np.take_along_axis(in_order, high, axis=0)
    return np.asarray(middle[0] / 2, np.float32)
