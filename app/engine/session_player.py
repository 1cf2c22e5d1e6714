"""Plays one session over one source: what can be done to that alone, and not to a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.player import Player
from app.engine.presenter import Presenter
from app.engine.resume import Resume
from app.engine.state import State
from core.session.plan import check_passes

if TYPE_CHECKING:
    from core.io.sources.base import Source
    from core.session.model import Model
    from core.session.report import Report  # noqa: F401 - named in the base class
    from core.session.session import Session
    from core.session.settings import Settings
    from core.session.standing import Standing


class SessionPlayer(Player["Source", "Session", "Report"]):
    """Drives a session.

    Parameters
    ----------
    presenter : Presenter
        Where reports go.

    Attributes
    ----------
    goes_on : bool
        It goes on learning from what was learnt before.
    lineage : int
        Another for each time that learning began anew; what goes on with what was learnt before has that of before.
    n_before : int
        Frames that were learnt in this lineage before this run.
    """

    def __init__(self, presenter: Presenter) -> None:
        super().__init__(presenter)
        self._applies_model = False
        self.goes_on = False
        self.lineage = self._n_lineages = self.n_before = 0
        self._standing: Standing | None = None
        self._shows = presenter

    @property
    def session(self) -> Session | None:
        """What is played; it stays until another takes its place.

        Other threads may ask it only for ``session.strokes.painted``.
        """
        return self._reel.played

    def start(self, source: Source, settings: Settings, model: Model | None = None, *, play: bool = True) -> None:
        """Begin with a fresh session over a source, which this player then owns; shows one frame in any case.

        Raises
        ------
        CleanplateError
            The settings or the model do not fit; what played before goes on.
        """
        from core.session.session import Session  # noqa: PLC0415 - numba takes a second; imported off the window's thread

        self.play_session(source, Session(source, settings, model), applies_model=model is not None, play=play)

    def resume(self, source: Source, settings: Settings, resume: Resume, model: Model | None = None) -> None:
        """Begin where earlier work stood, with a model if one was applied; raises as `start`."""
        from core.session.session import Session  # noqa: PLC0415 - see above

        painted = replace(settings, painted=resume.painted)
        learnt = resume.learnt if model is None else None
        session = Session(source, painted, model or learnt, goes_on=learnt is not None)
        self.play_session(source, session, applies_model=model is not None, play=resume.plays)
        self._go_on(session, resume, learns_on=learnt is not None)
        if resume.shown is not None and not source.info.live:
            self.seek(resume.shown)

    def play_session(self, source: Source, session: Session, *, applies_model: bool = False, play: bool = True) -> None:
        """Begin with a session over a source, which this player then owns; shows one frame in any case."""
        self.begin_with(source, session, play=play)
        self._applies_model, self.goes_on, self._standing = applies_model, False, None
        self._begin_lineage()

    def _begin_lineage(self) -> None:
        self._n_lineages += 1
        self.lineage, self.n_before = self._n_lineages, 0

    def _go_on(self, session: Session, resume: Resume, *, learns_on: bool) -> None:
        """Go on with what was learnt before, where it stood."""
        self.goes_on = learns_on
        if learns_on and resume.lineage is not None:
            self.lineage, self.n_before = resume.lineage, resume.n_before
        if learns_on and resume.unused is not None:
            self._shows.recall_unused(resume.unused)
        if not session.begins_anew and not session.source.info.live:
            self._standing = resume.standing

    def restart(self, settings: Settings, model: Model | None = None, resume: Resume | None = None) -> None:
        """Forget what was learnt and begin with the first frame, or where earlier work over the same source stood."""
        from core.session.session import Session  # noqa: PLC0415 - see above

        if self.source is None:
            return
        learnt = resume.learnt if resume is not None and model is None else None
        session = Session(self.source, settings, model or learnt, goes_on=learnt is not None)
        self._begin_again(session)
        self._applies_model, self.goes_on, self._standing = model is not None, False, None
        self._begin_lineage()
        if resume is not None:
            self._go_on(session, resume, learns_on=learnt is not None)

    @property
    def standing(self) -> Standing | None:
        """Where the run stands, for `Resume`; None before its first frame."""
        if self._standing is not None:
            return self._standing
        return None if self.session is None else self.session.standing(is_over=self.is_over)

    def _stands_again(self) -> bool:
        standing, self._standing, session = self._standing, None, self.session
        if standing is None or session is None:
            return False
        n_frames = session.source.info.n_frames
        if n_frames and standing.index >= n_frames:  # It is another input by now.
            standing = replace(standing, index=n_frames - 1, kept=None)
        report = session.go_on_at(standing)
        if report is None:
            session.seek(standing.index)
            return False
        self._shows.resume(report, session)
        self._stand_at(report, is_over=standing.is_over)
        return True

    def set_values(self, changes: Mapping[str, object]) -> None:
        """Change live parameters from the next frame on."""
        if self.session is not None:
            self.session.control.set(changes)

    def set_passes(self, passes: int) -> None:
        """Read the input ``passes`` times, counted from now on."""
        if self.session is None or self.source is None or self._applies_model:
            return
        check_passes(passes, live=self.source.info.live)
        if self.source.info.live:
            return  # It is read once, and has begun.
        self.session.set_passes(passes)
        if not self.session.has_own_passes:
            self._reel.read_anew()

    @property
    def _running(self) -> State:
        return State.APPLYING if self._applies_model else super()._running
