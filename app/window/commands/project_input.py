"""Where the input of a project is now, and where its results go: people move files, and are asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.folders import folder_near
from core.errors import CleanplateError
from core.io.input_spec import is_file

if TYPE_CHECKING:
    from app.window.dialogs import FileDialogs
    from core.project.document import ProjectInput
    from core.project.store import Project


def with_input(
    path: Path, project: Project, dialogs: FileDialogs, *, called: str, asks: bool = False
) -> tuple[Project, bool]:
    """Return the project with its places as they are now, and whether a person had to be asked for its input.

    Parameters
    ----------
    path : Path
        Of the project.
    project : Project
    dialogs : FileDialogs
    called : str
        What people call the project: recovered work lies in a file of another name.
    asks : bool
        Ask for the file also where there is one: a person has seen that it is not the project's.

    Raises
    ------
    CleanplateError
        It is not there, and was not told.
    """
    import msgspec  # noqa: PLC0415

    from core.project.places import found_export  # noqa: PLC0415

    part, is_moved = _part_now(path, project.document.input, dialogs, called, asks=asks)
    export = found_export(project.document.export, path)
    return replace(project, document=msgspec.structs.replace(project.document, input=part, export=export)), is_moved


def _part_now(
    path: Path, part: ProjectInput, dialogs: FileDialogs, called: str, *, asks: bool
) -> tuple[ProjectInput, bool]:
    import msgspec  # noqa: PLC0415

    from core.project.places import MissingInputError, StreamInputError, found  # noqa: PLC0415

    if asks and is_file(part.path):
        left = CleanplateError(f"{called} is not open; say where its input is to open it.")
        return _asked_for(path, part, dialogs, left), True
    try:
        return found(part, path, called), False
    except StreamInputError as error:
        address = dialogs.line("Stream", f"The project {called} reads this stream. Connect to it?", error.address)
        if not address:
            raise
        return msgspec.structs.replace(part, path=address), False
    except MissingInputError as error:
        return _asked_for(path, part, dialogs, error), True


def _asked_for(path: Path, part: ProjectInput, dialogs: FileDialogs, left: CleanplateError) -> ProjectInput:
    """Return the input where a person says that it is; raises ``left`` where they leave the question."""
    import msgspec  # noqa: PLC0415

    name = Path(part.path).name
    title = f"Where is {name} now?"
    near = folder_near(part.path, path.parent)
    moved = dialogs.open(title, "All files (*)", near) if Path(name).suffix else dialogs.open_folder(title, near)
    if moved is None:
        raise left
    return msgspec.structs.replace(part, path=str(moved))
