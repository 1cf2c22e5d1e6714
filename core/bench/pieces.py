"""What a long film loses by being run in pieces: masks and plate beside those of one run, on labelled sequences."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.bench import sequences
from core.bench.opencv_subtractors import read_for_opencv
from core.bench.plates import backgrounds, score
from core.errors import CleanplateError
from core.frames.metrics import confusion, detection
from core.io.sinks.coded import H264
from core.io.sources import InputSpec, open_source
from core.io.sources.reading import Unreadable, read_picture

FPS = 25
"""Of the long film."""

MOST_F, MOST_AGE = 0.01, 0.2
"""By how much masks and plate of pieces may be worse than those of one run: F-measure, and grey levels. They may be
better by more: a run makes its plate of so many frames, however long it is, and each piece of as many."""


@dataclass(frozen=True)
class LongScore:
    """How good masks and plate of a run are.

    Attributes
    ----------
    f : float
        F-measure over all scored pixels.
    age : float
        Mean error of the plate, grey levels of 255.
    """

    f: float
    age: float

    def as_data(self) -> dict[str, float]:
        """Return plain data, rounded."""
        return {"f": round(self.f, 4), "age": round(self.age, 3)}


def write_film(sequence: sequences.Sequence, path: Path, minutes: float, tell: Callable[[int, int], None]) -> Path:
    """Write a film of so many minutes, the sequence over and over, as H.264; return its path.

    Raises
    ------
    CleanplateError
        An image cannot be read, or the disk is full.
    """
    n_frames = max(1, round(60 * minutes * FPS))
    film = H264(path, FPS)
    film.open(path.parent)
    try:
        for index in range(n_frames):
            image = sequence.inputs[index % len(sequence.inputs)]
            try:
                film.write(index + 1, index / FPS, read_picture(image).image)
            except Unreadable as reason:
                raise CleanplateError(f"{image} {reason}; mend it, or choose other sequences (--only).") from reason
            tell(index + 1, n_frames)
        film.close()
    except BaseException:
        film.abort()
        raise
    return path


def measure(sequence: sequences.Sequence, results: Path) -> LongScore:
    """Score the results of a run on that film: ``mask.mkv`` and ``plate.png``.

    Raises
    ------
    CleanplateError
        They are not there, or have another size than the labels.
    """
    counts = np.zeros(3, np.int64)
    with closing(open_source(InputSpec(str(results / "mask.mkv")))) as masks, closing(masks.frames()) as frames:
        for frame in frames:
            truth = sequence.truth(frame.index % len(sequence.inputs) + 1)
            if truth is not None:
                counts += confusion(np.asarray(frame.layout.image(frame.values), np.uint8), truth)
    truth, seen, _ = backgrounds(sequence)
    return LongScore(detection(counts)[2], score(read_for_opencv(results / "plate.png"), truth, seen).age)


def fingerprint(results: Path) -> str:
    """Return what two folders of results have in common if all their files have the same bytes."""
    found = hashlib.sha256()
    for path in sorted(p for p in results.rglob("*") if p.is_file() and not p.name.startswith(".")):
        found.update(path.relative_to(results).as_posix().encode() + b"\0")
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()
