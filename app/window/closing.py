"""Whether the window may close: neither an export or a queue that goes on nor unsaved work is given up unasked."""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox, QWidget

from app.interrupts import ENDING
from app.window.commands.save_question import save_question

if TYPE_CHECKING:
    from app.window.commands.export import ExportCommands
    from app.window.commands.project import ProjectCommands
    from app.window.commands.queue import QueueCommands


@dataclass
class _GivenUp:
    """What a person has agreed to give up, so that the window can close now."""

    export: bool = False
    queue: bool = False
    unsaved: bool = False


HEARTBEAT_MS = 200
"""How often Python looks for signals from outside: Qt's loop alone would not let it."""


class Closing(QObject):
    """Asks before the window closes on a running export, on a queue at work, or on work that is saved in no project.

    Parameters
    ----------
    window : QWidget
    export : ExportCommands
    queue : QueueCommands
    project : ProjectCommands
    """

    def __init__(self, window: QWidget, export: ExportCommands, queue: QueueCommands, project: ProjectCommands) -> None:
        super().__init__(window)
        self._window, self._export, self._queue, self._project = window, export, queue, project
        self._agreed = self._saves = False
        self._given_up = _GivenUp()
        self.question: QMessageBox | None = None
        project.settled.connect(self._on_settled)

    @property
    def is_settled(self) -> bool:
        """Whether nothing that was done is lost, or the person has agreed to that."""
        return self._given_up.unsaved or not self._agreed or not self._project.is_modified

    def may_close(self) -> bool:
        """Tell whether nothing speaks against closing; otherwise ask, and close once the person agrees."""
        if self._agreed:
            return True
        if self._export.is_running and not self._given_up.export:
            self._ask(self._export_question())
            return False
        if self._queue.is_busy and not self._given_up.queue:
            self._ask(self._queue_question())
            return False
        if (unsaved := self._project.unsaved) and not self._given_up.unsaved:
            self._ask(save_question(self._window, unsaved, self._save, self._discard))
            return False
        return True

    def _ask(self, question: QMessageBox) -> None:
        if self.question is not None:
            self.question.deleteLater()
        self.question = question
        question.rejected.connect(self._stay)
        question.open()

    def close_unasked(self) -> None:
        """Close the window whatever goes on; an export is cancelled cleanly."""
        self._agreed = True
        self._window.close()

    def outlive(self) -> None:
        """Wait for what goes on without the window, which has gone; a terminal that closes ends none of it."""
        if not self._queue.goes_on:
            return
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN if number is getattr(signal, "SIGHUP", None) else self._on_end)
        self._queue.outlive()

    def close_on_signals(self) -> None:
        """Close on Ctrl+C in the terminal, and when the system asks the program to end."""
        for number in ENDING:
            signal.signal(number, self._on_signal)
        heartbeat = QTimer(self, interval=HEARTBEAT_MS)
        heartbeat.timeout.connect(lambda: None)
        heartbeat.start()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        QTimer.singleShot(0, self.close_unasked)

    def _on_end(self, _number: int, _frame: FrameType | None) -> None:
        self._queue.give_up()

    def _save(self) -> None:
        self._saves = True
        self._project.save()

    def _discard(self) -> None:
        self._given_up.unsaved = True
        self._window.close()

    def _on_settled(self) -> None:
        saves, self._saves = self._saves, False
        if saves and self._project.is_modified:
            self._stay()
        elif saves:
            self._window.close()

    def _stay(self) -> None:
        """Forget what was agreed to: the window stays, and so does what runs."""
        self._given_up = _GivenUp()
        self._queue.let_stop()

    def _cancel_export(self) -> None:
        self._given_up.export = True
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

    def _export_question(self) -> QMessageBox:
        return self._question(
            "An export is still running.", "If the window closes now, nothing of it is written.",
            "Cancel the export and close", "Keep exporting", self._cancel_export,
        )  # fmt: skip

    def _queue_question(self) -> QMessageBox:
        box = self._question(
            "The queue is still at work.",
            "Its jobs can keep running without a window; the next one shows them. If they are stopped, they wait for "
            "the next start, and what runs now begins anew then.",
            "Stop and close", "Do not close", self._stop_queue,
        )  # fmt: skip
        goes_on = box.addButton("Keep running", QMessageBox.ButtonRole.AcceptRole)
        goes_on.setToolTip("Close the window; the jobs go on in the background.")
        goes_on.clicked.connect(self._let_queue_go_on)
        return box

    def _question(self, text: str, then: str, closes: str, stays: str, on_close: Callable[[], None]) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Close Cleanplate?")
        box.setText(text)
        box.setInformativeText(then)
        close = box.addButton(closes, QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(stays, QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        close.clicked.connect(on_close)
        return box
