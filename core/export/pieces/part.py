"""What one piece of a long run has written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.export.products import BY_SCENE, place, places, scene_folder, single_suffix
from core.export.tables import Columns, read_columns
from core.runtime.cached import cached


def saved_by_pieces(asked: Iterable[str]) -> tuple[str, ...]:
    """Return what each piece saves: what is asked for, and what joining needs beside it."""
    asked = tuple(asked)
    return tuple(dict.fromkeys([*asked, "times", *(["confidence"] if "plate" in asked else [])]))


@dataclass(frozen=True)
class Part:
    """The results of one piece.

    Attributes
    ----------
    folder : Path
    form : str
        As `core.export.products.place` takes it.
    """

    folder: Path
    form: str

    @cached
    def times(self) -> Columns:
        """Number and time of each frame: ``frame`` and ``time_s``, (N,)."""
        return read_columns("times", self.at("times"))

    @property
    def n_frames(self) -> int:
        """How many pictures each of its results has."""
        return len(self.times["frame"])

    def at(self, product: str) -> Path:
        """Return where one of its results is."""
        return place(product, self.folder, self.form)

    def images(self, product: str) -> list[Path]:
        """Return the images of a sequence in their order; what a file manager leaves beside them is none."""
        there = (path for path in self.at(product).iterdir() if path.suffix == single_suffix(self.form))
        found = sorted(there, key=lambda path: (len(path.name), path.name))
        if len(found) != self.n_frames:
            raise CleanplateError(
                f"{self.at(product)} holds {len(found)} images in place of {self.n_frames}; run what is missing again "
                f"(--resume)."
            )
        return found


def parts_below(folder: Path, form: str, save: tuple[str, ...]) -> list[Part]:
    """Return the parts whose results lie in folders that are named by their numbers.

    Parameters
    ----------
    folder : Path
    form : str
        As `core.export.products.place` takes it.
    save : tuple of str
        What all of them must have.

    Raises
    ------
    CleanplateError
        There is none, one is not complete, or two of them hold the same frames.
    """
    try:
        names = sorted((name for name in (p.name for p in folder.iterdir()) if name.isdecimal()), key=int)
    except OSError as error:
        raise CleanplateError(f"The pieces in {folder} cannot be read ({error.strerror}); check the folder.") from error
    if not names or [int(name) for name in names] != list(range(1, len(names) + 1)):
        raise CleanplateError(f"{folder} does not hold all pieces, 0001 and so on; run what is missing (--resume).")
    parts = [Part(folder / name, form) for name in names]
    for part in parts:
        if gone := [path for product in save for path in _missing(product, part.folder, form)]:
            raise CleanplateError(f"{gone[0]} is missing; run what is missing again (--resume).")
    numbers: NDArray[np.int64] = np.concatenate([part.times["frame"] for part in parts])
    seconds: NDArray[np.float64] = np.concatenate([part.times["time_s"] for part in parts])
    if np.any(np.diff(numbers) < 1) or np.any(np.diff(seconds) < 0):
        raise CleanplateError(
            "The pieces overlap: the film is damaged, and its frames cannot be counted alike from all places; run it "
            "whole (leave out --pieces)."
        )
    return parts


def _missing(product: str, folder: Path, form: str) -> list[Path]:
    """Return what a product should have left there and has not; of several scenes it is a folder instead."""
    if product in BY_SCENE and scene_folder(product, folder).is_dir():
        return []
    return [path for path in places(product, folder, form) if not path.exists()]
