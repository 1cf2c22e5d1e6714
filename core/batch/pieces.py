"""Long films in pieces: for each a job that learns a model from all over the film, one for each piece, one that joins.

A piece starts from that model and runs in over the frames before its first. So it depends on the film, the settings and
the length of the pieces, and not on other pieces, nor on who runs it and when.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePath

import msgspec

from core import catalogue
from core.batch.job import PIECES, BatchJob, JobState
from core.batch.job_list import JobList
from core.errors import CleanplateError
from core.export.job_spec import Job
from core.export.pieces.join import OF_THE_LAST
from core.export.pieces.part import saved_by_pieces
from core.export.products import place
from core.frames.frame import Layout, Planes
from core.io.input_spec import ALL_FRAMES, FrameRange
from core.io.publishing.ownership import LIST
from core.io.publishing.removal import remove
from core.io.sources import open_source
from core.io.sources.spread import count_readable

RUN_IN = 300
"""Frames that a piece reads before its first: so long it takes until what is kept of a scene is that of the time."""

SPREAD = 1200
"""Frames that the first model is learnt from."""

START = "start"
"""Name of the part that learns the first model."""

LEARNING_PASSES = 2
"""How often these are read: what stood in the way at first is known to be gone by then."""

SHORTEST_MIN, LONGEST_MIN = 0.05, 1e6
"""Length of a piece, minutes; shorter ones than three seconds would run in for longer than they last."""


def check_length(minutes: float) -> None:
    """Raise a `CleanplateError` where pieces cannot have a length."""
    if not SHORTEST_MIN <= minutes <= LONGEST_MIN:
        raise CleanplateError(
            f"Pieces cannot be {minutes:g} minutes long; a length is {SHORTEST_MIN:g} to {LONGEST_MIN:.0f} minutes."
        )


def check_in_pieces(job: Job) -> None:
    """Raise a `CleanplateError` where a job cannot be done in pieces, whatever its input holds."""
    settings = job.settings
    row = catalogue.row(settings.method)
    method = row.build(Layout(16, 16, Planes.GREY), catalogue.complete(row, settings.values), settings.seed)
    if method.as_batch is not None:
        raise CleanplateError(
            f"{settings.method} learns from all frames together, so it has no pieces; leave out --pieces, or choose a "
            f"method that learns from frame to frame."
        )
    if job.written != ALL_FRAMES or job.start is not None or job.run_in is not None or job.spread is not None:
        raise CleanplateError(
            "What is read and written of each piece follows from --pieces; leave out --write, --start, --run-in and "
            "--spread, or choose frames (--frames)."
        )


def cut(job: Job, minutes: float) -> list[FrameRange]:
    """Return the frames of each piece, counted from 1, both included; the last is open: it goes to the end of the film.

    One open piece stands for all of an input that is no longer, or that cannot be read.

    Raises
    ------
    CleanplateError
        The input has no rate, or no end.
    """
    try:
        source = open_source(job.input)
    except CleanplateError:  # The run itself will say why.
        return [ALL_FRAMES]
    with closing(source):
        rate = source.info.fps or job.fps
        if rate is None:
            raise CleanplateError(
                f"{source.info.title} has no frame rate, so minutes have no meaning in it; give one (--fps), or leave "
                f"out --pieces."
            )
        length, n_frames = max(1, round(60 * minutes * rate)), count_readable(source)
    firsts = range(1, n_frames + 1, length)
    return [(first, first + length - 1) for first in firsts[:-1]] + [(firsts[-1] if firsts else 1, None)]


def in_pieces(jobs: JobList, minutes: float, options: Sequence[str], job_of: Callable[[BatchJob], Job]) -> None:
    """Put the jobs of pieces before each job of a list that waits; those that are complete already stay.

    Parameters
    ----------
    jobs : JobList
        As `core.batch.plan.batch_list` gives it for this length of pieces.
    minutes : float
        Length of a piece.
    options : sequence of str
        Of ``cleanplate run``, the same for all.
    job_of : callable
        Gives what a job of the list would run in one piece.

    Raises
    ------
    CleanplateError
        An input has no pieces.
    """
    tidy(jobs)
    known = {job.key: job for job in jobs.jobs if job.is_part and job.is_complete}
    number, ordered = jobs.next_number(), []
    for job in jobs.jobs:
        if job.is_part:
            continue
        if job.state is JobState.WAITING:
            whole = msgspec.structs.replace(job, options=tuple(options), after=())
            what = job_of(whole)
            ranges = cut(what, minutes)
            if len(ranges) > 1:
                parts = list(_parts(whole, what, ranges, jobs.path.parent / PIECES / job.folder.name, number))
                number += len(parts)
                joins = (*options, "--join", str(parts[-1].folder.parent))
                whole = msgspec.structs.replace(whole, options=joins, after=tuple(part.number for part in parts))
                ordered += [_as_known(part, known) for part in parts]
            ordered.append(whole)
        else:
            ordered.append(job)
    jobs.begin_anew(ordered)


def _parts(whole: BatchJob, what: Job, ranges: Sequence[FrameRange], folder: Path, number: int) -> Iterator[BatchJob]:
    """Yield the job that learns the first model, where none is applied, and that of each piece."""

    def part(name: str, *words: str, after: tuple[int, ...] = ()) -> BatchJob:
        # What an earlier batch left there is not needed by anybody.
        return msgspec.structs.replace(
            whole, number=number, name=f"{whole.name} {name}", output=str(folder / name), key=f"{whole.key}/{name}",
            options=(*whole.options, *words), after=after, owns_output=True,
        )  # fmt: skip

    start: tuple[str, ...] = ()
    after: tuple[int, ...] = ()
    if what.model is None:
        learnt = part(START, "--save", "model", "--spread", str(SPREAD), "--passes", str(LEARNING_PASSES))
        yield learnt
        start, after = ("--start", str(place("model", learnt.folder, ""))), (number,)
        number += 1
    saved = list(saved_by_pieces(product for product in what.save if product not in OF_THE_LAST))
    for piece, (first, last) in enumerate(ranges, 1):
        if last is None:
            saved += [product for product in what.save if product in OF_THE_LAST]
        written = f"{first}:{'' if last is None else last}"
        words = ("--save", ",".join(saved), "--write", written, "--run-in", str(RUN_IN), *start)
        yield part(f"{piece:04d}", *words, after=after)
        number += 1


def _as_known(part: BatchJob, known: Mapping[str, BatchJob]) -> BatchJob:
    """Return a part as done where an earlier batch did it."""
    earlier = known.get(part.key)
    return part if earlier is None else msgspec.structs.replace(part, state=JobState.DONE, figures=earlier.figures)


def tidy(jobs: JobList) -> None:
    """Remove the parts of what is joined, their results too."""
    joined = [job for job in jobs.jobs if job.after and not job.is_part and job.is_complete]
    if not joined:
        return
    for job in joined:
        remove_parts(jobs, job)
        jobs.change(job.number, after=())  # Their numbers go to other jobs.
    over = {number for job in joined for number in job.after}
    jobs.remove(lambda job: job.number in over)


def remove_parts(jobs: JobList, joined: BatchJob) -> None:
    """Remove the results of the parts of a job that is done, and nothing else."""
    for number in () if joined.is_part else joined.after:
        if number not in jobs:
            continue
        job = jobs[number]
        if not job.is_part:
            continue
        files = job.figures.get("files")
        for name in [*(files if isinstance(files, list) else []), LIST]:
            within = PurePath(str(name))
            if within.is_absolute() or ".." in within.parts or not within.parts:
                continue  # A list is a file that anybody can change: nothing is removed but what lies in the folder.
            remove(job.folder / within)
        with contextlib.suppress(OSError):  # Each stays where it holds anything else.
            for folder in (job.folder, *job.folder.parents[:2]):
                folder.rmdir()
