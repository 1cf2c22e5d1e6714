"""Folders of results for attacks: small runs, and what is in a folder afterwards."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np

from tests.hostile.program import start

SAVED = {"png": "plate,mask,model", "mkv": "plate,mask,cleaned", "tiff": "cleaned,basis,confidence"}
"""Results of the runs that are attacked, by format."""

METHOD = "median"
"""The quickest to begin with."""

OTHER = "background"
"""Of the run after an attack: it has nothing to do with the others, and may tidy up."""

Tree = dict[str, bytes]


class Runs:
    """Runs over three inputs, whose results differ in every file, and what they give.

    Parameters
    ----------
    folder : Path
        To make everything in.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.inputs = [_photos(folder / f"photos{seed}", seed) for seed in range(3)]
        self._made: dict[tuple[int, str, str], Path] = {}

    def words(self, which: int, form: str, out: Path, *more: str, save: str = "") -> list[str]:
        """Return the arguments of a run over one of the inputs."""
        return [
            "run", str(self.inputs[which]), "-o", str(out), "--save", save or SAVED[form], "--format", form,
            "--method", METHOD, "--passes", "1", "--quiet", *more,
        ]  # fmt: skip

    def made(self, which: int, form: str, save: str = "") -> Path:
        """Return a folder with the results of an input, made once."""
        key = which, form, save
        if key not in self._made:
            out = self.folder / f"made{len(self._made)}"
            ended = start(self.words(which, form, out, save=save), self.folder / "making").wait()
            assert ended.status == 0, ended.err
            self._made[key] = out
        return self._made[key]

    def place(self, which: int, form: str, out: Path, save: str = "") -> None:
        """Put the results of an input into a folder as if they had been written there: with their marks and times."""
        shutil.copytree(self.made(which, form, save), out)


def tree(folder: Path) -> Tree:
    """Return what is in a folder, by path; a file of another run of these (`OTHER`) is left out."""
    files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if not p.is_dir()}
    return {name: path.read_bytes() for name, path in files.items() if not name.startswith(OTHER)}


def hidden(folder: Path) -> list[str]:
    """Return the names of what is hidden in a folder."""
    return sorted(p.name for p in folder.iterdir() if p.name.startswith(".")) if folder.exists() else []


def _photos(folder: Path, seed: int) -> Path:
    folder.mkdir()
    random = np.random.default_rng(seed)
    wall = random.integers(0, 200, (24, 32, 3), dtype=np.uint8)
    for index in range(4):
        picture = wall.copy()
        picture[6:14, 4 + 5 * index : 10 + 5 * index] = 250 - 30 * seed
        cv2.imwrite(str(folder / f"{index}.png"), picture)
    return folder
