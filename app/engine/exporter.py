"""Runs an export on a thread of its own, beside the window and what plays in it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot

from app.engine.threads import Runner
from app.system.log import explain
from core.errors import CancelledError, CleanplateError, RefusedError

if TYPE_CHECKING:
    from core.export.job_spec import Job
    from core.export.progress import Progress


class Exporter(Runner):
    """Runs one job on its own thread (`app.engine.threads.Background`); other methods are thread-safe.

    Signals
    -------
    done(Summary) : everything is written and has its final name
    cancelled() : the person gave up; nothing was written
    refused(str), failed(str) : one sentence; nothing was written, because the folder refuses it, or for another reason
    finished() : one of these happened; the thread may quit
    """

    done = Signal(object)
    cancelled = Signal()
    refused = Signal(str)
    failed = Signal(str)

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._job = job
        self._stop = threading.Event()
        self._enough = threading.Event()
        self._lock = threading.Lock()
        self._progress: Progress | None = None

    @property
    def progress(self) -> Progress | None:
        """How far it has come; the newest, for a timer to read."""
        with self._lock:
            return self._progress

    def cancel(self) -> None:
        """Give up after the current frame and leave nothing behind."""
        self._stop.set()

    def finish_early(self) -> None:
        """End the input here and complete the results: for cameras, which never end."""
        self._enough.set()

    @Slot()
    def run(self) -> None:
        """Do the job."""
        assert self.thread().isCurrentThread(), "an export runs on the thread that it was moved to"
        try:
            from core.export.job import run_job  # noqa: PLC0415 - encoders take a while to import

            self.done.emit(run_job(self._job, self._tell, self._stop.is_set, self._enough.is_set))
        except CancelledError:
            self.cancelled.emit()
        except RefusedError as error:
            self.refused.emit(str(error))
        except CleanplateError as error:
            self.failed.emit(str(error))
        except Exception as error:
            self.failed.emit(explain(error, "exporting"))
        finally:
            self.finished.emit()

    def _tell(self, progress: Progress) -> None:
        with self._lock:
            self._progress = progress
