"""Whether the window may close: neither an export or a queue that goes on nor unsaved work is given up unasked."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from types import FrameType
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QWidget

from app.interrupts import ENDING, Requests
from app.window.closing_questions import completing_question, export_question, queue_question, recording_question
from app.window.commands.save_question import save_question

if TYPE_CHECKING:
    from PySide6.QtGui import QSessionManager

    from app.window.commands.export import ExportCommands
    from app.window.commands.project import ProjectCommands
    from app.window.commands.queue import QueueCommands


class _Export(Enum):
    """What is to become of an export that runs where the window closes."""

    UNDECIDED = auto()
    COMPLETED = auto()
    """The window closes once it is complete."""
    AWAITED = auto()
    """Likewise, and nothing else keeps the window: who closes it once more is asked again, and may cancel it."""
    CANCELLED = auto()


@dataclass
class _GivenUp:
    """What a person has agreed to give up, so that the window can close now."""

    queue: bool = False
    unsaved: bool = False


KEEPING_MS = 5000
"""How long at most the end of a session is held up until the work is kept: systems wait for little longer."""

HEARTBEAT_MS = 200
"""How often Python looks for signals from outside: Qt's loop alone would not let it."""


class Closing(QObject):
    """Asks before the window closes on a running export, on a queue at work, or on work that is saved in no project.

    What a camera gave cannot be had again: a recording is completed first, unless a person discards it. The window
    stays until then, and answers; likewise until an export is done, where a person says so.

    Parameters
    ----------
    window : QWidget
    export : ExportCommands
    queue : QueueCommands
    project : ProjectCommands
    pause : callable
        Pauses what plays.
    keep : callable
        Keeps the work for the next start, and tells whether that is to be waited for; ``project.kept`` says when it is.

    Signals
    -------
    waits_changed(bool) : the window closes by itself once what is written is complete, or no more
    """

    waits_changed = Signal(bool)

    def __init__(
        self,
        window: QWidget,
        export: ExportCommands,
        queue: QueueCommands,
        project: ProjectCommands,
        pause: Callable[[], object],
        keep: Callable[[], bool],
    ) -> None:
        super().__init__(window)
        self._window, self._export, self._queue, self._project = window, export, queue, project
        self._pause, self._keep = pause, keep
        self._agreed = self._saves = self._waits = False
        self._decided = _Export.UNDECIDED
        self._given_up = _GivenUp()
        self._requests = Requests()
        self.question: QMessageBox | None = None
        project.settled.connect(self._on_settled)
        project.worked.connect(self._on_worked)
        export.failed.connect(self._stay)
        export.cancelled.connect(self._on_export_cancelled)
        export.settled.connect(self._on_export_settled)

    @property
    def is_settled(self) -> bool:
        """Whether nothing that was done is lost, or the person has agreed to that."""
        return self._given_up.unsaved or not self._agreed or not self._project.is_modified

    def may_close(self) -> bool:
        """Tell whether nothing speaks against closing; otherwise ask, and close once the person agrees."""
        question = None if self._agreed else self._next_question()
        if question is not None:
            self._ask(question)
            return False
        if self._decided is _Export.CANCELLED or not self._export.is_running:
            return True
        self._decide(_Export.AWAITED)
        if self._export.is_recording:
            self._complete_recording()
        return False

    def _next_question(self) -> QMessageBox | None:
        window = self._window
        if self._export.is_running and self._decided in {_Export.UNDECIDED, _Export.AWAITED}:
            return self._question_on_export()
        if self._queue.is_busy and not self._given_up.queue:
            return queue_question(window, self._let_queue_go_on, self._stop_queue)
        if (unsaved := self._project.unsaved) and not self._given_up.unsaved:
            return save_question(window, unsaved, self._save, self._discard)
        return None

    def _question_on_export(self) -> QMessageBox:
        window = self._window
        if self._export.is_completing:
            question = completing_question(window, self._let_export_end, self._cancel_export)
        elif self._export.is_recording:
            question = recording_question(window, self._let_export_end, self._cancel_export)
        else:
            question = export_question(window, self._let_export_end, self._cancel_export)
        self._export.settled.connect(question.reject)  # Of no use then.
        return question

    def _ask(self, question: QMessageBox) -> None:
        self.question = question
        question.rejected.connect(self._stay)
        question.open()

    def close_unasked(self) -> None:
        """Close the window whatever goes on; an export is cancelled, a recording completed at the first call."""
        completes = self._export.is_recording and not self._agreed
        self._agreed = True
        self._end_export(_Export.COMPLETED if completes else _Export.CANCELLED)

    def outlive(self) -> None:
        """Wait for what goes on without the window, which has gone; a terminal that closes ends none of it."""
        if not self._queue.goes_on:
            return
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN if number is getattr(signal, "SIGHUP", None) else self._on_end)
        self._queue.outlive()

    def close_on_signals(self) -> None:
        """Close on Ctrl+C in the terminal, and when the system asks the program to end; heed the end of a session."""
        for number in ENDING:
            signal.signal(number, self._on_signal)
        heartbeat = QTimer(self, interval=HEARTBEAT_MS)
        heartbeat.timeout.connect(lambda: None)
        heartbeat.start()
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.commitDataRequest.connect(self.on_session_end)

    def on_session_end(self, _manager: QSessionManager) -> None:
        """Keep the work, and complete a recording; the system waits for it, as long as it waits for anybody.

        The window stays: whether the session ends is not decided by then.
        """
        loop = QEventLoop()
        keeps = self._project.is_modified and self._keep()
        if self._export.is_recording:
            self._export.settled.connect(loop.quit)
            self._complete_recording()
            loop.exec()  # Ends with the program, too, where a person discards the recording and closes.
        elif keeps:
            self._project.kept.connect(loop.quit)
            QTimer.singleShot(KEEPING_MS, loop.quit)
            loop.exec()

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self._requests.hear(number):
            QTimer.singleShot(0, self.close_unasked)

    def _on_end(self, _number: int, _frame: FrameType | None) -> None:
        self._queue.give_up()

    def _save(self) -> None:
        self._saves = True
        self._project.save()

    def _discard(self) -> None:
        self._given_up.unsaved = True
        self._window.close()

    def _on_worked(self) -> None:
        self._given_up.unsaved = False  # The window stayed, and this is other work than was to be discarded.

    def _on_settled(self) -> None:
        saves, self._saves = self._saves, False
        if saves and self._project.is_modified:
            self._stay()
        elif saves:
            self._window.close()

    def _stay(self) -> None:
        """Forget what was agreed to: the window stays, and so does what runs."""
        self._given_up = _GivenUp()
        if not self._agreed:
            self._decide(_Export.UNDECIDED)
        self._queue.let_stop()

    def keep_open(self) -> None:
        """Let the window stay once what is written is complete, also where a signal was to close it."""
        self._agreed = False
        self._stay()

    def _decide(self, what: _Export) -> None:
        self._decided = what
        waits = what is _Export.AWAITED
        # Completed: whether the window waits for it is known once nothing else keeps that.
        if what is not _Export.COMPLETED and waits != self._waits:
            self._waits = waits
            self.waits_changed.emit(waits)

    def _complete_recording(self) -> None:
        self._pause()  # The plate takes a while to work out, and a session that ends does not wait for long.
        self._export.complete_recording()

    def _let_export_end(self) -> None:
        self._end_export(_Export.COMPLETED)

    def _cancel_export(self) -> None:
        self._end_export(_Export.CANCELLED)

    def _end_export(self, what: _Export) -> None:
        self._decide(what)
        self._window.close()

    def _on_export_cancelled(self) -> None:
        if self._decided is _Export.AWAITED:
            self._stay()  # The window was to close once the files are there, and there will be none.

    def _on_export_settled(self) -> None:
        if self._decided is _Export.AWAITED:
            self._window.close()

    def _leave_queue(self) -> None:
        self._given_up.queue = True
        self._window.close()

    def _stop_queue(self) -> None:
        self._queue.let_stop()
        self._leave_queue()

    def _let_queue_go_on(self) -> None:
        if self._queue.let_go_on():
            self._leave_queue()
