"""Where the input of a project is now, and where its results go: all of them may have moved, together or apart."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from core.errors import CleanplateError, quoted
from core.io.home import expanded
from core.io.input_spec import STREAMS, is_file, is_remote
from core.project.document import ExportChoice, ProjectInput


class StreamInputError(CleanplateError):
    """A project reads a stream: nothing is connected to because a file says so, a person has to give the address.

    Parameters
    ----------
    address : str
    called : str
        What people call the project.
    """

    def __init__(self, address: str, called: str) -> None:
        super().__init__(
            f"The project {called} reads the stream {quoted(address, 200)}; give that address yourself (--input) "
            f"to connect to it."
        )


class MissingInputError(CleanplateError):
    """The input of a project is neither where it was nor beside the project.

    Parameters
    ----------
    path : str
        Where it was.
    called : str
        What people call the project.
    """

    def __init__(self, path: str, called: str) -> None:
        super().__init__(
            f"The input {path} of the project {called} is not there any more; say where it is now "
            f"(--input), or put it back."
        )


def placed(part: ProjectInput, project: Path) -> ProjectInput:
    """Return the input as a project saved at ``project`` holds it: by its absolute path, and from there on."""
    if not is_file(part.path):
        return msgspec.structs.replace(part, beside="")
    path, beside = _places(part.path, project)
    return msgspec.structs.replace(part, path=path, beside=beside)


def placed_export(export: ExportChoice, project: Path) -> ExportChoice:
    """Return what is exported likewise, by the folder for the results."""
    if not export.folder or is_remote(export.folder):
        return msgspec.structs.replace(export, beside="")
    folder, beside = _places(export.folder, project)
    return msgspec.structs.replace(export, folder=folder, beside=beside)


def _places(named: str, project: Path) -> tuple[str, str]:
    """Return the absolute path of what is named, and the same from the project's folder on, or ""."""
    path = Path(os.path.abspath(expanded(named)))
    beside = ""
    with contextlib.suppress(ValueError):  # On Windows, where it is on another disk.
        target = _through_links(path.parent) / path.name
        beside = Path(os.path.relpath(target, _through_links(project).parent)).as_posix()
    return str(path), beside


def found(part: ProjectInput, project: Path) -> ProjectInput:
    """Return the input with the path at which it is now: as seen from the project, or where it was.

    Parameters
    ----------
    part : ProjectInput
    project : Path

    Raises
    ------
    MissingInputError
        It is at neither.
    StreamInputError
        It is a stream.
    """
    if part.path.startswith(STREAMS):
        raise StreamInputError(part.path, project.name)
    if not is_file(part.path):
        return part
    for place in _candidates(part.path, part.beside, project):
        # os.path.exists answers for every name, where Path.exists raises an error for some.
        if os.path.exists(place):
            return msgspec.structs.replace(part, path=place)
    raise MissingInputError(part.path, project.name)


def found_export(export: ExportChoice, project: Path) -> ExportChoice:
    """Return what is exported with the folder that is meant now: as seen from the project, or where it was.

    It may be neither there nor there yet: then the one counts that can be made without others around it.
    """
    if not export.beside:
        return export
    places = _candidates(export.folder, export.beside, project)
    there = [place for place in places if os.path.exists(place)]
    there += [place for place in places if os.path.exists(os.path.dirname(place))]
    return msgspec.structs.replace(export, folder=next(iter(there), places[-1]), beside="")


def _candidates(path: str, beside: str, project: Path) -> list[str]:
    """Return where something may be, the likeliest first: as seen from the project, and where it was."""
    places = [str(_through_links(project).parent / beside)] if beside else []
    return [os.path.abspath(place) for place in (*places, path)]


def _through_links(path: Path) -> Path:
    """Return where something really is: ``..`` of what is reached by a link is not where the link is."""
    return Path(os.path.realpath(path))
