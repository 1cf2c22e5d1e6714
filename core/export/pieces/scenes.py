"""The scenes of a whole run from those of its pieces: which piece shows which, and in how many frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.errors import CleanplateError
from core.export.pieces.part import Part
from core.export.products import scene_folder
from core.export.scene_files import BEGAN_BEFORE, scene_pictures
from core.frames.frame import Values
from core.io.sources.reading import Unreadable, read_picture

APART = 10
"""Frames: two pieces that see a cut within so many see the same one, as shorter scenes are not found."""


@dataclass(frozen=True)
class ScenePart:
    """What one piece shows of one scene.

    Attributes
    ----------
    n_frames : int
        That it writes of the scene.
    files : dict
        Its pictures, by product.
    """

    n_frames: int
    files: dict[str, Path]

    def picture(self, product: str) -> Values:
        """Return the plate or confidence."""
        path = self.files[product]
        try:
            return read_picture(path).image
        except Unreadable as reason:
            raise CleanplateError(f"{path} {reason}; run what is missing again (--resume).") from reason


@dataclass
class WholeScene:
    """A scene of the whole run.

    Attributes
    ----------
    first : int
        The number of its first frame.
    parts : list of ScenePart
        In the order of the film; one at least.
    """

    first: int
    parts: list[ScenePart] = field(default_factory=list)

    @property
    def n_frames(self) -> int:
        """Frames of all pieces that show it."""
        return sum(part.n_frames for part in self.parts)


def whole_scenes(parts: Sequence[Part], products: Sequence[str]) -> list[WholeScene]:
    """Return the scenes of a whole run in their order.

    A piece begins in the scene that the one before has ended in, unless it has seen a cut since the last that was seen
    there: it runs in over frames that the one before wrote, and a cut just before the end of that is found only here.

    Parameters
    ----------
    parts : sequence of Part
    products : sequence of str
        Of `core.export.products.BY_SCENE`, that all of them have.
    """
    scenes: list[WholeScene] = []
    for part in parts:
        for first, seen in _shown(part, products):
            if not scenes or first >= scenes[-1].first + APART:
                scenes.append(WholeScene(max(first, 1)))
            scenes[-1].parts.append(seen)
    return scenes


def _shown(part: Part, products: Sequence[str]) -> list[tuple[int, ScenePart]]:
    """Return the scenes of one piece, each with the number of its first frame, or `BEGAN_BEFORE`."""
    files = {product: _pictures(part, product) for product in products}
    firsts = list(files[products[0]])
    if any(list(of) != firsts for of in files.values()) or not firsts:
        raise CleanplateError(f"{part.folder} lacks plates; run what is missing again (--resume).")
    numbers = part.times["frame"]
    begins = np.searchsorted(numbers, [*firsts[1:], np.iinfo(np.int64).max]).tolist()
    counts = np.diff([0, *begins]).tolist()
    return [
        (first, ScenePart(n_frames, {product: files[product][first] for product in products}))
        for first, n_frames in zip(firsts, counts, strict=True)
        if n_frames
    ]


def _pictures(part: Part, product: str) -> dict[int, Path]:
    """Return the pictures of a product by the first frames of scenes."""
    alone = part.at(product)
    if alone.exists():
        return {BEGAN_BEFORE: alone}
    folder = scene_folder(product, part.folder)
    try:
        return scene_pictures(folder, part.form)
    except OSError as error:
        raise CleanplateError(f"{folder} cannot be read ({error.strerror}); check the folder.") from error
