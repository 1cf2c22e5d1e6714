"""The run that writes: its button, its progress with time left, and how it ends."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QProgressBar, QSizePolicy, QWidget

from app.desktop import shown_by_desktop
from app.engine.exporter import Exporter
from app.engine.threads import Background, listen, on_own_thread
from app.panels.controls import button, caption, named
from app.panels.discard_question import discard_question
from app.panels.progress_words import OPENING, how_far, how_fast, silent_words, what_goes_on

if TYPE_CHECKING:
    from pathlib import Path

    from core.export.job_spec import Job
    from core.export.progress import Progress
    from core.export.summary import Summary

POLL_MS = 100

SILENT_S, SILENT_FRAMES = 3.0, 3
"""A live input is silent once nothing has come for so long, and for as long as so many of its frames take."""

COMPLETING = "Completing the recording…"


class ExportRun(QWidget):
    """A row of buttons, over a thread of its own that writes.

    Attributes
    ----------
    how_far : QWidget
        A row of progress, for whoever shows this to place: it keeps its room while nothing is written, and no button
        moves under the pointer.
    job : Job or None
        What was begun last.
    written : Path or None
        Where the results of the run lie that was completed last.
    question : QMessageBox or None
        Whether a recording is to be given up, while that is asked.

    Signals
    -------
    start_requested() : the person wants the run to begin
    said(str) : what goes on, in a sentence
    progressed(str) : how far it is, in few words
    done(Summary) : a run is complete
    cancelled() : the person gave up; nothing was written
    refused(str), failed(str) : one sentence; nothing was written, because the folder refuses it, or for another reason
    """

    start_requested = Signal()
    said = Signal(str)
    progressed = Signal(str)
    done = Signal(object)
    cancelled = Signal()
    refused = Signal(str)
    failed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.job: Job | None = None
        self.written: Path | None = None
        self.question: QMessageBox | None = None
        self._background: Background[Exporter] | None = None
        self._said = ""
        self._is_ending = False
        self._newest: Progress | None = None
        self._came_s = 0.0
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        named(self.progress, "Export progress", "How much of the export is done.")
        self.left = caption()
        self.left.setWordWrap(False)
        self.left.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.how_far = _halves(self.progress, self.left)
        self.show_folder = button("Open folder", "Open the folder", "Show the results in the file manager.")
        self.show_folder.clicked.connect(self._on_show_folder)
        self.enough = button("Finish here", "Finish here", "End the recording and complete the files.")
        self.enough.clicked.connect(self.complete)
        self.cancel = button("Cancel", "Cancel the export", "Give up; nothing half-written is left.")
        self.cancel.clicked.connect(self._on_cancel)
        self.start = button("Export", "Start the export", "Write the files; the window goes on meanwhile.", "primary")
        self.start.clicked.connect(self.start_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        for widget in (self.show_folder, self.enough, self.cancel, self.start):
            row.addWidget(widget)
        self._show_running(False)
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def is_running(self) -> bool:
        """True while something is being written."""
        return self._background is not None

    @property
    def is_recording(self) -> bool:
        """True while a live input is written, which gives nothing twice, unless that is being cancelled."""
        return self.is_running and self.cancel.isEnabled() and self.job is not None and self.job.input.is_live

    @property
    def is_completing(self) -> bool:
        """True from the end of a recording until its files are complete."""
        return self.is_recording and not self.enough.isEnabled()

    def begin(self, job: Job) -> None:
        """Start writing."""
        exporter = Exporter(job)
        listen(exporter.done, self._on_done)
        listen(exporter.cancelled, self._on_cancelled)
        listen(exporter.refused, self._on_refused)
        listen(exporter.failed, self._on_failed)
        self.job = job
        self._background = Background(exporter, "export")
        self._show_running(True)
        self.enough.setVisible(job.input.is_live)
        self._said = ""
        self.said.emit(OPENING)
        self._timer.start()
        self._background.start()

    def offer_folder(self, named: Path) -> None:
        """Offer to open the folder with the results where it is the one that is named now."""
        self.show_folder.setVisible(not self.is_running and named == self.written)

    def shut(self) -> None:
        """Cancel and wait: the main window is closing."""
        self._timer.stop()
        if self._background is not None:
            self._background.worker.cancel()
            self._background.wait()
            self._background = None

    def _on_show_folder(self) -> None:
        sentence = None if self.written is None else shown_by_desktop(str(self.written), "The folder")
        if sentence:
            self.said.emit(sentence)

    def complete(self) -> None:
        """End a recording here and complete its files, as the person or the system asks for; `done` tells of it."""
        if self._background is not None and self.enough.isEnabled():
            self._background.worker.finish_early()
            self.enough.setEnabled(False)
            self._end_with(COMPLETING)

    def give_up(self) -> None:
        """Cancel without waiting; `cancelled` tells of it."""
        if self._background is not None:
            self._background.worker.cancel()
            self.enough.setEnabled(False)
            self.cancel.setEnabled(False)
            self._end_with("Cancelling…")

    def _on_cancel(self) -> None:
        """Give up; a recording only where the person says so once more."""
        if not self.is_recording:
            self.give_up()
            return
        self.question = discard_question(self, None if self.is_completing else self.complete, self.give_up)
        self.question.finished.connect(self._on_answered)
        self.question.open()

    def _on_answered(self) -> None:
        self.question = None

    def _end_with(self, sentence: str) -> None:
        """Say from now on how it ends, not how far it is."""
        self._is_ending = True
        self.left.setText("")
        self.said.emit(sentence)
        self.progressed.emit(sentence)

    def _poll(self) -> None:
        progress = self._background.worker.progress if self._background is not None else None
        if progress is None or self._is_ending:
            return
        done, total = progress.overall
        self.progress.setRange(0, total or 0)
        if total:
            self.progress.setValue(done)
        silent_s = self._silent_s(progress)
        said = what_goes_on(progress, silent_s)
        if said != self._said:
            self._said = said
            self.said.emit(said)
        if progress.work:
            self.left.setText("")
            self.progressed.emit(f"Exporting: {progress.work}")
            return
        left = how_far(progress)
        self.left.setText(left if silent_s else how_fast(progress))
        part = f"{100 * done // total} %, " if total else ""
        silent = f", {silent_words(silent_s)}" if silent_s else ""
        self.progressed.emit(f"Exporting: {part}{left}{silent}")

    def _silent_s(self, progress: Progress) -> float:
        """Return for how long nothing has come of a live input, as far as that is told, s; 0: it comes."""
        now_s = time.perf_counter()
        if progress is not self._newest:
            self._newest, self._came_s = progress, now_s
        if progress.work or self.job is None or not self.job.input.is_live:
            return 0.0
        usual_s = 1 / progress.fps if progress.fps else 0.0
        silent_s = now_s - self._came_s
        return silent_s if silent_s > max(SILENT_S, SILENT_FRAMES * usual_s) else 0.0

    @on_own_thread
    def _on_done(self, summary: Summary) -> None:
        self._end()
        if self.job is not None:
            self.written = self.job.output
        self.done.emit(summary)

    @on_own_thread
    def _on_cancelled(self) -> None:
        self._end()
        self.cancelled.emit()

    @on_own_thread
    def _on_refused(self, sentence: str) -> None:
        self._end()
        self.refused.emit(sentence)

    @on_own_thread
    def _on_failed(self, sentence: str) -> None:
        self._end()
        self.failed.emit(sentence)

    def _end(self) -> None:
        self._timer.stop()
        if self._background is not None:
            self._background.wait()
            self._background = None
        if self.question is not None:
            self.question.reject()  # What it asks about is over.
        self._show_running(False)

    def _show_running(self, on: bool) -> None:
        self.progress.setRange(0, 0)
        self.left.setText("")
        for widget in (self.how_far, self.cancel):
            widget.setVisible(on)
        for widget in (self.enough, self.show_folder):
            widget.hide()
        for widget in (self.enough, self.cancel):
            widget.setEnabled(True)
        self._is_ending = False
        self.start.setEnabled(not on)  # It keeps its place: a second click must not land on Cancel.


def _halves(left: QWidget, right: QWidget) -> QWidget:
    """Return two widgets of the same width beside each other, whatever they say, which keep their room when hidden."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    for widget in (left, right):
        widget.setSizePolicy(QSizePolicy.Policy.Ignored, widget.sizePolicy().verticalPolicy())
        layout.addWidget(widget, 1)
    policy = row.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    row.setSizePolicy(policy)
    return row
