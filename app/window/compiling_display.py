"""What the window says while kernels are compiled: at its first start, and for the first input of each kind."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.engine.threads import listen, on_own_thread
from app.window.input_display import on_the_way

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.engine.worker import Worker
    from app.panels.status import StatusBar
    from app.window.commands.input import InputCommands
    from app.window.layout import Views

TICK_MS = 500
"""How often the seconds are counted on."""

PATIENCE_S = 1.0
"""A kernel that takes less delays nobody."""

SAME_S = 2.0
"""What is compiled so soon after the last counts as the same: opening, first frame and first mask take turns."""

SENTENCE = "Compiling for this machine, once for each kind of input; it may take a minute: {} s by now"


class CompilingDisplay(QObject):
    """Says why the first frame takes so long, and for how long it has; goes when the frame is there.

    Parameters
    ----------
    worker : Worker
        Tells of kernels that it waits for.
    input_ : InputCommands
    status : StatusBar
    views : callable
        ``views()`` returns the views, once they are there.
    window : QWidget
    """

    def __init__(
        self, worker: Worker, input_: InputCommands, status: StatusBar, views: Callable[[], Views | None],
        window: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._input, self._status, self._views = input_, status, views
        self._began = self._ended = float("-inf")
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._on_tick)
        listen(worker.compiling, self._on_compiling)

    @property
    def is_on(self) -> bool:
        """Whether kernels are being compiled, as far as is known."""
        return self._timer.isActive()

    def begin(self) -> None:
        """Count from now on, unless it was counted a moment ago."""
        if not self._timer.isActive():
            now = time.monotonic()
            if now - self._ended > SAME_S:
                self._began = now
            self._timer.start()

    def say(self) -> None:
        """Say it, with the seconds by now."""
        # Not in the banner: what the input has to say comes there meanwhile.
        sentence = SENTENCE.format(round(time.monotonic() - self._began))
        self._status.show_work(sentence)
        views = self._views()
        if views is not None:
            views.panes.say_of_input(sentence)

    def end(self) -> None:
        """Say no more."""
        if self._timer.isActive():
            self._timer.stop()
            self._ended = time.monotonic()
            self._status.show_work("")
            info, views = self._input.info, self._views()
            if views is not None and info is not None:
                views.panes.say_of_input(on_the_way(info))

    def _on_tick(self) -> None:
        if time.monotonic() - self._began >= PATIENCE_S:
            self.say()

    @on_own_thread
    def _on_compiling(self, on: bool) -> None:
        if on:
            self.begin()
        else:
            self.end()
