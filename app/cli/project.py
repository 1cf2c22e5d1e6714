"""The command ``run`` on a project: what the window's export would write, and what may be said otherwise."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Set
from pathlib import Path
from typing import Any

from app.cli import options as words
from app.cli.counting import note_counting
from app.cli.idle_options import note_idle
from app.cli.run_options import RunOptions
from app.command_words import parse_frames
from app.system.printable import printable
from core.errors import CleanplateError
from core.export.job_spec import Job
from core.io.sources import open_source
from core.project.another_input import another_input
from core.project.export import project_job
from core.project.store import load_document

OF_PROJECT = (
    "--method", "--set", "--preset", "--model", "--seed", "--grey", "--size", "--roi", "--corrupt", "--areas",
    "--start", "--run-in", "--spread", "--join", "--follow", "--follow-until",
)  # fmt: skip
"""Options that a project decides."""


def job_of_project(path: Path, options: RunOptions, given: Set[str]) -> Job:
    """Return the job of a project.

    Parameters
    ----------
    path : Path
    options : RunOptions
    given : set of str
        The options that were given, such as ``--save``: they go before what the project says, be they as usual or not.

    Raises
    ------
    CleanplateError
        The project cannot be used, or an option contradicts it.
    """
    if taken := [option for option in OF_PROJECT if option in given]:
        raise CleanplateError(f"{path.name} is a project and decides that itself; leave out {', '.join(taken)}.")
    if {"--frames", "--write"} <= given:
        raise CleanplateError("--frames and --write mean the same for a project; leave one out.")
    choice: dict[str, Any] = {
        "save": options.products, "format": options.format, "quality": options.quality,
        "speed": options.speed, "fps": options.fps, "names": options.names, "passes": options.passes,
    }  # fmt: skip
    changes = {name: value for name, value in choice.items() if f"--{name}" in given}
    # What was learnt and painted belongs to all frames: fewer are only written.
    for option, frames in (("--frames", options.view.frames), ("--write", options.write)):
        if frames is not None:
            changes["written"] = parse_frames(frames, option)
    folder = None if options.output is None else words.folder(options.output)
    events = options.events.changes(given)
    job = project_job(
        path, folder, moved_to=options.moved_to, overwrite=options.overwrite, events=events, **changes
    )  # fmt: skip
    note_idle(job, given)
    _note_another(path, job)
    if options.view.frames is not None:
        print(
            "Note: --frames means --write for a project: all frames are read, and these are written.", file=sys.stderr
        )
    if "written" in changes:
        note_counting(job)
    return job


def _note_another(path: Path, job: Job) -> None:
    """Say on standard error where the input that is read is not what the project was made of."""
    if not job.input.is_file:
        return
    with contextlib.suppress(CleanplateError), contextlib.closing(open_source(job.input)) as source:
        # Where it cannot be opened, the run says why.
        if said := another_input(load_document(path).input, source.info):
            print(f"Note: {printable(said)}", file=sys.stderr)
