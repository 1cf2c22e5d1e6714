"""What a project exports: the same job from the window and from the command line, wherever the project lies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from core.errors import CleanplateError
from core.export.job_spec import Job, chosen_passes
from core.io.home import expanded
from core.project.document import ExportChoice
from core.project.places import found, found_export
from core.project.store import Project, load_project


def project_job(
    path: Path, output: Path | None = None, *, moved_to: str | None = None, overwrite: bool = False,
    events: Mapping[str, object] | None = None, **changes: Any,
) -> Job:  # fmt: skip
    """Return the job that writes what a project shows.

    Parameters
    ----------
    path : Path
        Of the project.
    output : Path, optional
        Folder for the results; the project's own where there is none.
    moved_to : str, optional
        Where the input is now.
    overwrite : bool
        Replace results that are there.
    events : mapping, optional
        Changes to the project's rules of events, by name.
    **changes
        To the project's `ExportChoice`, by name.

    Raises
    ------
    CleanplateError
        The project cannot be used, its input is gone, or no folder for the results is known.
    """
    project = load_project(path, learnt=False)
    export = msgspec.structs.replace(found_export(project.document.export, path), **changes)
    if output is None and not export.folder:
        raise CleanplateError(f"The project {path} names no folder for the results; give one after --output.")
    part = project.document.input
    part = found(part, path) if moved_to is None else msgspec.structs.replace(part, path=moved_to)
    rules = msgspec.structs.replace(project.document.events, **(events or {}))
    document = msgspec.structs.replace(project.document, input=part, events=rules)
    project = replace(project, document=document)
    return job_of(project, export, output or expanded(export.folder), overwrite=overwrite)


def job_of(project: Project, export: ExportChoice, output: Path, *, overwrite: bool = False) -> Job:
    """Return the job that writes what a project shows, whose input is where its path says."""
    spec, settings, save = project.document.input.spec(), project.document.settings(), export.save
    applies = project.model is not None
    passes = chosen_passes(export.passes, settings.passes, spec, model=applies)
    return Job(
        spec, output, save, replace(settings, passes=passes, painted=project.painted), format=export.format,
        quality=export.quality, speed=export.speed, fps=export.fps, model=project.model, overwrite=overwrite,
        written=export.written, names=export.names, rules=project.document.events,
    )  # fmt: skip
