"""Rounds of training: examples are recorded with the head as it is, and the head is fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bench.sequences import find_sequences
from core.errors import CleanplateError
from core.io.sources import InputSpec, open_source
from core.io.sources.base import Source
from core.io.sources.measured import measured
from core.scene.masks.head import Weights
from core.training.backdrops import draw_backdrop
from core.training.clip_source import ClipSource
from core.training.composites import composite_clip
from core.training.cutouts import Cutouts
from core.training.examples import Example, ExampleSet
from core.training.extraction import extract
from core.training.fit import fit, score, torch_or_error
from core.training.labelled import Clip
from core.training.record import record
from core.training.scene import SIZES, drawn_clip
from core.training.weights import first_weights, save_weights

LICENSED = (
    "pedestrians_480x360.mp4",  # OpenCV's vtest (Apache License 2.0)
    "car_768x432.mp4",  # Intel's sample videos (CC BY 4.0), as the next two
    "pedestrians_976x720.mp4",
    "person_768x432.mp4",
)
"""Clips that things are cut out of: those whose licence lets weights that were fitted to them be shared. Others in the
same folder are left alone."""

AS_VIDEO = 0.8
"""Share of the clips that come in the planes of a film; the others come as pictures in RGB."""

TWICE = 0.25
"""Share of the clips that are read in two passes, as who exports does."""

KEPT = 0.5
"""Share of the examples that outlasts a round: what a worse head saw still happens, on other footage."""

SEQUENCE_EXAMPLES = 40
"""Of each labelled sequence, and pass."""


@dataclass(frozen=True)
class Course:
    """What is asked for.

    Attributes
    ----------
    rounds, steps : int
        Of recording and fitting; batches of each fit.
    drawn, composites : int
        Clips of each round, drawn and pasted together.
    size : (W, H), optional
    n_frames : int, optional
        Of all clips; drawn otherwise.
    most_examples : int
    seed : int
    """

    rounds: int = 3
    steps: int = 4000
    drawn: int = 200
    composites: int = 120
    size: tuple[int, int] | None = None
    n_frames: int | None = None
    most_examples: int = 6000
    seed: int = 0


def train(
    course: Course, out: Path, cutouts: Cutouts, labelled: Sequence[Path], validation: Sequence[Path],
    tell: Callable[[str], None],
) -> Weights:  # fmt: skip
    """Train the head, write it after each round, and return it.

    Parameters
    ----------
    course : Course
    out : Path
        Written (.npz).
    cutouts : Cutouts
        Whose things play in composites.
    labelled, validation : sequences of Path
        Folders of labelled sequences (`core.bench.sequences`): to learn from, and to be scored on alone.
    tell : callable
        Called with lines for people.

    Raises
    ------
    CleanplateError
        Torch is not installed, there is no cut-out though composites are asked for, or a sequence cannot be read.
    """
    torch_or_error()  # An hour before it is needed.
    examples, weights, fitted = ExampleSet(course.most_examples, course.seed), first_weights(), False
    n_clips = n_examples = 0
    for index in range(course.rounds):
        examples.thin(KEPT)
        for example in record_round(course, index, weights, cutouts, tell):
            examples.add(example)
            n_examples += 1
        for folder in labelled:
            for name, found in record_sequences(folder, weights):
                tell(f"{name}: {len(found)} examples")
                n_examples += len(found)
                for example in found:
                    examples.add(example)
        n_clips += course.drawn + course.composites
        tell(f"round {index + 1} of {course.rounds}: fitting {len(examples)} examples")
        weights = fit(
            list(examples), course.steps, course.seed + index, weights if fitted else None,
            lambda step, loss: tell(f"  step {step}: loss {loss:.4f}"),
        )  # fmt: skip
        fitted = True
        save_weights(out, weights, seed=course.seed, rounds=index + 1, clips=n_clips, examples=n_examples)
        for folder in validation:
            for name, found in record_sequences(folder, weights):
                s = score(weights, found)
                tell(f"  {name}: P {s.precision:.3f}, R {s.recall:.3f}, F {s.f:.3f} of cells, {s.missed:.3f} unseen")
    return weights


def record_round(
    course: Course, index: int, weights: Weights, cutouts: Cutouts, tell: Callable[[str], None] = lambda line: None
) -> Iterator[Example]:
    """Yield the examples of all clips of a round; those of each round are others."""
    for source, passes in _inputs(course, index, cutouts, lambda line: tell(f"round {index + 1}: {line}")):
        yield from record(source, weights, passes)


def _inputs(course: Course, index: int, cutouts: Cutouts, tell: Callable[[str], None]) -> Iterator[tuple[Source, int]]:
    """Yield all clips of a round, and in how many passes each is read."""
    for kind, n in (("drawn", course.drawn), ("composite", course.composites)):
        for number in range(n):
            rng = np.random.default_rng((course.seed, index, number, kind == "drawn"))
            clip = _clip(kind, int(rng.integers(1 << 31)), course, cutouts)
            source = measured(ClipSource(clip, as_video=bool(rng.random() < AS_VIDEO)))
            yield source, 2 if rng.random() < TWICE else 1
            if number % 10 == 9 or number + 1 == n:
                tell(f"{number + 1} of {n} {kind} clips")


def record_sequences(folder: Path, weights: Weights) -> Iterator[tuple[str, list[Example]]]:
    """Yield the name and the examples of each labelled sequence in a folder."""
    for sequence in find_sequences(folder):
        source = open_source(InputSpec(str(sequence.folder)))
        try:
            yield sequence.name, list(record(source, weights, n_examples=SEQUENCE_EXAMPLES))
        finally:
            source.close()


def licensed_cutouts(folder: Path, tell: Callable[[str], None]) -> Cutouts:
    """Return what moves in the clips of a folder that may be used; see `LICENSED`.

    Raises
    ------
    CleanplateError
        None of them is there, or one cannot be read.
    """
    paths = [folder / name for name in LICENSED if (folder / name).is_file()]
    if not paths:
        raise CleanplateError(f"The folder {folder} holds none of {', '.join(LICENSED)}; or ask for no composites.")
    return extract(paths, lambda name, n: tell(f"{name}: {n} things cut out"))


def _clip(kind: str, seed: int, course: Course, cutouts: Cutouts) -> Clip:
    if kind == "drawn":
        return drawn_clip(seed, course.size, course.n_frames)
    width, height = course.size or SIZES[seed % len(SIZES)]
    return composite_clip(seed, cutouts.tracks, cutouts.plates, (height, width), course.n_frames, backdrop=_backdrop)


def _backdrop(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.uint8]:
    return np.clip(draw_backdrop(rng, size).picture, 0, 255).astype(np.uint8)
