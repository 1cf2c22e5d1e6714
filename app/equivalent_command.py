"""A job as the command that does the same."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.export.job import Job
    from core.io.sources.corruption import Corruption
    from core.parameter import Value


def command_line(job: Job) -> str:
    """Return the ``cleanplate run …`` that gives the same files, byte for byte; quoted for a shell.

    What was painted by hand cannot be said in a command; a remark tells where it is.
    """
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
    if job.frames != (None, None):
        words += ["--frames", ":".join("" if end is None else str(end) for end in job.frames)]
    if job.corruption:
        words += ["--corrupt", _corruption(job.corruption)]
    if job.format != "png":
        words += ["--format", job.format]
    if job.overwrite:
        words.append("--overwrite")
    by_hand = "  # and what was painted by hand, which a saved model holds" if job.settings.painted else ""
    return shlex.join(words) + by_hand


def _corruption(corruption: Corruption) -> str:
    """Return the numbers up to the last that is not the default; density is always said."""
    from core.io.sources.corruption import USES  # noqa: PLC0415 - a job with a corruption comes from there

    names = USES[corruption.kind]
    told = [i for i, name in enumerate(names) if getattr(corruption, name) != getattr(type(corruption), name)]
    said = names[: max([0, *told]) + 1]
    return ":".join([corruption.kind, *(repr(getattr(corruption, name)) for name in said)])


def _text(value: Value) -> str:
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return "on" if value else "off"
    return repr(value) if isinstance(value, float) else str(value)
