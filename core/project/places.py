"""Where the input of a project is now: project and input may have moved, together or apart."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec

from core.errors import CleanplateError, quoted
from core.io.home import expanded
from core.io.input_spec import STREAMS, is_file
from core.project.document import ProjectInput


class StreamInputError(CleanplateError):
    """A project reads a stream: nothing is connected to because a file says so, a person has to give the address.

    Attributes
    ----------
    address : str
    """

    def __init__(self, address: str, project: Path) -> None:
        self.address = address
        super().__init__(
            f"The project {project.name} reads the stream {quoted(address, 200)}; give that address yourself (--input) "
            f"to connect to it."
        )


class MissingInputError(CleanplateError):
    """The input of a project is neither where it was nor beside the project.

    Attributes
    ----------
    path : str
        Where it was.
    """

    def __init__(self, path: str, project: Path) -> None:
        super().__init__(
            f"The input {path} of the project {project.name} is not there any more; say where it is now "
            f"(--input), or put it back."
        )
        self.path = path


def placed(part: ProjectInput, project: Path) -> ProjectInput:
    """Return the input as a project saved at ``project`` holds it: by its absolute path, and from there on."""
    if not is_file(part.path):
        return msgspec.structs.replace(part, beside="")
    path = Path(os.path.abspath(expanded(part.path)))
    beside = ""
    with contextlib.suppress(ValueError):  # On Windows, where it is on another disk.
        target = _through_links(path.parent) / path.name
        beside = Path(os.path.relpath(target, _through_links(project.parent))).as_posix()
    return msgspec.structs.replace(part, path=str(path), beside=beside)


def found(part: ProjectInput, project: Path) -> ProjectInput:
    """Return the input with the path at which it is now: as seen from the project, or where it was.

    Raises
    ------
    MissingInputError
        It is at neither.
    StreamInputError
        It is a stream.
    """
    if part.path.startswith(STREAMS):
        raise StreamInputError(part.path, project)
    if not is_file(part.path):
        return part
    places = [str(_through_links(project.parent) / part.beside)] if part.beside else []
    for place in [os.path.abspath(place) for place in (*places, part.path)]:
        # os.path.exists answers for every name, where Path.exists raises an error for some.
        if os.path.exists(place):
            return msgspec.structs.replace(part, path=place)
    raise MissingInputError(part.path, project)


def _through_links(folder: Path) -> Path:
    """Return where a folder really is: ``..`` of one that is reached by a link is not where the link is."""
    return Path(os.path.realpath(folder))
