"""A project on disk: saved whole or not at all, and read again wherever it lies.

What does not fit into the document lies in the folder ``NAME.cleanplate.data`` beside it, under names that each saving
makes anew; the copy of a model that is applied, which never changes, is made once. A saving writes these files first;
then the document, which names them, takes the place of the old one at once; last, what only the old one named is
removed. However a saving ends, the document that is there names files that are there: each is on the disk before the
document is, and the document before what the old one named goes. Savings of one project, also by several windows,
come one after the other (`core.project.lock`): each removes what its document does not name.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError, RefusedError
from core.io.publishing.refusals import writing
from core.io.publishing.single_file import replacing, take_permissions
from core.io.regular_file import read_regular
from core.project.data_files import ModelChangedError, copy_model, model_name, new_name, tidy, write_bytes
from core.project.document import DataNames, Document
from core.project.frame_file import read_frame, write_frame
from core.project.lock import saving_alone, tidying_alone
from core.project.naming import data_folder, document_at
from core.project.packing import MOST_BYTES, VERSION, decode, encode
from core.project.places import placed, placed_export
from core.project.revision import Revision, check_unchanged
from core.project.strokes_file import read_strokes, write_strokes
from core.scene.areas import Areas
from core.session.areas_file import areas_picture, read_areas
from core.session.model import Model
from core.session.standing import Kept

MOST_PICTURE_BYTES = 1 << 20
"""A small picture takes 100 kB."""

ATTEMPTS, AGAIN_S = 10, 0.2
"""A model that changes while it is copied is copied so often, with seconds between."""

Writer = Callable[[Path], object]
"""Writes one file at the path that it is given."""


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
    frame : mapping of arrays, or None
        What the frame that was processed last showed: `core.session.standing.Standing.kept`.
    """

    document: Document
    painted: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)
    learnt: Model | None = None
    model: Path | None = None
    picture: bytes | None = None
    frame: Kept | None = None


def save_project(project: Project, path: Path, over: Revision | None = None) -> Document:
    """Write a project, complete or not at all; return its document as it was written.

    The folder that it is written into is made where there is none; a link stays, and where it leads is written. Models
    that earlier savings wrote stay until the project is opened again (`tidy_project`): a person may return to them.

    Parameters
    ----------
    project : Project
    path : Path
    over : Revision or None
        The only document that it may take the place of; None: any.

    Raises
    ------
    ChangedElsewhereError
        Another document than ``over`` is there.
    CleanplateError
        The disk is full or refuses, another window does not end saving it, the model that is applied is gone or is
        being written, or what was written could not be opened again; the project there is as before.
    """
    for _ in range(ATTEMPTS):
        try:
            return _save(project, path, over)
        except ModelChangedError:
            time.sleep(AGAIN_S)
    raise CleanplateError(f"The model {project.model} that is applied is being written; save when it is complete.")


def _save(project: Project, path: Path, over: Revision | None) -> Document:
    path = document_at(path)  # Once: a link that is led elsewhere meanwhile must not part a document from its data.
    names, writers = _beside(project, data_folder(path))
    document = _as_written(project.document, path, names)
    packed = encode(document)  # Nothing is written where the document cannot be.
    with contextlib.ExitStack() as stack:
        with _named(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            stack.enter_context(saving_alone(path))
        _publish(path, packed, writers, over)
        tidy(data_folder(path), document.data.all, models=False)
    return document


def _publish(path: Path, packed: bytes, writers: Mapping[str, Writer], over: Revision | None) -> None:
    """Write what a document names that is not there, and then the document; where that fails, nothing is left."""
    if over is not None:
        check_unchanged(path, over)
    folder, made = data_folder(path), list[Path]()
    try:
        with _named(path):
            if writers:
                folder.mkdir(exist_ok=True)
            for file, write in ((folder / name, write) for name, write in writers.items()):
                if not file.is_file():
                    with replacing(file) as beside:
                        made.append(file)
                        write(beside)
                        take_permissions(path, beside)
        if over is not None:  # Once more: models are large, and were being written.
            check_unchanged(path, over)
        with replacing(path) as beside:
            beside.write_bytes(packed)
    except BaseException:
        if not _may_be(path, packed):
            for file in made:
                with contextlib.suppress(OSError):
                    file.unlink()
        raise


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Say of the project what is refused of files and folders beside it, which nobody knows."""
    with writing(path):
        try:
            yield
        except RefusedError as error:
            if isinstance(error.__cause__, OSError):
                raise error.__cause__ from None
            raise


def _may_be(path: Path, packed: bytes) -> bool:
    """Tell whether a document has got its name, as far as can be seen: then what it names stays."""
    try:
        return read_regular(path, MOST_BYTES) == packed
    except (FileNotFoundError, CleanplateError):  # What is no regular file is no document.
        return False
    except OSError:
        return True


def _as_written(document: Document, path: Path, names: Mapping[str, str]) -> Document:
    """Return a document as it lies at ``path``, beside files of these names by kind."""
    areas = msgspec.structs.replace(document.areas, codes=b"")
    part, export = placed(document.input, path), placed_export(document.export, path)
    return msgspec.structs.replace(
        document, version=VERSION, input=part, export=export, areas=areas, data=DataNames(**names)
    )


def _beside(project: Project, folder: Path) -> tuple[dict[str, str], dict[str, Writer]]:
    """Return the names by kind of all that lies beside a document, and what writes each of them, by its name."""
    named: dict[str, Writer] = {}
    if project.painted:
        named["strokes"] = partial(write_strokes, project.painted)
    if learnt := project.learnt:
        named["learnt"] = learnt.write
    if project.frame is not None:
        named["frame"] = partial(write_frame, project.frame)
    if picture := project.picture:
        named["picture"] = partial(write_bytes, picture)
    if size := project.document.areas.size if project.document.areas.codes else None:
        drawn = msgspec.structs.replace(project.document.areas, shapes=())
        named["areas"] = partial(write_bytes, areas_picture(drawn, size))
    names = {kind: new_name(kind) for kind in named}
    writers = {names[kind]: write for kind, write in named.items()}
    if model := project.model:
        names["model"] = name = model_name(model, folder)
        writers[name] = partial(copy_model, model, name)
    return names, writers


def tidy_project(path: Path, document: Document) -> None:
    """Remove models that savings of a project have left, for whoever is to return to them: nobody is any more.

    Does nothing where another window saves it, or has done so since the document was read or written.
    """
    with tidying_alone(path) as is_alone:
        if is_alone and _is_current(document, path):
            tidy(data_folder(path), document.data.all)


def _is_current(document: Document, path: Path) -> bool:
    """Tell whether the document at a path can be read and still names the same files."""
    with contextlib.suppress(CleanplateError):
        return load_document(path).data == document.data
    return False


def load_project(path: Path, *, learnt: bool = True) -> Project:
    """Read and check a project. Its input and folder are as they were saved: see `core.project.places`.

    Parameters
    ----------
    path : Path
    learnt : bool
        Read what the window had learnt and shown, too.

    Raises
    ------
    CleanplateError
        There is no such file, it is no project, a newer program wrote it, or what belongs to it is missing or damaged.
    """
    while True:  # Where it is saved meanwhile, what the document named is gone.
        document = load_document(path)
        try:
            project = _with_data(document, path, learnt=learnt)
        except CleanplateError:
            if _is_current(document, path):
                raise
        else:
            if _is_current(document, path):
                return project


def _with_data(document: Document, path: Path, *, learnt: bool) -> Project:
    folder, names = data_folder(path), document.data
    for what, name in (("model", names.model), ("picture of the areas", names.areas)):
        if name is not None and not (folder / name).is_file():
            raise CleanplateError(f"The {what} of {path} is not in {folder}; keep this folder beside its project.")
    if names.areas:
        areas = _with_picture(document.areas, folder / names.areas)
        document = msgspec.structs.replace(document, areas=areas)
    return Project(
        document,
        read_strokes(folder / names.strokes) if names.strokes else {},
        Model.load(folder / names.learnt) if names.learnt and learnt else None,
        folder / names.model if names.model else None,
        load_picture(path, document),
        read_frame(folder / names.frame) if names.frame and learnt else None,
    )


def _with_picture(areas: Areas, path: Path) -> Areas:
    """Return areas with their picture, in a file of its own."""
    picture = read_areas(path)
    if picture.size != areas.size:
        raise CleanplateError(f"The picture of the areas {path} is not as large as its project says; restore the file.")
    return msgspec.structs.replace(areas, codes=picture.codes)


def load_document(path: Path) -> Document:
    """Read and check the readable part of a project, without a picture of areas; raises as `load_project`."""
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
    """Remove a project and what belongs to it, also the lock of a saving that was killed; what cannot be stays."""
    with tidying_alone(path):
        with contextlib.suppress(OSError):
            path.unlink()
        tidy(data_folder(path), set())
    with contextlib.suppress(OSError):
        data_folder(path).rmdir()
