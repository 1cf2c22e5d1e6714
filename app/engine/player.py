"""Plays what gives reports: one frame at a time, at the input's rate or as fast as it can, from any place.

::

    idle ──begin_with()──▶ playing ⇄ paused
                        ⇅     └──▶ finished (input ended; play starts it again with what was learnt)
                     waiting (a camera is gone: it is looked for now and then)
    stopped (a frame could not be had; play goes on with that frame, from wherever it was)

A frame that someone seeks is shown by what was learnt so far, and so are those after it where it plays: nothing is
learnt from them. Learning goes on where it stopped once playing comes there, or to the end.

Runs on one thread and knows nothing of windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Generic

from app.engine.pace import Pace, RateMeter
from app.engine.playable import GivenT, InputT, PlayedT, Shower, Transport
from app.engine.reel import Reel
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
        self._reel: Reel[PlayedT, GivenT] = Reel()
        self._state = State.PREPARING
        self._pace = Pace()
        self._rate = RateMeter()
        self._loop = False
        self._playing = False
        self._waiting = False
        self._steps = 0
        self._going_to: int | None = None
        self._due_s = 0.0

    @property
    def wait_s(self) -> float | None:
        """Seconds until a frame is due; None where none is."""
        if not self._waiting and not (self._reel.has_more and (self._playing or self._steps > 0)):
            return None
        return max(0.0, self._due_s - time.perf_counter())

    @property
    def n_learnt(self) -> int:
        """Frames processed since the run began, or since a batch method's iterations."""
        return self._reel.n_learnt

    @property
    def index(self) -> int:
        """Number of the frame that was processed last, from 0."""
        return max(self._reel.next_index - 1, 0)

    @property
    def looked_at(self) -> int | None:
        """Number of the frame that is looked at and teaches nothing; None where the one processed last is."""
        return self._reel.looked_at

    @property
    def going_to(self) -> int | None:
        """Number of the frame that was sought and has not come yet; None where none is on its way."""
        return self._going_to

    @property
    def is_held(self) -> bool:
        """Whether a person holds what could go on."""
        return self._state is State.PAUSED

    @property
    def is_over(self) -> bool:
        """Whether what is played has come to its end."""
        return self._reel.played is not None and not self._reel.is_running

    @property
    def learns_on_at(self) -> int | None:
        """Number of the frame that learning goes on with, while others are looked at; None where nothing waits so."""
        reel = self._reel
        return reel.next_index if reel.looked_at is not None and reel.is_running else None

    @property
    def warnings(self) -> Sequence[str]:
        """What was skipped or mended while reading, and what of a model is ignored, as it now stands."""
        return self._reel.warnings

    @property
    def n_frames(self) -> int | None:
        """How many frames the input has: as it declares, and as there are once its end was read; None: not known."""
        return None if self.source is None else self.source.info.n_frames

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
        self._reel.begin(played)
        self._going_to = None
        self._steps = 0 if self._playing else 1
        self._resume_clock()

    def _begin_again(self, played: PlayedT) -> None:
        """Put another run over the same source in the place of this one."""
        self._reel.close()
        self._waiting = False
        self._playing = self._playing or self._state in (State.FINISHED, State.STOPPED)
        self._begin(played)

    def advance(self) -> None:
        """Process one frame, do one iteration of a batch method, or show a frame that teaches nothing.

        Raises
        ------
        CleanplateError
            The input cannot be read any more; the player has stopped, and playing goes on with the frame that failed.
        """
        if self._waiting:
            self._reel.run_again()
            self._waiting = False
        played = self._reel.played
        if played is None or self.source is None:
            return
        try:
            if self._stands_again():
                return
            comes_first = self._reel.is_browsing and not self._reel.looks
            if self._reel.looks:
                self._look_at_next(played, self.source)
            elif self._reel.is_running:
                self._learn_next(played, self.source)
            if not comes_first:
                self._going_to = None
        except BaseException:
            self._reel.break_off()
            self._playing, self._steps, self._going_to = False, 0, None
            self._presenter.flush(played)
            self.set_state(State.STOPPED)
            raise

    def _learn_next(self, played: PlayedT, source: InputT) -> None:
        report = self._reel.next_learnt()
        if report is None:
            self._at_end()
            return
        before = self._reel.phase
        is_first = self._reel.count(report)
        if self._reel.phase is not before or not self._playing:
            self._rate.clear()  # Between two steps is the time that a person takes.
        if not self._reel.is_browsing:  # Else the frame that someone sought is still to come.
            self._steps = max(0, self._steps - 1)
        fps = self._rate.tick()
        self._presenter.show(report, played, self._reel.n_learnt, fps, at_once=self._stops_here or is_first)
        self.set_state(self._running if self._playing else State.PAUSED)
        # What a batch method learns from is no film to be watched.
        self._wait_for_next(report, source, paced=self._reel.phase in (Phase.LEARNING, Phase.APPLYING))

    def _stands_again(self) -> bool:
        """Show where an earlier run stood, and go on from there; return False where there was none."""
        return False

    def _stand_at(self, report: GivenT, *, is_over: bool) -> None:
        """Go on from a report of an earlier run, which was shown: at its end, or in its middle."""
        self._reel.stand_at(report, is_over=is_over)
        if not self._reel.is_browsing:
            self._steps = max(0, self._steps - 1)
        self._playing = self._playing and not is_over
        self.tell_state()

    def _look_at_next(self, played: PlayedT, source: InputT) -> None:
        """Show the next frame without learning; where the run goes on with it, and at the end, learning goes on."""
        report = self._reel.next_looked_at()
        if report is None:
            if not self._reel.is_running:
                self._at_end()
            return
        self._steps = max(0, self._steps - 1)
        self._presenter.look(report, played, at_once=self._stops_here)
        self.set_state(State.LOOKING if self._playing else State.PAUSED)
        self._wait_for_next(report, source, paced=True)

    @property
    def _stops_here(self) -> bool:
        return not self._playing and self._steps == 0

    def _wait_for_next(self, report: GivenT, source: InputT, *, paced: bool) -> None:
        if self._playing:
            wait_s = self._pace.wait_s(report.frame.time_s, source.info.fps) if paced else 0.0
            self._due_s = time.perf_counter() + wait_s

    def play(self) -> None:
        """Go on from what is shown; at the end, start the clip again with what was learnt."""
        if self._reel.played is None or self.source is None:
            return
        if not self._reel.has_more:
            self._reel.run_again()
            self._waiting = False
        self._playing = True
        self._resume_clock()
        self.set_state(State.LOOKING if self._reel.is_browsing else self._running)

    def pause(self) -> None:
        """Hold after the current frame, or the one that was sought, and show it."""
        is_held, self._waiting = self._reel.has_more or self._waiting, False
        self._playing, self._steps = False, 0 if self._going_to is None else 1
        self._presenter.flush(self._reel.played)
        if is_held:
            self.set_state(State.PAUSED)

    def step(self) -> None:
        """Hold, and process one frame, or show one that teaches nothing."""
        if self._reel.has_more:
            self._playing = False
            self._steps += 1

    def seek(self, index: int) -> None:
        """Show frame ``index`` exactly, with what was learnt so far; goes on from there where it plays.

        Nothing is learnt from it, nor from those after it, up to where learning stopped.
        """
        if self._reel.played is None or self.source is None:
            return
        self._reel.seek(index)
        self._going_to = index
        self._steps = 0 if self._playing else 1
        self._resume_clock()

    def learn_on(self) -> None:
        """Leave what is looked at, and go on learning where that stopped."""
        if self._reel.is_browsing and self._reel.is_running:
            self._reel.end_browsing()
            self._going_to = None
            self.play()

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
        elif self._reel.has_more:
            running = State.LOOKING if self._reel.is_browsing else self._running
            self.set_state(running if self._playing else State.PAUSED)
        else:
            self.set_state(State.FINISHED if self._reel.played is not None else State.IDLE)

    def close(self) -> None:
        """End what is played and close the source. May be called twice."""
        self._reel.close()
        self._reel.played, self._waiting, self._going_to = None, False, None
        if self.source is not None:
            source, self.source = self.source, None
            source.close()

    @property
    def _running(self) -> State:
        """The state while it plays."""
        return State.APPLYING if self._reel.phase is Phase.APPLYING else State.LEARNING

    def _at_end(self) -> None:
        self._presenter.flush(self._reel.played)
        self._steps, self._going_to = 0, None
        live = self.source is not None and self.source.info.live
        if self._loop and self._playing and not live and self._reel.n_learnt:
            self._reel.run_again()
            self._resume_clock()
            return
        if self._playing and live:
            self._waiting, self._due_s = True, time.perf_counter() + LOOK_S
            self.set_state(State.WAITING)
            return
        self._playing = False
        self.set_state(State.FINISHED)

    def _resume_clock(self) -> None:
        self._due_s = 0.0
        self._pace.start()
        self._rate.clear()
