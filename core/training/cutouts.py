"""Moving things cut out of real clips, and the plates that they were cut out of, in one file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.io.publishing.single_file import replacing

MAX_BYTES = 60_000_000
"""Pixels of all patches together: the file, which is compressed, is no larger."""


@dataclass(frozen=True)
class Cutout:
    """One thing as it moves, cut out frame by frame.

    Attributes
    ----------
    patches : sequence of (h, w, 4) uint8
        RGB, not premultiplied, and alpha, one for each frame; black where nothing is covered.
    feet : (N, 2) float32
        Where the middle of each patch's lower edge lay, x and y, pixels of the patches.
    source : int
        Which plate it was cut out of.
    """

    patches: Sequence[NDArray[np.uint8]]
    feet: NDArray[np.float32]
    source: int

    @property
    def height(self) -> int:
        """Rows of its tallest patch."""
        return max(int(patch.shape[0]) for patch in self.patches)

    @property
    def n_bytes(self) -> int:
        """Memory of its patches."""
        return sum(patch.nbytes for patch in self.patches)


@dataclass(frozen=True)
class Cutouts:
    """All that was cut out of some clips.

    Attributes
    ----------
    tracks : sequence of Cutout
    plates : sequence of (H, W, 3) uint8
        The clips without anything that moves, RGB.
    """

    tracks: Sequence[Cutout]
    plates: Sequence[NDArray[np.uint8]]

    def bounded(self, most: int = MAX_BYTES) -> Cutouts:
        """Return as many tracks as ``most`` bytes hold, from each source in turn, in the order they have."""
        chosen: list[Cutout] = []
        queues = [[t for t in self.tracks if t.source == source] for source in range(len(self.plates))]
        room = most
        while any(queues):
            for queue in filter(None, queues):
                track = queue.pop(0)
                if track.n_bytes <= room:
                    room -= track.n_bytes
                    chosen.append(track)
        return Cutouts(chosen, self.plates)

    def save(self, path: Path) -> None:
        """Write them to ``path`` (.npz), which is complete or not there."""
        patches = [patch for track in self.tracks for patch in track.patches]
        arrays: dict[str, NDArray[np.generic]] = {f"plate{index}": plate for index, plate in enumerate(self.plates)}
        arrays["pixels"] = np.concatenate([patch.ravel() for patch in patches] or [np.empty(0, np.uint8)])
        arrays["sizes"] = np.array([patch.shape[:2] for patch in patches], np.int32).reshape(-1, 2)
        arrays["feet"] = np.concatenate([track.feet for track in self.tracks] or [np.empty((0, 2), np.float32)])
        arrays["lengths"] = np.array([len(track.patches) for track in self.tracks], np.int32)
        arrays["sources"] = np.array([track.source for track in self.tracks], np.int32)
        with replacing(path) as beside, beside.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def load_cutouts(path: Path) -> Cutouts:
    """Read what `Cutouts.save` wrote.

    Raises
    ------
    CleanplateError
        The file cannot be read or holds something else.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        sizes, lengths = arrays["sizes"], arrays["lengths"]
        ends = np.cumsum(sizes[:, 0] * sizes[:, 1] * 4)
        patches = [p.reshape(h, w, 4) for p, (h, w) in zip(np.split(arrays["pixels"], ends)[:-1], sizes, strict=True)]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        tracks = [
            Cutout(patches[a:b], arrays["feet"][a:b], int(source))
            for a, b, source in zip(starts[:-1], starts[1:], arrays["sources"], strict=True)
        ]
        n_plates = sum(name.startswith("plate") for name in arrays)
        return Cutouts(tracks, [arrays[f"plate{index}"] for index in range(n_plates)])
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise CleanplateError(f"{path.name} holds no cut-outs.") from error
