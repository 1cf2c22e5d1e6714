"""What the window says at its very first start, while the kernels are compiled for this machine."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from core.runtime import numba_cache

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

TICK_MS = 500
"""How often the seconds are counted on."""

SENTENCE = "Compiling for this machine, which only the first start does; it takes from 15 s to two minutes: {} s by now"


class FirstStart(QObject):
    """Says why the first frame takes so long, and for how long it has; goes when the frame is there.

    Parameters
    ----------
    window : MainWindow
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._began = window, time.monotonic()
        self._timer = QTimer(self, interval=TICK_MS)
        if not numba_cache.is_empty():
            return
        self._timer.timeout.connect(self.say)
        window.report_shown.connect(self._end)
        self._timer.start()

    def say(self) -> None:
        """Say it, with the seconds by now."""
        # Not in the banner: what the input has to say comes there meanwhile.
        sentence = SENTENCE.format(round(time.monotonic() - self._began))
        self._window.parts.status.show_state(sentence, "warn")
        if self._window.views is not None:
            self._window.views.panes.say_of_input(sentence)

    def _end(self) -> None:
        self._timer.stop()
        self._window.report_shown.disconnect(self._end)
