"""A job as the command that does the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.command_words import event_options, format_frames, format_settings, input_options
from core.export.frame_names import DEFAULT_NAMES
from core.export.job_spec import usual_passes
from core.export.products import CODED, DEFAULT_FORMAT
from core.io.input_spec import ALL_FRAMES
from core.io.sinks.video import DEFAULT_QUALITY, DEFAULT_SPEED
from core.runtime.shell import quoted

if TYPE_CHECKING:
    from core.export.job_spec import Job


def command_line(job: Job, project: Path | None = None) -> str:
    """Return the ``cleanplate run …`` that gives the same files, byte for byte; quoted for a shell.

    What was painted by hand, and areas, cannot be said in options: the command runs the project that holds them.

    Parameters
    ----------
    job : Job
    project : Path, optional
        Where exactly this job is saved; without it a remark tells what is missing.
    """
    by_hand = _by_hand(job)
    if by_hand and project is not None:
        overwrite = ["--overwrite"] if job.overwrite else []
        return quoted(["cleanplate", "run", str(project), "-o", str(job.output), *overwrite])
    remark = f"  # and {' and '.join(by_hand)}: save a project, and run that" if by_hand else ""
    return quoted(["cleanplate", *command_words(job)]) + remark


def is_by_hand(job: Job) -> bool:
    """Tell whether a job has something that cannot be said in options, and a project can hold: strokes or areas."""
    return bool(_by_hand(job))


def _by_hand(job: Job) -> list[str]:
    painted = ["what was painted by hand"] if job.settings.painted else []
    return painted if job.settings.areas.are_none else [*painted, "the areas"]


def command_words(job: Job) -> list[str]:
    """Return the words after ``cleanplate``."""
    # An input that begins with a dash would be taken for an option.
    words = ["run", "./" + job.input.path if job.input.path.startswith("-") else job.input.path]
    return [*words, "-o", str(job.output), *option_words(job)]


def told_beside(job: Job) -> list[str]:
    """Return what is said beside a project that holds a job: it knows all of it, but people who read a list do not."""
    words = ["--save", ",".join(job.save)]
    if job.format != DEFAULT_FORMAT:
        words += ["--format", job.format]
    if job.format in CODED and job.quality != DEFAULT_QUALITY:
        words += ["--quality", job.quality]
    return [*words, "--overwrite"] if job.overwrite else words


def option_words(job: Job) -> list[str]:
    """Return the words after the input and the folder."""
    words = ["--save", ",".join(job.save)]
    words += ["--model", str(job.model)] if job.model else ["--method", job.settings.method]
    for pair in format_settings(job.settings.values):
        words += ["--set", pair]
    if job.settings.passes != usual_passes(job.input, applies_model=job.model is not None):
        words += ["--passes", str(job.settings.passes)]
    words += input_options(job.input)
    if job.written != ALL_FRAMES:
        words += ["--write", format_frames(job.written)]
    if job.format != DEFAULT_FORMAT:
        words += ["--format", job.format]
    if job.quality != DEFAULT_QUALITY:
        words += ["--quality", job.quality]
    if job.speed != DEFAULT_SPEED:
        words += ["--speed", job.speed]
    if job.fps is not None:
        words += ["--fps", repr(job.fps)]
    if job.names != DEFAULT_NAMES:
        words += ["--names", job.names]
    words += event_options(job.rules)
    if job.overwrite:
        words.append("--overwrite")
    return words
