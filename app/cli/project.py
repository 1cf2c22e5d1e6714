"""The command ``run`` on a project: what the window's export would write, and what may be said otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.cli import options
from app.cli.counting import note_counting
from app.cli.idle_options import note_idle
from app.command_words import parse_frames
from core.errors import CleanplateError
from core.export.job_spec import Job
from core.project.export import project_job

OF_PROJECT = {
    "method": "--method", "values": "--set", "preset": "--preset", "model": "--model", "seed": "--seed",
    "grey": "--grey", "size": "--size", "roi": "--roi", "corrupt": "--corrupt", "areas": "--areas",
    "start": "--start", "run_in": "--run-in", "spread": "--spread", "join": "--join", "follow": "--follow",
    "follow_until": "--follow-until",
}  # fmt: skip
"""Options that a project decides, by the names of their parameters."""

AS_SAID = ("quality", "speed", "fps", "names", "passes", "overwrite")
"""Options that go before what a project chooses, and are called as that is."""


def job_of_project(path: Path, said: Mapping[str, Any]) -> Job:
    """Return the job of a project.

    Parameters
    ----------
    path : Path
    said : mapping
        The options that were given, by the names of their parameters.

    Raises
    ------
    CleanplateError
        The project cannot be used, or an option contradicts it.
    """
    if taken := [option for name, option in OF_PROJECT.items() if name in said]:
        raise CleanplateError(f"{path.name} is a project and decides that itself; leave out {', '.join(taken)}.")
    changes: dict[str, Any] = {name: said[name] for name in AS_SAID if name in said}
    if "save" in said:
        changes["save"] = options.products(said["save"])
    if "form" in said:
        changes["format"] = said["form"]
    if "frames" in said and "write" in said:
        raise CleanplateError("Of a project --frames and --write mean the same; leave one out.")
    for name in ("frames", "write"):  # What was learnt and painted belongs to all frames: fewer are only written.
        if name in said:
            changes["written"] = parse_frames(said[name], f"--{name}")
    changes["rules"] = options.rules(said)
    folder = options.folder(said["output"]) if "output" in said else None
    job = project_job(path, folder, moved_to=said.get("moved_to"), **changes)
    note_idle(job, {"--" + name.replace("_", "-") for name in said})
    if "write" in said or "frames" in said:
        note_counting(job)
    return job
