"""What is said of a folder in which no image is read: what it holds instead, and what to do."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from core.errors import CleanplateError
from core.io.input_spec import nothing_in
from core.io.sources.natural_order import natural_order
from core.io.sources.reading import IMAGE_SUFFIXES
from core.io.sources.video import VIDEO_SUFFIXES
from core.runtime.shell import quoted

UNREAD_SUFFIXES = frozenset((
    ".3fr", ".arw", ".cr2", ".cr3", ".crw", ".dng", ".erf", ".iiq", ".kdc", ".mef", ".mos", ".mrw", ".nef", ".nrw",
    ".orf", ".pef", ".raf", ".raw", ".rw2", ".rwl", ".sr2", ".srf", ".srw", ".x3f",
    ".jpf", ".jxl", ".jxr",
    ".cin", ".exr", ".hdr", ".psd", ".rgb", ".sgi", ".tga", ".xcf",
    ".czi", ".dcm", ".fit", ".fits", ".fts", ".lif", ".lsm", ".nd2", ".oib", ".oif", ".svs", ".vsi",
))  # fmt: skip
"""Of raw photographs, of phones, of film and of microscopes: images to their owners, and not read in folders."""

MOST_NAMED = 3
"""Kinds of files, or folders, that a sentence names."""

MOST_DEEPER = 1000
"""Folders in folders that are looked into: a drive may hold millions."""


def without_images(folder: Path, where: Path | None = None) -> CleanplateError:
    """Return the error that says what a folder holds, where that is no image that is read.

    Parameters
    ----------
    folder : Path
    where : Path, optional
        The folder in it that was looked through for images; itself, where none is given.

    Raises
    ------
    OSError
        It cannot be looked through.
    """
    place = where or folder
    names = [name for name in os.listdir(place) if not name.startswith(".")]
    if any(path.name.lower().endswith(VIDEO_SUFFIXES) and os.path.isfile(path) for path in folder.iterdir()):
        return CleanplateError(
            f"The folder {folder} holds videos and no images; open one of them, or all with cleanplate batch."
        )
    unread = Counter(suffix for name in names if (suffix := Path(name).suffix.lower()) in UNREAD_SUFFIXES)
    if unread:
        by_number = sorted(unread.items(), key=lambda kind: (-kind[1], kind[0]))
        kinds = _listed([f"{n} {suffix}" for suffix, n in by_number])
        return CleanplateError(
            f"The folder {place} holds images of kinds that are not read ({kinds}); save them as TIFF, PNG or JPEG."
        )
    below = _folders_of_images(folder)
    if len(below) == 1:
        return CleanplateError(f"The folder {folder} holds no images itself, its folder {below[0]} does; open that.")
    if below:
        return CleanplateError(
            f"The folder {folder} holds no images itself, its folders {_listed(below)} do; open one of them"
            f"{_all_of(folder, below)}."
        )
    return nothing_in(folder)


def _all_of(folder: Path, below: list[str]) -> str:
    """Say how folders in a folder are read all: a batch takes those that lie in the one that it is given."""
    parents = {os.path.dirname(place) for place in below}
    if len(parents) > 1:
        return ""
    parent = parents.pop()
    return ", or all with " + quoted(["cleanplate", "batch", *([str(folder / parent)] if parent else [])])


def _folders_of_images(folder: Path) -> list[str]:
    """Return the folders in a folder that hold images; where none does, those in these: ``DCIM/100CANON`` of a card."""
    names = _folders_in(folder)
    deeper = (os.path.join(name, inner) for name in names for inner in _folders_in(folder / name))
    return _with_images(folder, names) or _with_images(folder, islice(deeper, MOST_DEEPER))


def _folders_in(folder: Path) -> list[str]:
    """Return the names of the folders in a folder; none where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return natural_order([e.name for e in entries if not e.name.startswith(".") and e.is_dir()])
    except OSError:
        return []


def _with_images(folder: Path, places: Iterable[str]) -> list[str]:
    return [place for place in places if holds_images(folder / place)]


def holds_images(folder: Path) -> bool:
    """Tell whether images lie in a folder itself; hidden files are none, and one that cannot be read holds none."""
    try:
        with os.scandir(folder) as entries:
            return any(e.name.lower().endswith(IMAGE_SUFFIXES) and not e.name.startswith(".") for e in entries)
    except OSError:
        return False


def _listed(words: list[str]) -> str:
    n_more = len(words) - MOST_NAMED
    return ", ".join(words[:MOST_NAMED]) + (f" and {n_more} more" if n_more > 0 else "")
