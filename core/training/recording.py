"""The clips of a round of training, and the examples that each gives: recorded in several processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.io.sources.measured import measured
from core.scene.masks.head_weights import Weights
from core.training.backdrops import draw_backdrop
from core.training.clip_source import ClipSource
from core.training.composites import composite_clip
from core.training.cutouts import Cutouts
from core.training.examples import Example
from core.training.labelled import Clip
from core.training.record import record
from core.training.scene import SIZES, drawn_clip

AS_VIDEO = 0.8
"""Share of the clips that come in the planes of a film; the others come as pictures in RGB."""

TWICE = 0.25
"""Share of the clips that are read in two passes, as who exports does."""

AT_ONCE = 10
"""Clips that are recorded before the next ones are begun."""


@dataclass(frozen=True)
class Clips:
    """Which clips a round has.

    Attributes
    ----------
    drawn, composites : int
        Of each round, drawn and pasted together.
    size : (W, H), optional
    n_frames : int, optional
        Of all clips; drawn otherwise.
    seed : int
    """

    drawn: int = 200
    composites: int = 120
    size: tuple[int, int] | None = None
    n_frames: int | None = None
    seed: int = 0


def record_round(
    clips: Clips, index: int, weights: Weights, cutouts: Cutouts, processes: int = 1,
    tell: Callable[[str], None] = lambda line: None,
) -> Iterator[list[Example]]:  # fmt: skip
    """Yield the examples of each clip of a round, in order; those of each round are others.

    Parameters
    ----------
    clips : Clips
    index : int
        Of the round.
    weights : Weights
        Of the head in the loop.
    cutouts : Cutouts
        Whose things play in composites; without any there are no composites.
    processes : int
        That record at the same time; 1: this one. What comes of it is the same.
    tell : callable
        Called with lines for people.
    """
    kinds = {"drawn": clips.drawn, "composite": clips.composites if cutouts.tracks else 0}
    if processes == 1:
        yield from _clip_by_clip(kinds, partial(map, partial(_record, clips, cutouts, weights, index)), index, tell)
        return
    spawn = multiprocessing.get_context("spawn")
    given = clips, cutouts, weights
    with ProcessPoolExecutor(processes, spawn, initializer=_prepare, initargs=(given,)) as pool:
        yield from _clip_by_clip(kinds, partial(pool.map, partial(_record_there, index)), index, tell)


def _clip_by_clip(
    kinds: dict[str, int], recorded: Callable[..., Iterator[list[Example]]], index: int, tell: Callable[[str], None]
) -> Iterator[list[Example]]:
    """Yield what is recorded of numbered clips of each kind, a few at a time: examples wait for the clip before."""
    for kind, n in kinds.items():
        for first in range(0, n, AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, n))
            yield from recorded([kind] * len(numbers), numbers)
            tell(f"round {index + 1}: {numbers.stop} of {n} {kind} clips")


_given: list[tuple[Clips, Cutouts, Weights]] = []
"""What a process that records was started with: cut-outs are large, and the same for all clips."""


def _prepare(given: tuple[Clips, Cutouts, Weights]) -> None:
    _given[:] = [given]


def _record_there(index: int, kind: str, number: int) -> list[Example]:
    return _record(*_given[0], index, kind, number)


def _record(clips: Clips, cutouts: Cutouts, weights: Weights, index: int, kind: str, number: int) -> list[Example]:
    """Return the examples of one clip: all about it follows from the seed, its kind and its number in the round."""
    rng = np.random.default_rng((clips.seed, index, number, kind == "drawn"))
    clip = _clip(kind, int(rng.integers(1 << 31)), clips, cutouts)
    source = measured(ClipSource(clip, as_video=bool(rng.random() < AS_VIDEO)))
    return list(record(source, weights, 2 if rng.random() < TWICE else 1))


def _clip(kind: str, seed: int, clips: Clips, cutouts: Cutouts) -> Clip:
    if kind == "drawn":
        return drawn_clip(seed, clips.size, clips.n_frames)
    width, height = clips.size or SIZES[seed % len(SIZES)]
    return composite_clip(seed, cutouts.tracks, cutouts.plates, (height, width), clips.n_frames, backdrop=_backdrop)


def _backdrop(rng: np.random.Generator, size: tuple[int, int]) -> NDArray[np.uint8]:
    return np.clip(draw_backdrop(rng, size).picture, 0, 255).astype(np.uint8)
