"""Something short that would still hold the window up: done on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal, Slot

from app.engine.threads import Runner
from app.system.log import explain
from core.errors import CleanplateError


class Errand(Runner):
    """Calls a function on its own thread (`app.engine.threads.Background`).

    Parameters
    ----------
    action : callable
    doing : str
        What it does, as in "reading the events".

    Signals
    -------
    done(object) : what it returned
    failed(str) : one sentence
    finished() : one of these happened; the thread may quit
    """

    done = Signal(object)
    failed = Signal(str)

    def __init__(self, action: Callable[[], object], doing: str) -> None:
        super().__init__()
        self._action, self._doing = action, doing

    @Slot()
    def run(self) -> None:
        """Do it."""
        try:
            self.done.emit(self._action())
        except CleanplateError as error:
            self.failed.emit(str(error))
        except Exception as error:
            self.failed.emit(explain(error, self._doing))
        finally:
            self.finished.emit()
