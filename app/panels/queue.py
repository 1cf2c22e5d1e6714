"""The queue: which jobs there are, how far each is, and what can be done with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.count_words import counted
from app.desktop import shown_by_desktop
from app.engine.queue_jobs import REDIRECTED
from app.engine.threads import command
from app.panels.controls import button, caption, keep_wheel_off, named
from app.panels.queue_table import QueueTable
from app.panels.window_words import in_window
from app.side_window import SideWindow
from app.theme import pad_text
from core.batch.job import ENDED, JobState
from core.batch.scheduler import USUAL_WORKERS

if TYPE_CHECKING:
    from app.engine.job_queue import JobQueue
    from app.engine.queue_rows import JobRow

POLL_MS = 200

MOST_WORKERS = 64

SIZE = QSize(1100, 460)
"""Of the panel, where the screen has the room."""

WATCHED = "These jobs go on without a window, as was chosen when one was closed. This one only shows how far they are."

HINT = (
    "Add clips here, drop them onto this window, or use “Add to queue” in the export panel. Those added here are "
    "written by the defaults or, where you say so, as the export panel and the main window are set."
)


class QueuePanel(SideWindow):
    """A window beside the main one; closing it ends nothing.

    Parameters
    ----------
    queue : JobQueue
    can_sleep : bool
        The computer can be put to sleep.
    scheduler : str
        Address of the one that runs jobs; empty: this machine does.

    Signals
    -------
    scheduler_changed(str) : jobs are to be run by the scheduler at this address, or here
    files_requested(), folder_requested() : a person wants to choose what is added
    dropped(list of str) : files and folders are to be added
    folder_wanted(list of int) : a person wants to choose another folder for the results of the jobs with these numbers
    """

    scheduler_changed = Signal(str)
    files_requested = Signal()
    folder_requested = Signal()
    dropped = Signal(list)
    folder_wanted = Signal(list)

    def __init__(
        self, queue: JobQueue, parent: QWidget | None = None, *, can_sleep: bool = False, scheduler: str = ""
    ) -> None:
        super().__init__(parent)
        self._queue, self._said = queue, ""
        self.setWindowTitle("Queue")
        self.resize(SIZE)
        self.setAcceptDrops(True)
        self.table = QueueTable()
        self.table.job_opened.connect(self._open)
        self.table.choice_changed.connect(lambda: self.say(""))
        self.message = caption(HINT)
        self.take_over = button(
            "Take over", "Take over", "Work on the jobs in this window again; what runs now begins anew."
        )
        self.take_over.setAutoDefault(False)
        command(self.take_over.clicked, queue.take_over)
        self.sleep = QCheckBox("Sleep when all is done")
        named(self.sleep, "Sleep when all is done", "Put the computer to sleep once no job waits any more.")
        self.sleep.setVisible(can_sleep)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(18, 16, 18, 16)
        rows.setSpacing(8)
        rows.addLayout(self._buttons())
        rows.addWidget(self.table, 1)
        rows.addWidget(self.message)
        rows.addLayout(self._foot(scheduler))
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self.refresh)
        self.refresh()

    def _buttons(self) -> QHBoxLayout:
        row, queue = QHBoxLayout(), self._queue
        self.add = button(
            "Add…", "Add to the queue",
            "Add clips, projects, or a folder of clips or images. They are exported by the defaults or, where you say "
            "so, as the export panel and the main window are set.",
        )  # fmt: skip
        self.add.setAutoDefault(False)
        menu = QMenu(self.add)
        menu.addAction("Files…", self.files_requested.emit)
        menu.addAction("Folder…", self.folder_requested.emit)
        self.add.setMenu(menu)
        row.addWidget(self.add)
        row.addSpacing(12)
        self.up = self._act("Up", "Move up", "Run the chosen jobs sooner.", partial(self._move, -1))
        self.down = self._act("Down", "Move down", "Run the chosen jobs later.", partial(self._move, 1))
        self.pause = self._act("Pause", "Pause", "Hold the chosen jobs where they are.", queue.pause)
        self.resume = self._act("Go on", "Go on", "Let the chosen jobs go on when it is their turn.", queue.resume)
        self.cancel = self._act("Cancel", "Cancel", "Give the chosen jobs up; nothing is written.", queue.cancel)
        self.retry = self._act("Retry", "Retry", "Run the chosen jobs again.", queue.retry)
        self.results_in = self._act(
            "Results in…", "Choose another folder for the results",
            "Choose where the chosen jobs write: those that wait, have failed or were cancelled.", self._redirect,
        )  # fmt: skip
        for widget in (self.up, self.down, self.pause, self.resume, self.cancel, self.retry, self.results_in):
            row.addWidget(widget)
        row.addStretch(1)
        self.log = self._act("Log", "Open the log", "Show what the chosen job said.", self._open_log)
        self.folder = self._act("Folder", "Open the folder", "Show the results of the chosen job.", self._open_folder)
        row.addWidget(self.log)
        row.addWidget(self.folder)
        return row

    def _act(self, text: str, name: str, tip: str, action: Callable[[list[int]], object]) -> QPushButton:
        made = button(text, name, tip)
        made.setAutoDefault(False)
        made.clicked.connect(lambda: action([row.job.number for row in self.table.chosen]))
        return made

    def _foot(self, scheduler: str) -> QHBoxLayout:
        row = QHBoxLayout()
        self.scheduler = QLineEdit(scheduler)
        self.scheduler.setPlaceholderText("This machine")
        self.scheduler.setMaximumWidth(240)
        named(
            self.scheduler, "Scheduler", "Address of a dask scheduler, tcp://HOST:8786 say: its workers run the jobs."
        )
        self.scheduler.editingFinished.connect(self._on_scheduler)
        self._told_scheduler = scheduler
        self.workers = QSpinBox()
        self.workers.setRange(1, MOST_WORKERS)
        self.workers.setValue(USUAL_WORKERS)
        self.workers.setMinimumWidth(72)
        pad_text(self.workers)
        named(self.workers, "Jobs at a time", "How many jobs run at a time, where memory allows.")
        command(self.workers.valueChanged, self._queue.set_workers)
        keep_wheel_off(self.workers)
        self.clear = button("Clear ended", "Clear ended jobs", "Take jobs that have ended off the list; results stay.")
        self.clear.setAutoDefault(False)
        command(self.clear.clicked, self._queue.clear)
        row.addWidget(QLabel("At a time"))
        row.addWidget(self.workers)
        row.addSpacing(12)
        row.addWidget(QLabel("Scheduler"))
        row.addWidget(self.scheduler)
        row.addSpacing(12)
        row.addWidget(self.sleep)
        row.addStretch(1)
        row.addWidget(self.take_over)
        row.addWidget(self.clear)
        return row

    def say(self, sentence: str) -> None:
        """Say what went wrong, until something is chosen or the list is another; empty: nothing."""
        self._said = sentence
        self._show_choice()

    def refresh(self) -> None:
        """Show what is known now; a sentence goes with the list that it was about."""
        rows = self._queue.rows
        if self.table.show_jobs(rows):
            self._said = ""
        is_own = not self._queue.is_watching
        self.clear.setEnabled(is_own and any(row.job.state in ENDED for row in rows))
        for widget in (self.add, self.workers, self.scheduler, self.sleep):
            widget.setEnabled(is_own)
        self.take_over.setVisible(not is_own)
        self._show_choice()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders, unless this window only watches."""
        if self.add.isEnabled() and any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Add what was dropped."""
        event.acceptProposedAction()
        self.dropped.emit([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])

    def showEvent(self, event: QShowEvent) -> None:
        """Show what is known now, and how it goes on."""
        super().showEvent(event)
        self.refresh()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask no more: nobody sees it."""
        super().hideEvent(event)
        self._timer.stop()

    def _show_choice(self) -> None:
        chosen = self.table.chosen
        states, is_own = {row.job.state for row in chosen}, not self._queue.is_watching
        for widget, fits in (
            (self.pause, {JobState.WAITING, JobState.RUNNING}), (self.resume, {JobState.PAUSED}),
            (self.cancel, {JobState.WAITING, JobState.RUNNING, JobState.PAUSED}),
            (self.retry, {JobState.FAILED, JobState.CANCELLED}),
        ):  # fmt: skip
            widget.setEnabled(is_own and bool(states & fits))
        self.results_in.setEnabled(is_own and any(_can_be_redirected(row) for row in chosen))
        for widget, step in ((self.up, -1), (self.down, 1)):
            widget.setEnabled(is_own and bool(self._moved(step)))
        self.log.setEnabled(len(chosen) == 1 and os.path.exists(chosen[0].log))
        # Whether it is there is asked at the click: a drive that has gone would hold the window each time.
        self.folder.setEnabled(len(chosen) == 1)
        self.message.setText(self._said or (_about(chosen[0]) if len(chosen) == 1 else _why(chosen) or self._summary()))

    def _summary(self) -> str:
        rows = self.table.jobs.rows
        if not rows:
            return HINT
        if self._queue.is_watching:
            return WATCHED
        n_ended = sum(row.job.state in ENDED for row in rows)
        n_failed = sum(row.job.state is JobState.FAILED for row in rows)
        return f"{n_ended} of {counted(len(rows), 'job')} ended" + (f", {n_failed} failed." if n_failed else ".")

    def _on_scheduler(self) -> None:
        address = self.scheduler.text().strip()
        if address != self._told_scheduler:  # A field tells of each end, also where nothing was typed.
            self._told_scheduler = address
            self.scheduler_changed.emit(address)

    def _move(self, step: int, _numbers: list[int]) -> None:
        self._queue.move(self._moved(step), step)

    def _moved(self, step: int) -> list[int]:
        """Return the numbers of the chosen jobs that come sooner (``step`` -1) or later (1) among those not ended."""
        chosen = {row.job.number for row in self.table.chosen}
        in_turn = [row.job.number for row in self.table.jobs.rows if row.job.state not in ENDED]
        order = in_turn if step < 0 else in_turn[::-1]
        others = [i for i, number in enumerate(order) if number not in chosen]
        return [number for number in order[others[0] :] if number in chosen] if others else []

    def _redirect(self, _numbers: list[int]) -> None:
        self.folder_wanted.emit([row.job.number for row in self.table.chosen if _can_be_redirected(row)])

    def _open_log(self, _numbers: list[int]) -> None:
        self.say(shown_by_desktop(str(self.table.chosen[0].log), "The log"))

    def _open_folder(self, _numbers: list[int]) -> None:
        self._open(self.table.chosen[0])

    def _open(self, row: JobRow) -> None:
        """Show the results of a job, or say that there are none yet."""
        if os.path.exists(row.job.folder):
            self.say(shown_by_desktop(row.job.output, "The folder"))
        else:
            self.say(f"There is no folder {row.job.output} here; {row.job.name} has its results there once it is done.")


def _can_be_redirected(row: JobRow) -> bool:
    return row.job.state in REDIRECTED and row.progress is None


def _why(rows: Sequence[JobRow]) -> str:
    """Say why several jobs failed, where that is the same; else where each says it. Nothing where not all have."""
    if not rows or any(row.job.state is not JobState.FAILED for row in rows):
        return ""
    reasons = {row.job.sentence for row in rows}
    return in_window(reasons.pop()) if len(reasons) == 1 else "These failed for several reasons; point at “Failed”."


def _about(row: JobRow) -> str:
    job = row.job
    if job.state is JobState.FAILED:
        return in_window(job.sentence)
    frames = job.figures.get("frames")
    if job.state is JobState.DONE and isinstance(frames, int):
        return "\n".join([f"Wrote {counted(frames)} to {job.output}.", *map(in_window, job.notes)])
    return f"{job.input} → {job.output}"
