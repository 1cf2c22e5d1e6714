"""What is to be said where frames were asked for that the input turned out not to have."""

from __future__ import annotations

from core.export.job_spec import Job
from core.io.sources.base import SourceInfo


def range_notes(job: Job, info: SourceInfo, place: int, n_frames: int) -> list[str]:
    """Return a note for each range of a job that leads beyond the end of its input.

    Parameters
    ----------
    job : Job
    info : SourceInfo
        Of what was read: all, or the range that is read.
    place : int
        Of the last frame in that, from 1, with those that are damaged.
    n_frames : int
        The number of the last frame as those are counted that may be written.
    """
    first, last = job.input.frames[0] or 1, job.input.frames[1]
    n_there = info.n_frames if info.is_counted and info.n_frames is not None else place
    end, notes = first - 1 + place, []
    if last is not None and first - 1 + n_there < last:
        notes.append(f"The input has {first - 1 + n_there} frames: {_said(first, end)} read.")
    if job.written[1] is not None and n_there < job.written[1]:
        there = f"{n_there} frames were read" if first > 1 or last is not None else f"The input has {n_there} frames"
        begin = job.written[0] or 1
        where = f", in the input {range_words(first - 1 + begin, end)}" if first > 1 else ""
        notes.append(f"{there}: {_said(begin, n_frames)} written{where}.")
    return notes


def _said(first: int, last: int) -> str:
    return f"{range_words(first, last)} {'were' if first < last else 'was'}"


def range_words(first: int, last: int) -> str:
    """Return what to call frames from one to another, of which there may be but one."""
    return f"{first} to {last}" if first < last else f"{last}"
