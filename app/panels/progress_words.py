"""How far an export has come, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.count_words import and_left_out, counted
from app.panels.status import format_time_left
from app.rate_words import rate_words
from core.session.phase import Phase

if TYPE_CHECKING:
    from core.export.progress import Progress

MEANWHILE = "The window goes on meanwhile."

OPENING = f"Opening… {MEANWHILE}"
"""Before the first frame is done."""


def what_goes_on(progress: Progress, silent_s: float = 0.0) -> str:
    """Return what is done and where it is, such as "Learning: pass 1 of 2, frame 3 of 12".

    ``silent_s``: nothing has come of a live input for so long; 0: it comes.
    """
    if progress.work:
        return progress.work
    if silent_s:
        return f"No new frame for {silent_s:.0f} s. {MEANWHILE}"
    count = f"{progress.frame}" + ("" if progress.goal is None else f" of {progress.goal}")
    if progress.phase is Phase.GATHERING:
        said = f"Gathering frames: {count}"
    elif progress.phase is Phase.ITERATING:
        said = f"Learning: iteration {count}"
    else:
        # Only the last pass is written, or a part of it.
        unwritten = progress.unwritten
        doing = "Reading" if unwritten else "Writing" if progress.pass_number == progress.n_passes else "Learning"
        turn = f"pass {progress.pass_number} of {progress.n_passes}, " if progress.n_passes > 1 else ""
        said = f"{doing}: {turn}frame {count}" + (unwritten and f", {unwritten}")
    return f"{said}. {MEANWHILE}"


def how_far(progress: Progress) -> str:
    """Return the time left, or what has been done where that is not known."""
    if progress.seconds_left:
        return format_time_left(progress.seconds_left)
    return counted(progress.frame, _what(progress)) + and_left_out(progress.n_missed)


def how_fast(progress: Progress) -> str:
    """Return how far it is, and the rate where there is one."""
    rate = rate_words(progress.fps, _what(progress))
    return f"{how_far(progress)} · {rate}" if rate else how_far(progress)


def silent_words(silent_s: float) -> str:
    """Return for how long nothing came of a live input, to be added to how many frames did."""
    return f"none for {silent_s:.0f} s"


def _what(progress: Progress) -> str:
    return "iteration" if progress.phase is Phase.ITERATING else "frame"
