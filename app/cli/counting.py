"""Which frames of the input `--write` means, where it does not count them as the input does."""

from __future__ import annotations

import sys

from app.command_words import format_frames
from core.export.job_spec import Job
from core.export.range_notes import range_words
from core.io.input_spec import ALL_FRAMES


def note_counting(job: Job) -> None:
    """Print a note on standard error where a part of the input is read, and some of the frames in it are written.

    Pieces of a long run, which ask for frames to run in, were counted by the program.

    Parameters
    ----------
    job : Job
    """
    n_before = (job.input.frames[0] or 1) - 1
    if not n_before or job.written == ALL_FRAMES or job.run_in is not None:
        return
    first, last = n_before + (job.written[0] or 1), job.written[1]
    which = f"{first} and all after it" if last is None else range_words(first, n_before + last)
    print(
        f"Note: Frames to write (--write) are counted from the first one that is read: "
        f"{format_frames(job.written)} means {which} of the input.",
        file=sys.stderr,
    )
