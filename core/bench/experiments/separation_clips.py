"""The clips of the experiment `separation`: parts of labelled sequences, at the size of the papers' clip Hall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench.sequences import Sequence, find_sequences
from core.errors import CleanplateError
from core.frames.frame import Frame, Truth
from core.io.sources import InputSpec, open_source
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource

HALL_VALUES = 144 * 176
"""Size of the papers' clip Hall; ours are scaled to as many pixels."""

CLIPS, FRAMES, QUICK_FRAMES = 2, 120, 24
"""How many sequences, those with the most labelled frames, and how many frames of each: where most happens."""

EVERY, LITTLE = 10, 0.002
"""To find that place: one label in so many is looked at, and less foreground than this share of the pixels is none."""


@dataclass(frozen=True)
class Clip:
    """Frames of one scene at the working size, grey, with labels where they are known."""

    name: str
    frames: tuple[Frame, ...]

    def source(self) -> SampleSource:
        """Return the clip as an input."""
        info = SourceInfo(self.name, self.frames[0].layout, 25.0, len(self.frames))
        return SampleSource(info, lambda index: self.frames[index])


def clips_of(data: Path, quick: bool) -> Iterator[Clip]:
    """Yield parts of the sequences with the most labelled frames."""
    folder = data / "sequences"
    found = find_sequences(folder if folder.is_dir() else data)
    most = sorted(found, key=lambda s: (-len(s.labelled), s.name))[: 1 if quick else CLIPS]
    for sequence in sorted(most, key=lambda s: s.name):
        yield _clip(sequence, QUICK_FRAMES if quick else FRAMES)


def _clip(sequence: Sequence, n_frames: int) -> Clip:
    first = busiest(sequence, n_frames)
    last = min(first + n_frames - 1, len(sequence.inputs))
    spec = InputSpec(str(sequence.folder), grey=True, frames=(first, last))
    source = open_source(spec)
    try:
        width, height = source.info.layout.width, source.info.layout.height
    finally:
        source.close()
    shrink = min(1.0, (HALL_VALUES / (width * height)) ** 0.5)
    size = (max(1, round(shrink * width)), max(1, round(shrink * height)))
    source = open_source(replace(spec, size=size))
    try:
        frames = tuple(_labelled(frame, sequence.truth(first + frame.index), size) for frame in source.frames())
    finally:
        source.close()
    if not any(frame.truth for frame in frames):
        raise CleanplateError(f"No frame of {sequence.name} from {first} on is labelled; label some.")
    return Clip(sequence.name, frames)


def busiest(sequence: Sequence, n_frames: int) -> int:
    """Return the first of ``n_frames`` frames, from 1, with as many labelled frames that show foreground as can be."""
    busy = [n for n in sequence.labelled[::EVERY] if sequence.foreground_share(n) > LITTLE]
    starts = {max(1, min(n, len(sequence.inputs) - n_frames + 1)) for n in [sequence.labelled[0], *busy]}
    return max(sorted(starts), key=lambda start: sum(start <= n < start + n_frames for n in busy))


def _labelled(frame: Frame, truth: NDArray[np.uint8] | None, size: tuple[int, int]) -> Frame:
    if truth is None:
        return replace(frame, original=None, truth=None)
    nearest = cv2.resize(truth, size, interpolation=cv2.INTER_NEAREST_EXACT)
    return replace(frame, original=None, truth=Truth(np.asarray(nearest, np.uint8)))


def drawn(seed: int, quick: bool) -> Clip:
    """Return the drawn street as a clip."""
    size, n_frames = ((64, 36), QUICK_FRAMES) if quick else ((212, 119), FRAMES)
    source = open_source(InputSpec("sample:street", grey=True, size=size, frames=(1, n_frames), seed=seed))
    try:
        frames = tuple(replace(frame, original=None) for frame in source.frames())
    finally:
        source.close()
    return Clip("drawn street", frames)
