"""How good the plates are, beside the temporal median and OpenCV's background images, on labelled sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bench import sequences
from core.bench.opencv_subtractors import PEERS, grey, make_peers, picture_for_opencv, read_for_opencv
from core.bench.scores import Score, Scored, session_over
from core.errors import CleanplateError
from core.frames.frame import frame_from_image

METHODS = {"ours": "Cleanplate", "median": "median", **PEERS}
"""What is compared, by key, in words for people."""

FRAMES = 150
"""About how many evenly spaced frames the true background and the temporal median are made of."""

FAR = 20
"""Grey levels, of 255, from which on a pixel counts as wrong."""

BUDGET_BYTES = 128 << 20
"""Memory for the frames of a median; larger ones are made in parts, reading the images again for each."""


@dataclass(frozen=True)
class PlateScore(Score):
    """Mean absolute grey-level error, 0 to 255, and the percentage of pixels that are off by more than `FAR`."""

    age: float
    peps: float

    def as_data(self) -> dict[str, float]:
        """Return plain data, rounded."""
        return {"age": round(self.age, 3), "peps": round(self.peps, 3)}


class PlateResult(Scored[PlateScore]):
    """What one sequence gave, for each key of `METHODS`."""


def measure(
    sequence: sequences.Sequence, passes: int = 2, tell: Callable[[int, int], None] = lambda done, total: None
) -> PlateResult:
    """Make the plate of a sequence with every method and score it, ours with its default settings.

    Parameters
    ----------
    sequence : core.bench.sequences.Sequence
    passes : int
        How often ours and OpenCV's methods see the sequence.
    tell : callable
        Called with the frames done and their number, over all passes.

    Raises
    ------
    CleanplateError
        Images cannot be read.
    NothingToScoreError
        No frame shows the background, which is said before anything else is done.
    """
    truth, seen, median = backgrounds(sequence)  # First: of some sequences there is none.
    peers = make_peers()
    with session_over(sequence, passes) as session:
        total = session.source.info.n_frames or len(sequence.inputs)
        for report in session.run():
            picture = picture_for_opencv(report.frame)
            for peer in peers.values():
                peer.apply(picture)
            tell(report.pass_index * total + report.frame.index + 1, passes * total)
        depth = session.layout.bit_depth
        ours = picture_for_opencv(frame_from_image(0, 0.0, session.plate(), bit_depth=depth))
    plates = {"ours": ours, "median": median} | {
        key: np.asarray(peer.getBackgroundImage(), np.uint8) for key, peer in peers.items()
    }
    return PlateResult(sequence.name, {key: score(plates[key], truth, seen) for key in METHODS})


def score(plate: NDArray[np.uint8], truth: NDArray[np.uint8], seen: NDArray[np.bool_]) -> PlateScore:
    """Score a plate where the scene is known.

    Parameters
    ----------
    plate, truth : (H, W) grey or (H, W, 3) BGR, uint8
    seen : (H, W) bool
        Where the true background is known.
    """
    if plate.shape[:2] != truth.shape[:2]:
        raise CleanplateError("The plate has another size than the scene; images of a sequence have one size.")
    error = np.abs(grey(plate).astype(np.float32) - grey(truth))[seen]
    return PlateScore(float(error.mean()), 100 * float((error > FAR).mean()))


def backgrounds(sequence: sequences.Sequence) -> tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.uint8]]:
    """Return the true background of a sequence, where it is known, and the temporal median.

    Both are medians at each pixel over evenly spaced frames: the first over those in which the pixel is labelled as
    background, the second over all. Halves are rounded down.

    Returns
    -------
    truth : (H, W) grey or (H, W, 3) BGR, uint8
    seen : (H, W) bool
    median : like ``truth``
    """
    paths = sequence.inputs[:: max(1, len(sequence.inputs) // FRAMES)]
    first = read_for_opencv(paths[0])
    truth, median, seen = np.zeros_like(first), np.zeros_like(first), np.zeros(first.shape[:2], np.bool_)
    # Two bytes a sample, for the stack and for its sorted copy.
    rows = max(1, BUDGET_BYTES // (4 * len(paths) * first[0].size))
    for top in range(0, first.shape[0], rows):
        part = slice(top, min(top + rows, first.shape[0]))
        looks, visible = _looks(sequence, paths, part, first.shape)
        median[part] = _median(looks, np.ones_like(visible))
        truth[part], seen[part] = _median(looks, visible), visible.any(axis=0)
    if not seen.any():
        raise sequences.NothingToScoreError(
            f"No frame of {sequence.name} is labelled as background anywhere, so it has no truth."
        )
    return truth, seen, median


def _looks(
    sequence: sequences.Sequence, paths: Sequence[Path], part: slice, shape: tuple[int, ...]
) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
    """Return rows of all frames (N, h, W[, 3]), and where each is labelled as background (N, h, W)."""
    height = part.stop - part.start
    looks = np.empty((len(paths), height, *shape[1:]), np.uint16)
    visible = np.zeros((len(paths), height, shape[1]), np.bool_)
    for i, path in enumerate(paths):
        looks[i] = read_for_opencv(path)[part]
        labels = sequence.truth_of(path)
        if labels is not None:
            visible[i] = labels[part] == 0
    return looks, visible


def _median(looks: NDArray[np.uint16], visible: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the median over the first axis of what is visible, halves rounded down; 0 where nothing is."""
    if looks.ndim == 4:
        visible = visible[..., None]
    hidden_last = np.sort(np.where(visible, looks, np.uint16(65535)), axis=0)
    count = np.broadcast_to(visible.sum(axis=0), looks.shape[1:])
    low = np.take_along_axis(hidden_last, np.maximum(count - 1, 0)[None] // 2, axis=0)[0]
    high = np.take_along_axis(hidden_last, (count // 2).clip(0, len(looks) - 1)[None], axis=0)[0]
    middle = (low.astype(np.uint32) + high) // 2
    return np.where(count > 0, middle, 0).astype(np.uint8)
