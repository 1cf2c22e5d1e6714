"""A project on disk: saved whole or not at all, and read again wherever it lies.

What does not fit into the document lies in the folder ``NAME.cleanplate.data`` beside it, under names that each saving
makes anew. A saving writes these files first; then the document, which names them, takes the place of the old one at
once; last, what only the old one named is removed. However a saving ends, the document that is there names files that
are there.
"""

from __future__ import annotations

import contextlib
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.io.publishing.refusals import writing
from core.io.publishing.single_file import replacing
from core.io.regular_file import open_regular, read_regular
from core.project.document import MOST_BYTES, DataNames, Document, decode, encode
from core.project.naming import data_folder
from core.project.places import placed
from core.project.strokes_file import read_strokes, write_strokes
from core.session.model import Model

MOST_PICTURE_BYTES = 1 << 20
"""A small picture takes 100 kB."""

_DATA = re.compile(r"(strokes|learnt|model|picture)-[0-9a-f]{12}\.(npz|png)")


@dataclass(frozen=True)
class Project:
    """What a person works on.

    Attributes
    ----------
    document : Document
        Its ``data`` says what was saved; `save_project` names anew what is here.
    painted : mapping of arrays
        What was painted by hand, as `core.session.stroke_history.StrokeHistory.painted` gives it.
    learnt : Model or None
        What the window had learnt: it goes on from there.
    model : Path or None
        A model that is applied.
    picture : bytes or None
        A small picture of what was shown, as PNG.
    """

    document: Document
    painted: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)
    learnt: Model | None = None
    model: Path | None = None
    picture: bytes | None = None


def save_project(project: Project, path: Path) -> Document:
    """Write a project, complete or not at all; return its document as it was written.

    The folder that it is written into is made where there is none. Models that earlier savings wrote stay until the
    project is opened again (`tidy_project`): a person may return to them.

    Raises
    ------
    CleanplateError
        The disk is full or refuses, or the model that is applied is gone; the project there is as before.
    """
    folder = data_folder(path)
    # Nothing is written where the document cannot be.
    encode(document := msgspec.structs.replace(project.document, input=placed(project.document.input, path)))
    writers: dict[str, tuple[str, Callable[[Path], object]]] = {}
    if project.painted:
        writers["strokes"] = ".npz", lambda beside: write_strokes(project.painted, beside)
    if learnt := project.learnt:
        writers["learnt"] = ".npz", learnt.write
    names = {}
    if model := project.model:
        if model.parent == folder and _DATA.fullmatch(model.name):
            if not model.is_file():
                raise _gone(model)
            names["model"] = model.name  # It is applied from there, and stays.
        else:
            writers["model"] = ".npz", lambda beside: _copy(model, beside)
    if picture := project.picture:
        writers["picture"] = ".png", lambda beside: beside.write_bytes(picture)
    made: list[Path] = []
    try:
        needed = folder if writers else path.parent
        with writing(needed):
            needed.mkdir(parents=True, exist_ok=True)
        for kind, (suffix, write) in writers.items():
            names[kind] = f"{kind}-{secrets.token_hex(6)}{suffix}"
            with replacing(folder / names[kind]) as beside:
                made.append(folder / names[kind])
                write(beside)
        document = msgspec.structs.replace(document, data=DataNames(**names))
        with replacing(path) as beside:
            beside.write_bytes(encode(document))
    except BaseException:
        for file in made:
            with contextlib.suppress(OSError):
                file.unlink()
        raise
    _tidy(folder, set(names.values()), models=False)
    return document


def tidy_project(path: Path, document: Document) -> None:
    """Remove models that savings of a project have left, for whoever is to return to them: nobody is any more."""
    names = document.data
    _tidy(data_folder(path), {name for name in (names.strokes, names.learnt, names.model, names.picture) if name})


def load_project(path: Path, *, learnt: bool = True) -> Project:
    """Read and check a project. Its input is as it was saved: see `core.project.places.found`.

    Parameters
    ----------
    path : Path
    learnt : bool
        Read what the window had learnt, too.

    Raises
    ------
    CleanplateError
        There is no such file, it is no project, a newer program wrote it, or what belongs to it is missing or damaged.
    """
    document, folder = load_document(path), data_folder(path)
    names = document.data
    if names.model is not None and not (folder / names.model).is_file():
        raise CleanplateError(f"The model of {path} is not in {folder}; keep this folder beside its project.")
    return Project(
        document,
        read_strokes(folder / names.strokes) if names.strokes else {},
        Model.load(folder / names.learnt) if names.learnt and learnt else None,
        folder / names.model if names.model else None,
        load_picture(path, document),
    )


def load_document(path: Path) -> Document:
    """Read and check the readable part of a project; raises as `load_project`."""
    try:
        packed = read_regular(path, MOST_BYTES)
    except FileNotFoundError:
        raise CleanplateError(f"There is no project {path}; check the path.") from None
    except OSError as error:
        raise CleanplateError(f"The project {path} cannot be read ({error.strerror}); choose another file.") from error
    return decode(packed, str(path))


def load_picture(path: Path, document: Document) -> bytes | None:
    """Return the small picture of a project; None where there is none that can be read, which nothing depends on."""
    if document.data.picture is None:
        return None
    with contextlib.suppress(CleanplateError, OSError):
        return read_regular(data_folder(path) / document.data.picture, MOST_PICTURE_BYTES)
    return None


def remove_project(path: Path) -> None:
    """Remove a project and what belongs to it; what cannot be removed stays."""
    with contextlib.suppress(OSError):
        path.unlink()
    _tidy(data_folder(path), set())
    with contextlib.suppress(OSError):
        data_folder(path).rmdir()


def _copy(model: Path, beside: Path) -> None:
    try:
        with open_regular(model) as read, beside.open("wb") as write:
            while part := read.read(1 << 20):
                write.write(part)
    except FileNotFoundError:
        raise _gone(model) from None


def _gone(model: Path) -> CleanplateError:
    return CleanplateError(f"The model {model} that is applied is gone; put it back, or learn again.")


def _tidy(folder: Path, kept: set[str], *, models: bool = True) -> None:
    """Remove what earlier savings wrote, and nothing else; without ``models``, none of these."""
    with contextlib.suppress(OSError):
        for file in folder.iterdir():
            is_kept = file.name in kept or (file.name.startswith("model-") and not models)
            if _DATA.fullmatch(file.name) and not is_kept:
                with contextlib.suppress(OSError):
                    file.unlink()
