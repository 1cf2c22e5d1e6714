"""Labelled sequences as changedetection.net lays them out: ``input/``, ``groundtruth/`` and ``scored.txt``."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import natsort
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.metrics import shows_foreground
from core.io.sources.images import image_folder, image_names
from core.io.sources.label_names import labels_of
from core.io.sources.reading import Unreadable, read_picture
from core.runtime.cached import cached

LAYOUT = "a folder with input/, groundtruth/ and scored.txt"


class NothingToScoreError(CleanplateError):
    """A sequence can be read, but its labels leave nothing to measure; others may."""


@dataclass(frozen=True)
class Sequence:
    """One labelled sequence on disk.

    Attributes
    ----------
    folder : Path
    first, last : int
        Scored frames, counted from 1 in the order of the input, both included.
    """

    folder: Path
    first: int
    last: int

    @property
    def name(self) -> str:
        """What the sequence is called."""
        return self.folder.name

    @cached
    def inputs(self) -> list[Path]:
        """The images, in the order in which they are read."""
        return [self.folder / "input" / name for name in _images(self.folder / "input")]

    @cached
    def _labels(self) -> dict[str, str]:
        return labels_of([path.name for path in self.inputs], _images(self.folder / "groundtruth"))[0]

    @cached
    def labelled(self) -> list[int]:
        """Scored frames that have labels, from 1."""
        return [i for i, path in enumerate(self.inputs, 1) if self._is_scored(i) and path.name in self._labels]

    def truth(self, number: int) -> NDArray[np.uint8] | None:
        """Return the labels (H, W) uint8 of frame ``number`` (from 1); None where it is not scored or has none."""
        return self.truth_of(self.inputs[number - 1]) if self._is_scored(number) else None

    def foreground_share(self, number: int) -> float:
        """Return the share of a frame's pixels that are labelled as foreground; 0 where it is not scored."""
        truth = self.truth(number)
        return 0.0 if truth is None else float(np.mean(shows_foreground(truth)))

    def truth_of(self, image: Path) -> NDArray[np.uint8] | None:
        """Return the labels of an image by its name, whether it is scored or not; None where it has none."""
        labels = self._labels.get(image.name)
        return None if labels is None else _read_labels(self.folder / "groundtruth" / labels, self.name)

    def _is_scored(self, number: int) -> bool:
        return max(self.first, 1) <= number <= min(self.last, len(self.inputs))


def find_sequences(folder: Path, only: Collection[str] = ()) -> list[Sequence]:
    """Return the sequences in a folder (or the one that it is), in the order of their names.

    A folder that holds none, but folders of them, is taken for these.

    Parameters
    ----------
    folder : Path
    only : collection of str
        Names of those that are wanted; all, where empty.

    Raises
    ------
    CleanplateError
        There is none, a name is not there, or a ``scored.txt`` cannot be read.
    """
    if not folder.is_dir():
        raise CleanplateError(f"There is no folder {folder}; --data names the folder that holds the sequences.")
    if (folder / "scored.txt").is_file():
        found = {folder.name: folder}
    else:
        scored = [*folder.glob("*/scored.txt")] or folder.glob("*/*/scored.txt")
        found = {p.parent.name: p.parent for p in scored}
    found = {name: path for name, path in found.items() if (path / "input").is_dir()}
    if not found:
        raise CleanplateError(f"The folder {folder} holds no labelled sequence; each is {LAYOUT}.")
    if unknown := [name for name in only if name not in found]:
        there = ", ".join(natsort.natsorted(found))
        raise CleanplateError(f"There is no sequence {unknown[0]} in {folder}; there are {there}.")
    sequences = [_open(found[name]) for name in natsort.natsorted(found) if not only or name in only]
    for sequence in sequences:
        image_folder(sequence.folder)  # Says now what cannot be read, not after an hour.
    return sequences


def _open(folder: Path) -> Sequence:
    path = folder / "scored.txt"
    try:
        first, last = (int(word) for word in path.read_text(encoding="utf-8").split())
    except (OSError, ValueError) as error:
        raise CleanplateError(f"{path} cannot be read; it holds the first and last scored frame, from 1.") from error
    sequence = Sequence(folder, first, last)
    if not sequence.labelled:
        raise CleanplateError(f"No frame from {first} to {last} of {folder} has labels in groundtruth/; label some.")
    return sequence


def _images(folder: Path) -> list[str]:
    return image_names(folder) if folder.is_dir() else []


def _read_labels(path: Path, name: str) -> NDArray[np.uint8]:
    try:
        image = read_picture(path).image
    except Unreadable as reason:
        raise CleanplateError(f"The labels {path.name} of {name}: the file {reason}; mend or remove it.") from reason
    if image.dtype != np.uint8:
        raise CleanplateError(f"The labels {path.name} of {name} are not of 8 bits; convert them.")
    return np.ascontiguousarray(image if image.ndim == 2 else image[:, :, 0], np.uint8)
