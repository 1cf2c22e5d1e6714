"""Where the input of a project is now, and where its results go: people move files, and are asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.folders import folder_near

if TYPE_CHECKING:
    from app.window.dialogs import FileDialogs
    from core.project.store import Project


def with_input(path: Path, project: Project, dialogs: FileDialogs) -> tuple[Project, bool]:
    """Return the project with its places as they are now, and whether a person had to be asked for its input.

    Parameters
    ----------
    path : Path
        Of the project.
    project : Project
    dialogs : FileDialogs

    Raises
    ------
    CleanplateError
        It is not there, and was not told.
    """
    import msgspec  # noqa: PLC0415

    from core.project.places import MissingInputError, StreamInputError, found, found_export  # noqa: PLC0415

    part, is_moved = project.document.input, False
    try:
        part = found(part, path)
    except StreamInputError as error:
        address = dialogs.line("Stream", f"{path.name} reads this stream. Connect to it?", error.address)
        if not address:
            raise
        part = msgspec.structs.replace(part, path=address)
    except MissingInputError:
        name = Path(part.path).name
        title = f"Where is {name} now?"
        is_file = bool(Path(name).suffix)
        near = folder_near(part.path, path.parent)
        moved = dialogs.open(title, "All files (*)", near) if is_file else dialogs.open_folder(title, near)
        if moved is None:
            raise
        part, is_moved = msgspec.structs.replace(part, path=str(moved)), True
    export = found_export(project.document.export, path)
    return replace(project, document=msgspec.structs.replace(project.document, input=part, export=export)), is_moved
