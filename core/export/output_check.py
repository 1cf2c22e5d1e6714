"""What can be said against the places of results before anything is read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import CleanplateError, RefusedError
from core.io.input_spec import FRAMES_FOLDER, frames_folder
from core.io.publishing.ownership import Ownership
from core.io.publishing.refusals import writing
from core.io.sources.reading import IMAGE_SUFFIXES


def check_output(folder: Path, finals: Sequence[Path], *, overwrite: bool) -> None:
    """Raise a `CleanplateError` where results cannot be written, or must not replace what is there.

    Parameters
    ----------
    folder : Path
    finals : sequence of Path
        The results, in that folder.
    overwrite : bool
        Results of earlier runs may be replaced.
    """
    with writing(folder):
        present = [final for final in finals if os.path.lexists(final)]
        if present and not overwrite:
            names = ", ".join(str(path) for path in present)
            raise CleanplateError(f"Output exists: {names}; choose another folder or allow overwriting (--overwrite).")
        ours = Ownership(folder)
        for final in present:
            if reason := ours.why_kept(final):
                raise CleanplateError(reason)
    step = folder
    while not os.path.exists(step) and step != step.parent:
        step = step.parent
    if not step.is_dir():
        raise RefusedError(f"{step} is a file, so results cannot be written below it; choose a folder.")
    if not os.access(step, os.W_OK | os.X_OK):
        if is_read_only(step):
            raise RefusedError(f"{step} is on a read-only disk; choose another folder.")
        raise RefusedError(f"{step} cannot be written to; choose another folder or change its permissions.")


def is_read_only(folder: Path) -> bool:
    """Tell whether nothing can be written where a folder is, whoever may; False where the system does not say."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except (AttributeError, OSError):  # Windows has no such call.
        return False


def keep_input(source: Path, finals: Sequence[Path]) -> None:
    """Raise a `CleanplateError` where a result would replace the input or a file of it, by whatever name or link.

    Parameters
    ----------
    source : Path
        File or folder; nothing is said against one that is not there.
    finals : sequence of Path
    """
    present = {_identity(final): final for final in finals if os.path.exists(final)}
    if not present:
        return
    for part in _parts(source):
        if final := next((present[at] for at in map(_identity, part) if at in present), None):
            raise CleanplateError(
                f"{final} holds the input or a part of it, so it cannot be replaced; choose another output folder."
            )


def keep_apart(source: Path, folder: Path, finals: Sequence[Path], suffixes: tuple[str, ...]) -> None:
    """Raise a `CleanplateError` where a result in ``folder`` would be a frame the next time that the input is read.

    Parameters
    ----------
    source : Path
        File or folder; files beside one that is read are no part of it.
    folder : Path
    finals : sequence of Path
        The results, in that folder; those that are folders themselves are not looked into by who reads it.
    suffixes : tuple of str
        Of the files that are read in a folder, in small letters.
    """
    if not source.is_dir():
        return
    where = frames_folder(source)
    taken = next((final.name for final in finals if final.name.lower().endswith(suffixes)), None)
    if taken is not None and _identity(folder) == _identity(where):
        raise CleanplateError(
            f"{folder} is where the frames are read, and {taken} would be taken for one of them the next time; choose "
            f"another folder, such as {folder / 'out'}."
        )
    # It need not be there yet; once it is, it is read in place of the folder that it lies in.
    if (
        where == source
        and Path(os.path.abspath(folder)).name == FRAMES_FOLDER
        and _identity(folder.parent) == _identity(source)
    ):
        raise CleanplateError(
            f"{folder} would be read in place of {source} the next time; choose another folder, such as "
            f"{source / 'out'}."
        )


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what two names of one file have in common; None where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _way_to(path: Path) -> tuple[Path, ...]:
    real = Path(os.path.realpath(path))
    return real, *real.parents


def _parts(source: Path) -> Iterator[tuple[Path, ...]]:
    """Yield an input and the images in a folder; with what they lie in, where the folder has not said that already."""
    yield _way_to(source)
    if not source.is_dir():
        return
    folder = frames_folder(source)
    for place in (folder, folder.parent / "groundtruth") if folder.name == FRAMES_FOLDER else (folder,):
        if not place.is_dir():
            continue
        yield _way_to(place)
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.lower().endswith(IMAGE_SUFFIXES):
                    yield _way_to(Path(entry.path)) if entry.is_symlink() else (Path(entry.path),)
