"""Where a player takes its reports from: the run of what is played, or beside it the frames that someone looks at."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Generic

from app.engine.playable import GivenT, PlayedT
from core.session.phase import Phase


class Reel(Generic[PlayedT, GivenT]):
    """Holds the two generators of what is played, and how far the run has come.

    Attributes
    ----------
    played : PlayedT or None
        What gives reports; it stays until another takes its place.
    phase : Phase
        Of the last report of the run.
    n_learnt : int
        Frames processed since the run began, or since a batch method's iterations.
    next_index : int
        Number of the frame that the run goes on with, from 0.
    looked_at : int or None
        Number of the frame that is looked at; None where the last frame of the run is.
    """

    def __init__(self) -> None:
        self.played: PlayedT | None = None
        self._run: Generator[GivenT, None, None] | None = None
        self._browsed: Generator[GivenT, None, None] | None = None
        self.phase = Phase.LEARNING
        self.n_learnt = self.next_index = self._to_look_at = 0
        self.looked_at: int | None = None
        self._has_given = False

    @property
    def is_running(self) -> bool:
        """Whether the run has not come to its end."""
        return self._run is not None

    @property
    def is_browsing(self) -> bool:
        """Whether frames are looked at, and nothing is learnt."""
        return self._browsed is not None

    @property
    def has_more(self) -> bool:
        """Whether there may be a frame to come."""
        return self.is_running or self.is_browsing

    @property
    def looks(self) -> bool:
        """Whether the next report is of a frame that is looked at: the run gives one frame before all others."""
        return self.is_browsing and self._has_given

    @property
    def warnings(self) -> Sequence[str]:
        """What was skipped or mended while reading, and what of a model is ignored, as it now stands."""
        return [] if self.played is None else self.played.warnings

    def begin(self, played: PlayedT) -> None:
        """Begin the run of what gives reports."""
        self.close()
        self.played = played
        self.n_learnt = self.next_index = 0
        self.phase, self._has_given = Phase.LEARNING, False
        self.run_again()

    def stand_at(self, report: GivenT, *, is_over: bool) -> None:
        """Take note that the run stands at a report of an earlier one: at its end, or in its middle."""
        self.phase, self._has_given = report.phase, True
        self.next_index = report.frame.index + 1
        if is_over:
            self._end_run()

    def run_again(self) -> None:
        """Begin another run with what was learnt."""
        if self.played is not None:
            self._run = self.played.run()

    def read_anew(self) -> None:
        """Begin the passes of the run anew, at the frame that would have come next."""
        if self._run is not None and self.played is not None:
            self._run.close()
            self.run_again()
            self.played.seek(self.next_index)

    def break_off(self) -> None:
        """Take note that a report could not be had: what comes next begins with the frame that is missing."""
        played = self.played
        if played is None:
            return
        if self.looks:
            self._browsed = played.browse(self._to_look_at)
        elif self._run is not None:
            self._run.close()
            if self.phase in (Phase.LEARNING, Phase.APPLYING):  # Else the set is gathered anew, or iterated over.
                played.go_on(self.next_index)
            self.run_again()

    def seek(self, index: int) -> None:
        """Look at the frames from ``index`` on; while a batch method iterates, its next iteration shows this one."""
        self.end_browsing()
        if self.played is None:
            return
        if self.phase is Phase.ITERATING and self._run is not None:
            self.played.seek(index)
        else:
            self._browsed, self._to_look_at = self.played.browse(index), index

    def end_browsing(self) -> None:
        """Look at no frame any more: the run is what comes next."""
        browsed, self._browsed = self._browsed, None
        self.looked_at = None
        if browsed is not None:
            browsed.close()

    def next_learnt(self) -> GivenT | None:
        """Return the next report of the run; None at its end."""
        report = None if self._run is None else next(self._run, None)
        if report is None:
            self._run = None
        return report

    def next_looked_at(self) -> GivenT | None:
        """Return the next frame that is looked at; None where the run goes on with it, and at the end of the input."""
        report = None if self._browsed is None else next(self._browsed, None)
        if report is None or (self.is_running and report.frame.index == self.next_index):
            self.end_browsing()
            return None
        self.looked_at = report.frame.index
        self._to_look_at = report.frame.index + 1
        return report

    def count(self, report: GivenT) -> bool:
        """Take note of a report of the run; return whether it is the first of a run or a phase.

        Frames that a batch method is applied to are counted from its iterations on.
        """
        is_first, self._has_given = self.n_learnt == 0 and report.iteration is None, True
        if report.phase is not self.phase:
            self.phase, is_first = report.phase, True
        if report.iteration is not None:
            self.n_learnt = 0
        else:
            self.n_learnt += 1
            self.next_index = report.frame.index + 1
        return is_first

    def close(self) -> None:
        """End the run; what was played stays, as others may still ask it for what was painted."""
        self.end_browsing()
        self._end_run()

    def _end_run(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.close()
