"""A job as the command that does the same."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.job import Job
    from core.methods import Value


def limits(job: Job) -> str:
    """Return what the command line cannot say of a job, as a sentence; empty where it says everything."""
    corruption = job.corruption
    if corruption is None:
        return ""
    plain = type(corruption)(corruption.kind, corruption.density, job.settings.seed)
    return "" if plain == corruption else "The command uses the default strength of this corruption."


def command_line(job: Job) -> str:
    """Return the ``cleanplate run …`` that gives the same files, byte for byte; quoted for a shell."""
    words = ["cleanplate", "run", job.input, "-o", str(job.output), "--save", ",".join(job.save)]
    if job.model:
        words += ["--model", str(job.model)]
    else:
        words += ["--method", job.settings.method]
    for name, value in job.settings.values.items():
        words += ["--set", f"{name}={_text(value)}"]
    if job.settings.passes != 1:
        words += ["--passes", str(job.settings.passes)]
    if job.settings.seed:
        words += ["--seed", str(job.settings.seed)]
    if job.grey:
        words.append("--grey")
    if job.size:
        words += ["--size", f"{job.size[0]}x{job.size[1]}"]
    if job.roi:
        words += ["--roi", ",".join(map(str, job.roi))]
    if job.corruption:
        words += ["--corrupt", f"{job.corruption.kind}:{job.corruption.density!r}"]
    if job.format != "png":
        words += ["--format", job.format]
    if job.overwrite:
        words.append("--overwrite")
    return shlex.join(words)


def _text(value: Value) -> str:
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return "on" if value else "off"
    return repr(value) if isinstance(value, float) else str(value)
