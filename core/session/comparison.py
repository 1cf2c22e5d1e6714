"""Several methods over one input, kept in step: what each makes of the same frame comes together."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from core.frames.frame import Frame
from core.frames.residual import residual_rms
from core.io.sources.base import Source, SourceInfo
from core.session.phase import Phase
from core.session.plan import check_comparable
from core.session.report import Report
from core.session.session import Session
from core.session.settings import Settings

FIGURES = {
    "residual": "residual",
    "psnr_db": "PSNR",
    "relative_error": "relative error",
    "f_measure": "F",
}
"""What can be compared, by key, in words for people; all but the first only where the truth is known."""


@dataclass(frozen=True)
class Turn:
    """What one turn gave.

    Attributes
    ----------
    reports : tuple of Report or None
        One for each method; None where a method has nothing new, for it waits for those that still learn.
    together : bool
        All reports are there, of the same frame, in each method's last pass.
    """

    reports: tuple[Report | None, ...]
    together: bool

    @property
    def newest(self) -> Report:
        """The first report that there is."""
        return next(report for report in self.reports if report is not None)

    @property
    def frame(self) -> Frame:
        """The frame that this turn is about: that of all methods, or of the first that still learns."""
        return self.newest.frame

    @property
    def n_done(self) -> int:
        """Frames done in this pass, or iterations."""
        return self.newest.n_done

    @property
    def phase(self) -> Phase:
        """What goes on: iterating, gathering and the like until all are together."""
        if not self.together:
            return Phase.GATHERING
        return (
            Phase.APPLYING if all(r is not None and r.phase is Phase.APPLYING for r in self.reports) else Phase.LEARNING
        )

    iteration = None
    """Always None: iterations belong to single methods (`Report.iteration`)."""


class Comparison:
    """Runs a session for each of several methods, each over a source of its own, in step by the frame.

    Methods that read the input several times (or iterate over a part of it) learn first, while the others wait at
    their first frame. From then on each turn gives all of them one frame. In memory there is what the sessions hold.

    Parameters
    ----------
    open_input : callable
        ``open_input()`` opens the input; called once for each method.
    settings : sequence of Settings
        One for each method.

    Raises
    ------
    CleanplateError
        The input is a camera, which cannot be opened twice, or cannot be opened; settings do not fit.
    """

    def __init__(self, open_input: Callable[[], Source], settings: Sequence[Settings]) -> None:
        self._sources: list[Source] = []
        self._seek: int | None = None
        try:
            for _ in settings:
                self._sources.append(open_input())
                check_comparable(live=self._sources[0].info.live)
            self.sessions = [Session(s, chosen) for s, chosen in zip(self._sources, settings, strict=True)]
        except BaseException:
            self.close()
            raise

    @property
    def info(self) -> SourceInfo:
        """What is known of the input."""
        return self._sources[0].info

    @property
    def warnings(self) -> list[str]:
        """What was skipped or mended while reading, each sentence once."""
        return list(dict.fromkeys(sentence for source in self._sources for sentence in source.warnings))

    def seek(self, index: int) -> None:
        """Go on from frame ``index`` for all methods alike, with what they have learnt; once none learns ahead."""
        self._seek = max(0, index)

    def go_on(self, index: int) -> None:
        """Let the next run go on with frame ``index``, where one was cut short."""
        self.seek(index)

    def run(self) -> Generator[Turn, None, None]:
        """Yield turns until the input ends. Closing the generator releases what reads ahead.

        Run again, methods that learn first do so again, from where they are.
        """
        if not any(session.learns_first for session in self.sessions):
            self._pass_on_seek()
        running = [session.run() for session in self.sessions]
        try:
            ready: list[Report | None] = [None] * len(running)
            while not all(ready):
                new = [None if held else next(reports, None) for held, reports in zip(ready, running, strict=True)]
                if not all(one or held for one, held in zip(new, ready, strict=True)):
                    return
                ready = [held or (one if _is_last_pass(one) else None) for held, one in zip(ready, new, strict=True)]
                if not all(ready):
                    yield Turn(tuple(new), together=False)
            yield Turn(tuple(ready), together=True)
            while True:
                self._pass_on_seek()
                reports = tuple(next(each, None) for each in running)
                if not all(reports):
                    return
                yield Turn(reports, together=True)
        finally:
            for each in running:
                each.close()

    def browse(self, first: int) -> Generator[Turn, None, None]:
        """Yield what all methods make of the frames from ``first`` on, by what they have learnt; nothing is learnt."""
        looking = [session.browse(first) for session in self.sessions]
        try:
            while all(reports := tuple(next(each, None) for each in looking)):
                yield Turn(reports, together=True)
        finally:
            for each in looking:
                each.close()

    def close(self) -> None:
        """Release the inputs. May be called twice."""
        for source in self._sources:
            source.close()

    def _pass_on_seek(self) -> None:
        index, self._seek = self._seek, None
        if index is not None:
            for session in self.sessions:
                session.seek(index)


def _is_last_pass(report: Report | None) -> bool:
    return report is not None and report.pass_index == report.n_passes - 1


def figures(report: Report) -> dict[str, float]:
    """Return what is known of a report by the keys of `FIGURES`."""
    known = {key: value for key, value in report.figures.items() if key in FIGURES}
    return {"residual": residual_rms(report.frame, report.split), **known}
