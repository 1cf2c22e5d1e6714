"""What is said of a run as it goes: what it is about, how much it has learnt, how far it has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.count_words import counted
from core.session.phase import Phase

if TYPE_CHECKING:
    from app.engine.state import State
    from core.io.sources.base import SourceInfo
    from core.methods.base import WarmUp
    from core.session.report import Report

MORE_PASSES = "more passes help"
"""Of an input that ends before the warm-up does; how often it is read is chosen below the pictures."""


@dataclass(frozen=True)
class RunWords:
    """What is said of a run at one frame.

    Attributes
    ----------
    about : str
        What goes on, where it plays.
    count : str
        How many frames that took.
    what : str
        "frame" or "iteration": what goes by, and is counted in a second.
    """

    about: str
    count: str
    what: str = "frame"


def words_of(
    report: Report, n_learnt: int, state: State, info: SourceInfo | None, *, applies_model: bool, goes_on: bool
) -> RunWords:
    """Return what is said of a run at a frame that it has processed.

    Parameters
    ----------
    report : Report
    n_learnt : int
        Frames since the run began.
    state : State
    info : SourceInfo or None
        Of what is open.
    applies_model : bool
        A model is applied to all frames.
    goes_on : bool
        The run goes on from what was learnt before.
    """
    more = " more" if goes_on else ""
    if report.iteration is not None:
        about = f"Learning: iteration {report.iteration.number} of {report.iteration.at_most}"
        return RunWords(about, f"from {counted(report.iteration.n_kept)}", "iteration")
    if report.phase is Phase.GATHERING:
        return RunWords("Gathering frames", f"gathered {counted(n_learnt)}")
    if report.warming is not None:
        helps = _what_helps(info) if is_too_few(report.warming, info, report.n_passes) else ""
        about = warming_words(report.warming, info, report.n_passes)
        return RunWords(about, f"learnt {counted(n_learnt)}{more}{helps}")
    if applies_model or report.phase is Phase.APPLYING:
        # In a last pass that only applies, what earlier ones have learnt from does not count.
        return RunWords(state.value, f"applied to {counted(n_learnt if applies_model else report.n_done)}")
    return RunWords(state.value, f"learnt {counted(n_learnt)}{more}")


def warming_words(warming: WarmUp, info: SourceInfo | None, n_passes: int) -> str:
    """Say how far the warm-up is, and what helps where there are too few frames for it, all passes together."""
    said = f"Warming up: {counted(warming.n_done)} learnt"
    if is_too_few(warming, info, n_passes):
        return said + _what_helps(info)
    return f"{said}, settles at {warming.n_frames}"


def _what_helps(info: SourceInfo | None) -> str:
    # A single picture shows the same however often it is read.
    return "" if info is not None and info.n_frames == 1 else f"; {MORE_PASSES}"


def is_too_few(warming: WarmUp, info: SourceInfo | None, n_passes: int) -> bool:
    """Return whether an input that is read so often has fewer frames than a warm-up takes."""
    n_frames = None if info is None or info.n_frames is None else n_passes * info.n_frames
    # Played again it learns from more than there are.
    return n_frames is not None and warming.n_done <= n_frames < warming.n_frames


def come_so_far(report: Report, n_frames: int | None, *, has_own_passes: bool) -> tuple[int, int | None]:
    """Return how many frames, or iterations, are done, and of how many; None where that is not known.

    Parameters
    ----------
    report : Report
        Of the last frame, or iteration.
    n_frames : int or None
        Of the input, as it now stands.
    has_own_passes : bool
        The method decides how often the input is read.
    """
    if report.phase is Phase.GATHERING or report.iteration is not None:
        return report.n_done, report.n_frames
    # Behind a batch method's iterations its first pass counts no more.
    earlier, n_passes = (0, 1) if has_own_passes else (report.pass_index, report.n_passes)
    done = earlier * (n_frames or 0) + report.frame.index + 1
    return done, max(n_passes * n_frames, done) if n_frames else None
