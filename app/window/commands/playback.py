"""Playing, holding, stepping and skipping, and how fast it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine.pace import skipped
from app.engine.state import State

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from app.panels.controls import Segmented
    from app.panels.status import StatusBar
    from app.window.commands.input import InputCommands
    from app.window.settings import Remembered
    from app.window.shown_frame import ShownFrame

ROLES = {
    State.LEARNING: "good", State.APPLYING: "good", State.LOOKING: "warn", State.PREPARING: "warn",
    State.OPENING: "warn", State.WAITING: "warn", State.STOPPED: "bad",
}  # fmt: skip
"""How the status bar colours a state; others are muted."""


class PlaybackCommands(QObject):
    """What the Play menu does.

    Parameters
    ----------
    worker : Worker
    input_ : InputCommands
        Says how long the input is.
    shown_frame : ShownFrame
        Says which frame is shown.
    speed : Segmented
        Real time, or fast.
    status : StatusBar
    remembered : Remembered
    parent : QObject

    Signals
    -------
    used() : a person has said whether it is to play
    sought(int) : the frame of this number, from 0, is on its way
    """

    used = Signal()
    sought = Signal(int)

    def __init__(
        self,
        worker: Worker,
        input_: InputCommands,
        shown_frame: ShownFrame,
        speed: Segmented,
        status: StatusBar,
        remembered: Remembered,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._input, self._shown_frame = worker, input_, shown_frame
        self._speed, self._status, self._remembered = speed, status, remembered
        self._state = State.PREPARING
        status.learn_on_requested.connect(self.learn_on)

    @property
    def state(self) -> State:
        """What goes on."""
        return self._state

    @property
    def is_playing(self) -> bool:
        """Whether frames are being processed."""
        return self._state.is_playing

    @property
    def is_preparing(self) -> bool:
        """Whether frames are about to be processed: an input is open, and its first one is on its way."""
        return self._state is State.PREPARING

    def on_state(self, state: State) -> None:
        """Say what goes on."""
        self._state = state
        self._status.show_state(state.value, ROLES.get(state, "muted"))

    def set_playing(self, on: bool) -> None:
        """Play, or hold."""
        self.used.emit()
        if on:
            self._worker.play()
        else:
            self._worker.pause()

    def toggle(self) -> None:
        """Play where it holds, hold where it plays, or is about to: its first frame may be seen before that is told."""
        self.set_playing(not (self.is_playing or self.is_preparing))

    def step(self) -> None:
        """Hold, and process one frame."""
        self.used.emit()
        self._worker.step()

    def step_back(self) -> None:
        """Hold, and show the frame before."""
        info, index = self._input.info, self._shown_frame.soon
        if index and info is not None and not info.live:
            self.used.emit()
            self._worker.pause()
            self.seek(index - 1)

    def seek(self, index: int) -> None:
        """Show frame ``index``, from 0; nothing is learnt from it."""
        self._shown_frame.sought = index
        self._worker.seek(index)
        self.sought.emit(index)

    def learn_on(self) -> None:
        """Leave the frame that was sought, and go on learning where that stopped."""
        self.used.emit()
        self._worker.learn_on()

    def first(self) -> None:
        """Show the first frame; nothing is learnt from it again."""
        info = self._input.info
        if info is not None and not info.live:
            self.seek(0)

    def back(self) -> None:
        """Go back by five seconds, or ten images where frames have no time."""
        self._skip(-1)

    def forward(self) -> None:
        """Go forward by as much."""
        self._skip(1)

    def _skip(self, direction: int) -> None:
        info, index = self._input.info, self._shown_frame.soon
        if index is not None and info is not None and not info.live:
            self.seek(skipped(index, direction, info))

    def set_loop(self, on: bool) -> None:
        """Start again at the end, or do not."""
        self._remembered.loop = on
        self._worker.set_loop(on)

    def set_real_time(self, on: bool) -> None:
        """Play at the input's own rate, or as fast as the method allows."""
        self._remembered.real_time = on
        self._speed.choose(0 if on else 1)
        self._worker.set_real_time(on)
