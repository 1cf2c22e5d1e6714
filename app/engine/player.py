"""Plays what gives reports: one frame at a time, at the input's rate or as fast as it can, from any place.

::

    idle ──begin_with()──▶ playing ⇄ paused
                        ⇅     └──▶ finished (input ended; play starts it again with what was learnt)
                     waiting (a camera is gone: it is looked for now and then)

Runs on one thread and knows nothing of windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from typing import Generic

from app.engine.pace import Pace, RateMeter
from app.engine.playable import GivenT, InputT, PlayedT, Shower, Transport
from app.engine.state import State
from core.session.phase import Phase

LOOK_S = 1.0
"""How often a camera that is gone is looked for."""


class Player(Transport, Generic[InputT, PlayedT, GivenT]):
    """Drives the generator of what is played.

    Parameters
    ----------
    presenter : Shower
        Where reports go.

    Attributes
    ----------
    source : Input or None
        What is being read; the player owns it.
    """

    def __init__(self, presenter: Shower[PlayedT, GivenT]) -> None:
        self.source: InputT | None = None
        self._presenter = presenter
        self._listener: Callable[[State], None] | None = None
        self._played: PlayedT | None = None
        self._state = State.PREPARING
        self._pace = Pace()
        self._rate = RateMeter()
        self._reports: Generator[GivenT, None, None] | None = None
        self._loop = False
        self._playing = False
        self._waiting = False
        self._steps = 0
        self._n_learnt = 0
        self._next_index = 0
        self._due_s = 0.0
        self._phase = Phase.LEARNING

    @property
    def wait_s(self) -> float | None:
        """Seconds until a frame is due; None where none is."""
        if not self._waiting and (self._reports is None or not (self._playing or self._steps > 0)):
            return None
        return max(0.0, self._due_s - time.perf_counter())

    @property
    def n_learnt(self) -> int:
        """Frames processed since the run began, or since a batch method's iterations."""
        return self._n_learnt

    @property
    def index(self) -> int:
        """Number of the frame that was processed last, from 0."""
        return max(self._next_index - 1, 0)

    @property
    def warnings(self) -> Sequence[str]:
        """What was skipped or mended while reading, and what of a model is ignored, as it now stands."""
        return [] if self._played is None else self._played.warnings

    def tell_states_to(self, listener: Callable[[State], None]) -> None:
        """Call ``listener`` with each state from now on, and with no other listener."""
        self._listener = listener

    def begin_with(self, source: InputT, played: PlayedT, *, play: bool = True) -> None:
        """Begin with what gives reports of a source, which this player then owns; shows one frame in any case."""
        self.close()
        self.source, self._playing = source, play
        self.set_state(State.PREPARING)
        self._begin(played)

    def _begin(self, played: PlayedT) -> None:
        self._presenter.clear()
        self._played = played
        self._reports = played.run()
        self._n_learnt = self._next_index = 0
        self._phase = Phase.LEARNING
        self._steps = 0 if self._playing else 1
        self._resume_clock()

    def _begin_again(self, played: PlayedT) -> None:
        """Put another run over the same source in the place of this one."""
        self._end_reading()
        self._playing = self._playing or self._state is State.FINISHED
        self._begin(played)

    def advance(self) -> None:
        """Process one frame, or do one iteration of a batch method.

        Raises
        ------
        CleanplateError
            The input cannot be read any more; the player has stopped and may be started again.
        """
        if self._waiting and self._played is not None:
            self._reports, self._waiting = self._played.run(), False
        if self._reports is None or self._played is None or self.source is None:
            return
        try:
            report = next(self._reports, None)
        except BaseException:
            self._reports, self._playing, self._steps = None, False, 0
            self._presenter.flush(self._played)
            self.set_state(State.FINISHED)
            raise
        if report is None:
            self._at_end()
            return
        is_first = self._count(report)
        self._steps = max(0, self._steps - 1)
        stops_here = not self._playing and self._steps == 0
        fps = self._rate.tick()
        self._presenter.show(report, self._played, self._n_learnt, fps, at_once=stops_here or is_first)
        self.set_state(self._running if self._playing else State.PAUSED)
        if self._playing:
            # What a batch method learns from is no film to be watched.
            paced = self._phase in (Phase.LEARNING, Phase.APPLYING)
            wait_s = self._pace.wait_s(report.frame.time_s, self.source.info.fps) if paced else 0.0
            self._due_s = time.perf_counter() + wait_s

    def play(self) -> None:
        """Go on; at the end, start the clip again with what was learnt."""
        if self._played is None or self.source is None:
            return
        if self._reports is None:
            self._reports, self._waiting = self._played.run(), False
        self._playing = True
        self._resume_clock()
        self.set_state(self._running)

    def pause(self) -> None:
        """Hold after the current frame, and show it."""
        is_held, self._waiting = self._reports is not None or self._waiting, False
        self._playing, self._steps = False, 0
        self._presenter.flush(self._played)
        if is_held:
            self.set_state(State.PAUSED)

    def step(self) -> None:
        """Hold, and process one frame."""
        if self._reports is not None:
            self._playing = False
            self._steps += 1

    def seek(self, index: int) -> None:
        """Show frame ``index`` exactly, with what was learnt so far; goes on from there where it plays."""
        if self._played is None:
            return
        self._played.seek(index)
        if self._reports is None:
            self._reports = self._played.run()
        self._steps = 0 if self._playing else 1
        self._resume_clock()

    def set_loop(self, on: bool) -> None:
        """Start the clip again at its end, with what was learnt; or do not."""
        self._loop = on

    def set_real_time(self, on: bool) -> None:
        """Play at the input's own rate, or as fast as the method allows."""
        self._pace.real_time = on
        self._resume_clock()

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures for the screen so often."""
        self._presenter.set_detail(halvings)

    def set_state(self, state: State) -> None:
        """Tell of a state unless it is the present one."""
        if state is not self._state:
            self._state = state
            if self._listener is not None:
                self._listener(state)

    def tell_state(self) -> None:
        """Say what goes on now, after something else was tried."""
        if self._waiting:
            self.set_state(State.WAITING)
        elif self._reports is not None:
            self.set_state(self._running if self._playing else State.PAUSED)
        else:
            self.set_state(State.FINISHED if self._played is not None else State.IDLE)

    def close(self) -> None:
        """End what is played and close the source. May be called twice."""
        self._played = None
        self._end_reading()
        if self.source is not None:
            source, self.source = self.source, None
            source.close()

    @property
    def _running(self) -> State:
        """The state while it plays."""
        return State.APPLYING if self._phase is Phase.APPLYING else State.LEARNING

    def _count(self, report: GivenT) -> bool:
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
        self._presenter.flush(self._played)
        self._reports, self._steps = None, 0
        can_loop = self.source is not None and not self.source.info.live and self._n_learnt
        if self._loop and self._playing and can_loop and self._played is not None:
            self._reports = self._played.run()
            self._resume_clock()
            return
        if self._playing and self.source is not None and self.source.info.live:
            self._waiting, self._due_s = True, time.perf_counter() + LOOK_S
            self.set_state(State.WAITING)
            return
        self._playing = False
        self.set_state(State.FINISHED)

    def _read_anew(self) -> None:
        """Let what is played begin its passes anew, at the frame that would have come next."""
        if self._reports is not None and self._played is not None:
            self._reports.close()
            self._reports = self._played.run()
            self._played.seek(self._next_index)

    def _resume_clock(self) -> None:
        self._due_s = 0.0
        self._pace.start()
        self._rate.clear()

    def _end_reading(self) -> None:
        # What is played stays until another takes its place: the window asks it at any time for what was painted.
        reports, self._reports, self._waiting = self._reports, None, False
        if reports is not None:
            reports.close()
