"""Where the input of a project is, where it is not where the project says: people move files, and are asked."""

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
    path: Path, project: Project, missing: CleanplateError | None, dialogs: FileDialogs, *, called: str,
    asks: bool = False,
) -> tuple[Project, bool]:  # fmt: skip
    """Return the project with an input that is there, and whether a person had to be asked for it.

    Parameters
    ----------
    path : Path
        Of the project.
    project, missing
        As `app.engine.project_files.ProjectFiles.loaded` gives them.
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

    part, is_moved = _part_now(path, project.document.input, missing, dialogs, called, asks=asks)
    return replace(project, document=msgspec.structs.replace(project.document, input=part)), is_moved


def _part_now(
    path: Path, part: ProjectInput, missing: CleanplateError | None, dialogs: FileDialogs, called: str, *, asks: bool
) -> tuple[ProjectInput, bool]:
    import msgspec  # noqa: PLC0415

    from core.project.places import MissingInputError, StreamInputError  # noqa: PLC0415

    if asks and is_file(part.path):
        left = CleanplateError(f"{called} is not open; say where its input is to open it.")
        return _asked_for(path, part, dialogs, left), True
    if isinstance(missing, StreamInputError):
        address = dialogs.line("Stream", f"The project {called} reads this stream. Connect to it?", part.path)
        if not address:
            raise StreamInputError(part.path, called)
        return msgspec.structs.replace(part, path=address), False
    if missing is not None:
        return _asked_for(path, part, dialogs, MissingInputError(part.path, called)), True
    return part, False


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
