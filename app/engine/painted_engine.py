"""An engine on whose frames people paint, and exclude areas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.engine.loop import Engine
from app.engine.painting import Painting
from app.engine.presenter import Presenter
from app.engine.session_player import SessionPlayer
from app.engine.threads import on_own_thread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.scene.areas import Areas
    from core.scene.masks.strokes import Span
    from core.session.report import Report
    from core.session.session import Session
    from core.session.strokes import Strokes


class PaintedEngine(Engine[SessionPlayer]):
    """Runs one session, and takes what is painted and drawn on its frames; see `Engine`.

    Parameters
    ----------
    presenter : Presenter
        Where reports go.

    Signals
    -------
    painted_changed() : there is something else in `painted`
    stroke_taken() : a stroke was taken up, or left out; what comes of it on the frame that is shown lies in the slot
    painted_by_hand(Strokes, Strokes) : a person has painted, or forgotten what was: what there was before, and is now
    done_by_hand() : a stroke or forgetting, in the order in which they were asked for, is done or left out
    and those of `Engine`
    """

    painted_changed = Signal()
    stroke_taken = Signal()
    painted_by_hand = Signal(object, object)
    done_by_hand = Signal()

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter
        super().__init__(SessionPlayer(presenter))

    # Commands: called from any thread.

    def correct(
        self, report: Report, where: NDArray[np.bool_], is_background: bool, frames: Span | None = None
    ) -> None:
        """Take what was painted on a report for true: ``where`` (H, W), in pixels of the original picture.

        With ``frames`` that corrects these only, and nothing is learnt from it. A stroke on what was open before
        is left out.
        """
        painted = Painting(report, where, is_background, frames)
        if not self._post(partial(self._take_stroke, painted)):
            self._answer_stroke()

    def restore_strokes(self, strokes: Strokes) -> None:
        """Remember what was painted at another time, and nothing else."""
        self._post(partial(self._change_strokes, lambda session: session.strokes.restore(strokes), by_hand=False))

    def forget_painted(self) -> None:
        """Remember nothing any more of what was painted."""
        if not self._post(self._forget):
            self.done_by_hand.emit()

    def set_areas(self, areas: Areas) -> None:
        """Exclude these areas and no others from the next frame on; while paused, the shown frame follows at once."""
        self._post(partial(self._set_areas, areas), topic="areas")

    @property
    def painted(self) -> Mapping[str, NDArray[np.generic]]:
        """What was painted by hand on what is open; may be read from any thread."""
        session = self._player.session
        return {} if session is None else session.strokes.painted

    @property
    def strokes(self) -> Strokes | None:
        """The same, to come back to; None where nothing is open."""
        session = self._player.session
        return None if session is None else session.strokes.now

    # On the engine's thread.

    @on_own_thread
    def _take_stroke(self, painted: Painting) -> None:
        try:
            if self._presenter.has_shown(painted.report):
                self._change_strokes(painted.put_on, by_hand=True)
        finally:
            self._answer_stroke()

    def _answer_stroke(self) -> None:
        self.done_by_hand.emit()
        self.stroke_taken.emit()

    @on_own_thread
    def _forget(self) -> None:
        try:
            self._change_strokes(lambda session: session.strokes.forget(), by_hand=True)
        finally:
            self.done_by_hand.emit()

    @on_own_thread
    def _set_areas(self, areas: Areas) -> None:
        session = self._player.session
        if session is not None and session.areas.now != areas:  # Else a frame that was shown would be found anew.
            self._change_strokes(lambda session: session.areas.set(areas), by_hand=False)

    @on_own_thread
    def _change_strokes(self, change: Callable[[Session], Report | None], *, by_hand: bool) -> None:
        session = self._player.session
        if session is None:
            return
        before = session.strokes.now
        report = change(session)
        if by_hand:
            self.painted_by_hand.emit(before, session.strokes.now)
        self.painted_changed.emit()
        self._show_again(report)  # Last: what is seen can be undone.

    def _show_again(self, report: Report | None) -> None:
        if report is not None:
            self._presenter.show_again(report)
