"""Looks through a whole input on a thread of its own, while the window does other things."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot

from app.engine.loop import yield_to_the_window
from app.engine.threads import Runner
from app.system.log import explain
from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.events.activity import ActivityCurve
    from core.io.input_spec import InputSpec, Size
    from core.scene.areas import Areas


NICENESS = 15
"""By how much it steps back, on the system's scale from 0 to 19: what plays goes first."""


class LookThrough(Runner):
    """Runs on its own thread (`app.engine.threads.Background`); other methods are thread-safe.

    What cannot be read is no news: who plays the input says so.

    Parameters
    ----------
    spec : InputSpec
    original : (width, height)
        Of the input, pixels.
    areas : Areas, optional
        What moves where they say that nothing is ever foreground does not count.

    Signals
    -------
    finished() : it has come to its end, whichever; the thread may quit
    """

    def __init__(self, spec: InputSpec, original: Size, areas: Areas | None = None) -> None:
        super().__init__()
        self._spec, self._original, self._areas = spec, original, areas
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._curve: ActivityCurve | None = None

    def take(self) -> ActivityCurve | None:
        """Return what is new; None where nothing is."""
        with self._lock:
            curve, self._curve = self._curve, None
            return curve

    def cancel(self) -> None:
        """End it after the current frame."""
        self._stop.set()

    @Slot()
    def run(self) -> None:
        """Look at every frame."""
        assert self.thread().isCurrentThread(), "it runs on the thread that it was moved to"
        from core.session.overview import look_through  # noqa: PLC0415 - the engine is there by now

        yield_to_the_window(NICENESS)
        try:
            self._tell(look_through(self._spec, self._tell, self._stop.is_set, self._original, self._areas))
        except CleanplateError:
            pass
        except Exception as error:
            explain(error, "looking through the input")
        finally:
            self.finished.emit()

    def _tell(self, curve: ActivityCurve) -> None:
        with self._lock:
            self._curve = curve
