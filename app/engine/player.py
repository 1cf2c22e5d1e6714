"""Plays a session: one frame at a time, at the input's rate or as fast as it can, from any place.

::

    idle ──start()──▶ playing ⇄ paused
                         └──▶ finished (input ended; play starts it again with what was learnt)

Runs on one thread and knows nothing of windows.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from app.engine.pace import Pace, RateMeter
from core.errors import CleanplateError
from core.session.phase import Phase

if TYPE_CHECKING:
    from core.io.sources.base import Source, SourceInfo
    from core.session.model import Model
    from core.session.report import Report
    from core.session.session import Settings


class State(enum.Enum):
    """What goes on, in the words of the status bar."""

    PREPARING = "Preparing the engine…"
    IDLE = "Nothing is open"
    OPENING = "Opening…"
    LEARNING = "Learning"
    APPLYING = "Applying the model"
    PAUSED = "Paused"
    FINISHED = "Finished"


class Input(Protocol):
    """What is played: a source, or several that are read in step."""

    @property
    def info(self) -> SourceInfo:
        """What is known of it."""

    @property
    def warnings(self) -> list[str]:
        """What was skipped or mended while reading."""

    def close(self) -> None:
        """Release it."""


class Runnable(Protocol):
    """What gives reports, or turns of several: each has the ``frame`` that it is about."""

    def run(self) -> Generator[Any, None, None]:
        """Yield them; the generator may be closed at any time."""

    def seek(self, index: int) -> None:
        """Go on from another frame."""


class Shower(Protocol):
    """Where reports go."""

    halvings: int

    def show(self, report: Any, session: Any, n_learnt: int, fps: float, *, at_once: bool) -> None:
        """Take what a frame gave; show it, whatever the time, where ``at_once``."""

    def flush(self) -> None:
        """Show what was held back."""

    def clear(self) -> None:
        """Begin anew."""


class Player:
    """Drives the generator of a session.

    Parameters
    ----------
    presenter
        Where reports go.
    on_state
        Told of each change of state.
    """

    def __init__(self, presenter: Shower, on_state: Callable[[State], None]) -> None:
        self.loop = False
        # An `Input` and a `Runnable`; what can only be done to one source and one session is asked of those alone.
        self.source: Any = None
        self.session: Any = None
        self._presenter = presenter
        self._on_state = on_state
        self._state = State.PREPARING
        self._pace = Pace()
        self._rate = RateMeter()
        self._model: Model | None = None
        self._reports: Generator | None = None
        self._playing = False
        self._steps = 0
        self._n_learnt = 0
        self._next_index = 0
        self._due_s = 0.0
        self._phase = Phase.LEARNING

    @property
    def wait_s(self) -> float | None:
        """Seconds until a frame is due; None where none is."""
        if self._reports is None or not (self._playing or self._steps > 0):
            return None
        return max(0.0, self._due_s - time.perf_counter())

    def start(self, source: Source, settings: Settings, model: Model | None = None, *, play: bool = True) -> None:
        """Begin with a fresh session over a source, which this player then owns; shows one frame in any case.

        Raises
        ------
        CleanplateError
            The settings or the model do not fit; what played before goes on.
        """
        from core.session.session import Session  # noqa: PLC0415 - numba takes a second; imported off the window's thread

        self.take_up(source, Session(source, settings, model), model, play=play)

    def take_up(self, source: Input, session: Runnable, model: Model | None = None, *, play: bool = True) -> None:
        """Begin with what gives reports of a source, which this player then owns; shows one frame in any case."""
        self.close()
        self.source, self._playing = source, play
        self.set_state(State.PREPARING)
        self._begin(session, model)

    def restart(self, settings: Settings, model: Model | None = None) -> None:
        """Forget what was learnt and begin with the first frame."""
        from core.session.session import Session  # noqa: PLC0415 - see above

        if self.source is None:
            return
        session = Session(self.source, settings, model)
        self._end_reading()
        self._playing = self._playing or self._state is State.FINISHED
        self._begin(session, model)

    def _begin(self, session: Runnable, model: Model | None) -> None:
        self._presenter.clear()
        self.session, self._model = session, model
        self._reports = session.run()
        self._n_learnt = self._next_index = 0
        self._phase = Phase.LEARNING
        self._steps = 0 if self._playing else 1
        self._resume_clock()

    def advance(self) -> None:
        """Process one frame, or do one iteration of a batch method.

        Raises
        ------
        CleanplateError
            The input cannot be read any more; the player has stopped and may be started again.
        """
        if self._reports is None or self.session is None or self.source is None:
            return
        try:
            report = next(self._reports, None)
        except BaseException:
            self._reports, self._playing, self._steps = None, False, 0
            self._presenter.flush()
            self.set_state(State.FINISHED)
            raise
        if report is None:
            self._at_end()
            return
        is_first = self._count(report)
        self._steps = max(0, self._steps - 1)
        stops_here = not self._playing and self._steps == 0
        fps = self._rate.tick()
        self._presenter.show(report, self.session, self._n_learnt, fps, at_once=stops_here or is_first)
        self.set_state(self._running if self._playing else State.PAUSED)
        if self._playing:
            # What a batch method learns from is no film to be watched.
            paced = self._phase in (Phase.LEARNING, Phase.APPLYING)
            wait_s = self._pace.wait_s(report.frame.time_s, self.source.info.fps) if paced else 0.0
            self._due_s = time.perf_counter() + wait_s

    def play(self) -> None:
        """Go on; at the end, start the clip again with what was learnt."""
        if self.session is None or self.source is None:
            return
        if self._reports is None:
            if self.source.info.live:
                raise CleanplateError("The camera has stopped; open it again to go on.")
            self._reports = self.session.run()
        self._playing = True
        self._resume_clock()
        self.set_state(self._running)

    def pause(self) -> None:
        """Hold after the current frame, and show it."""
        self._playing, self._steps = False, 0
        self._presenter.flush()
        if self._reports is not None:
            self.set_state(State.PAUSED)

    def step(self) -> None:
        """Hold, and process one frame."""
        if self._reports is not None:
            self._playing = False
            self._steps += 1

    def seek(self, index: int) -> None:
        """Show frame ``index`` exactly, with what was learnt so far; goes on from there where it plays."""
        if self.session is None:
            return
        self.session.seek(index)
        if self._reports is None:
            self._reports = self.session.run()
        self._steps = 0 if self._playing else 1
        self._resume_clock()

    def set_values(self, changes: Mapping[str, object]) -> None:
        """Change live parameters from the next frame on."""
        if self.session is not None:
            self.session.control.set(changes)

    def set_passes(self, passes: int) -> None:
        """Read the input ``passes`` times, counted from now on."""
        if self.session is None or self.source is None or self._model is not None:
            return
        self.session.set_passes(passes)
        if self._reports is not None and self.session.row.kind != "batch":  # A batch method has passes of its own.
            self._reports.close()
            self._reports = self.session.run()
            self.session.seek(self._next_index)

    def set_real_time(self, on: bool) -> None:
        """Play at the input's own rate, or as fast as the method allows."""
        self._pace.real_time = on
        self._resume_clock()

    def set_state(self, state: State) -> None:
        """Tell of a state unless it is the present one."""
        if state is not self._state:
            self._state = state
            self._on_state(state)

    def tell_state(self) -> None:
        """Say what goes on now, after something else was tried."""
        if self._reports is not None:
            self.set_state(self._running if self._playing else State.PAUSED)
        else:
            self.set_state(State.FINISHED if self.session is not None else State.IDLE)

    def close(self) -> None:
        """End the session and close the source. May be called twice."""
        self.session = None
        self._end_reading()
        if self.source is not None:
            source, self.source = self.source, None
            source.close()

    @property
    def _running(self) -> State:
        applies = self._model is not None or self._phase is Phase.APPLYING
        return State.APPLYING if applies else State.LEARNING

    def _count(self, report: Report) -> bool:
        """Take note of where it is, and return whether this report is the first of a run or a phase.

        Frames that a batch method is applied to are counted from its iterations on.
        """
        is_first = self._n_learnt == 0 and report.iteration is None
        if report.phase is not self._phase:
            self._phase, is_first = report.phase, True
            self._rate.clear()
        if report.iteration is not None:
            self._n_learnt = 0
        else:
            self._n_learnt += 1
            self._next_index = report.frame.index + 1
        return is_first

    def _at_end(self) -> None:
        self._presenter.flush()
        self._reports, self._steps = None, 0
        can_loop = self.source is not None and not self.source.info.live and self._n_learnt
        if self.loop and self._playing and can_loop and self.session is not None:
            self._reports = self.session.run()
            self._resume_clock()
            return
        self._playing = False
        self.set_state(State.FINISHED)

    def _resume_clock(self) -> None:
        self._due_s = 0.0
        self._pace.start()
        self._rate.clear()

    def _end_reading(self) -> None:
        # The session stays until another takes its place: the window asks it at any time for what was painted.
        reports, self._reports = self._reports, None
        if reports is not None:
            reports.close()
