"""Options that a job does nothing with: who gave one is told what it needs."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterator

from app.cli.run_options import EVENT_OPTIONS
from core.export.frame_names import NAMES
from core.export.job_spec import Job
from core.export.products import CODED, QUALITIES, SEQUENCES, SPEEDS
from core.io.input_spec import ALL_FRAMES


def note_idle(job: Job, said: Container[str] | None = None, *, in_pieces: bool = False) -> None:
    """Print a note on standard error for each option that has no effect.

    Parameters
    ----------
    job : Job
    said : container of str, optional
        The options that were given, where the rest was decided elsewhere; all that differ from what is usual, else.
    in_pieces : bool
        The job is done in pieces, whose length in frames follows from a rate.
    """
    for option, condition in _idle(job, in_pieces=in_pieces):
        if said is None or option in said:
            print(f"Note: {option} has no effect unless {condition}.", file=sys.stderr)


def _idle(job: Job, *, in_pieces: bool) -> Iterator[tuple[str, str]]:
    """Yield each option that was set and does nothing in a job, with what it needs."""
    usual = Job(job.input, job.output)
    coded, images = (f"--format is {' or '.join(sorted(formats))}" for formats in (CODED, SEQUENCES))
    if job.format not in CODED:
        if job.quality in QUALITIES.keys() - {usual.quality}:
            yield "--quality", coded
        if job.speed in SPEEDS.keys() - {usual.speed}:
            yield "--speed", coded
    if job.format in SEQUENCES and job.fps is not None and not in_pieces:
        yield "--fps", "--format is one of films, such as mp4"
    if job.format not in SEQUENCES and job.names in NAMES.keys() - {usual.names}:
        yield "--names", images
    if not {"events", "boxes"} & set(job.save):
        for name, option in EVENT_OPTIONS.items():
            if getattr(job.rules, name) != getattr(usual.rules, name):
                yield option, "--save has events or boxes"
    if job.run_in is not None and job.written == ALL_FRAMES:
        yield "--run-in", "--write says which frames"
