"""Rounds of training: examples are recorded with the head as it is, and the head is fitted to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.bench.sequences import find_sequences
from core.errors import CleanplateError
from core.io.sources import InputSpec, open_source
from core.runtime import cores
from core.scene.masks.head_weights import Weights
from core.training.augment import SHADOWS
from core.training.calibration import calibrated
from core.training.cutouts import Cutouts
from core.training.examples import Example, ExampleSet
from core.training.extraction import extract
from core.training.fit import fit, score, torch_or_error
from core.training.record import record
from core.training.recording import Clips, record_round
from core.training.weights import save_weights, start_from

LICENSED = (
    "pedestrians_480x360.mp4",  # OpenCV's vtest (Apache License 2.0)
    "car_768x432.mp4",  # Intel's sample videos (CC BY 4.0), as the next two
    "pedestrians_976x720.mp4",
    "person_768x432.mp4",
)
"""Clips that things are cut out of: those whose licence lets weights that were fitted to them be shared. Others in the
same folder are left alone."""

KEPT = 0.5
"""Share of the examples that outlasts a round: what a worse head saw still happens, on other footage."""

HELD_OUT = 10
"""One clip of so many is not fitted to: the bias of foreground is found on these."""

SEQUENCE_EXAMPLES = 40
"""Of each labelled sequence, and pass."""


@dataclass(frozen=True)
class Course:
    """What is asked for.

    Attributes
    ----------
    rounds, steps : int
        Of recording and fitting; batches of each fit.
    clips : Clips
        Of each round.
    most_examples : int
    shadows : float
        How much a cell in shadow counts in the fit.
    start : Path, optional
        Weights to go on from; clips are others than those of the rounds that made them.
    """

    rounds: int = 3
    steps: int = 4000
    clips: Clips = field(default_factory=Clips)
    most_examples: int = 6000
    shadows: float = SHADOWS
    start: Path | None = None


def train(
    course: Course, out: Path, footage: Sequence[Path], labelled: Sequence[Path], validation: Sequence[Path],
    tell: Callable[[str], None],
) -> Weights:  # fmt: skip
    """Train the head, write it after each round, and return it.

    Nothing that was trained before has a part in it: what composites are made of is cut out with the head of the round
    before, and the first round has none.

    Parameters
    ----------
    course : Course
    out : Path
        Written (.npz).
    footage : sequence of Path
        Clips that things are cut out of.
    labelled, validation : sequences of Path
        Folders of labelled sequences (`core.bench.sequences`): to learn from, and to be scored on alone.
    tell : callable
        Called with lines for people.

    Raises
    ------
    CleanplateError
        Torch is not installed, or a clip, a sequence or the weights to start from cannot be read.
    """
    torch_or_error()  # Not only when it is needed.
    seed, cutouts = course.clips.seed, Cutouts([], [])
    examples = ExampleSet(course.most_examples, seed)
    weights, first, n_clips, n_examples = start_from(course.start)
    for index in range(first, first + course.rounds):
        examples.thin(KEPT)
        if footage and index > 0:
            cutouts = extract(footage, weights, lambda name, n: tell(f"{name}: {n} things cut out"))
        held_out = []
        for found in record_round(course.clips, index, weights, cutouts, cores.usable(), tell):
            n_clips, n_examples = n_clips + 1, n_examples + len(found)
            if n_clips % HELD_OUT == 0:
                held_out.append(found)
            else:
                examples.extend(found)
        for folder in labelled:
            for name, found in record_sequences(folder, weights):
                tell(f"{name}: {len(found)} examples")
                n_examples += len(found)
                examples.extend(found)
        tell(f"round {index + 1} of {first + course.rounds}: fitting {len(examples)} examples")
        weights = fit(
            list(examples), course.steps, seed + index, weights if index > 0 else None,
            lambda step, loss: tell(f"  step {step}: loss {loss:.4f}"), shadows=course.shadows,
        )  # fmt: skip
        weights, added, f = calibrated(weights, held_out)
        tell(f"  bias of foreground {added:+.1f}: F {f:.3f} of cells of {len(held_out)} clips that were held out")
        save_weights(out, weights, seed=seed, rounds=index + 1, clips=n_clips, examples=n_examples)
        for folder in validation:
            for name, found in record_sequences(folder, weights):
                s = score(weights, found)
                figures = f"P {s.precision:.3f}, R {s.recall:.3f}, F {s.f:.3f} of cells, {s.missed:.3f} unseen"
                tell(f"  {name}: {figures}")
    return weights


def recalibrate(course: Course, out: Path, footage: Sequence[Path], tell: Callable[[str], None]) -> Weights:
    """Find the bias of foreground of weights anew, on a round of clips of which none was fitted to; write them.

    Parameters are those of `train`; the course has what to start from.
    """
    weights, n_rounds, n_clips, n_examples = start_from(course.start)
    clips = course.clips
    cutouts = extract(footage, weights, lambda name, n: tell(f"{name}: {n} things cut out"))
    found = list(record_round(clips, n_rounds, weights, cutouts, cores.usable(), tell))
    weights, added, f = calibrated(weights, found)
    tell(f"  bias of foreground {added:+.1f}: F {f:.3f} of cells of {len(found)} clips")
    n_clips, n_examples = n_clips + len(found), n_examples + sum(map(len, found))
    save_weights(out, weights, seed=clips.seed, rounds=n_rounds, clips=n_clips, examples=n_examples)
    return weights


def record_sequences(folder: Path, weights: Weights) -> Iterator[tuple[str, list[Example]]]:
    """Yield the name and the examples of each labelled sequence in a folder."""
    for sequence in find_sequences(folder):
        source = open_source(InputSpec(str(sequence.folder)))
        try:
            yield sequence.name, list(record(source, weights, n_examples=SEQUENCE_EXAMPLES))
        finally:
            source.close()


def licensed(folder: Path) -> list[Path]:
    """Return the clips of a folder that may be used; see `LICENSED`.

    Raises
    ------
    CleanplateError
        None of them is there.
    """
    paths = [folder / name for name in LICENSED if (folder / name).is_file()]
    if not paths:
        raise CleanplateError(f"The folder {folder} holds none of {', '.join(LICENSED)}; or ask for no composites.")
    return paths
