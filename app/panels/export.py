"""What to write, where, how large it is, and the run that writes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from app.command import command_line, limits
from app.exporter import Exporter
from app.panels.controls import button, caption, heading, named
from app.panels.status import format_time_left
from app.threads import Background

if TYPE_CHECKING:
    from core.job import Job, Summary
    from core.products import PlannedFile

DEFAULT_SAVE = ("plate", "mask", "cleaned")
POLL_MS = 100


class ExportPanel(QDialog):
    """A window beside the main one; closing it while it runs asks nothing and cancels nothing, Cancel does.

    Parameters
    ----------
    job_of : callable
        ``job_of(output, save, format, overwrite)`` makes the job from what the panels show at this moment.
    plan_of : callable
        ``plan_of(job)`` gives what it would write, and how large.
    folder : str
        Where to write, to begin with.

    Signals
    -------
    wrote(str) : a run is complete; the folder
    failed(str) : one sentence
    """

    wrote = Signal(str)
    failed = Signal(str)

    def __init__(
        self,
        job_of: Callable[[Path, tuple[str, ...], str, bool], Job],
        plan_of: Callable[[Job], list[PlannedFile]],
        folder: str,
        parent: QWidget | None = None,
    ) -> None:
        from core.products import FORMATS, PRODUCTS  # noqa: PLC0415 - encoders; the engine is there by now

        super().__init__(parent)
        self._job_of, self._plan_of = job_of, plan_of
        self._background: Background | None = None
        self._formats = FORMATS
        self.setWindowTitle("Export")
        self.setMinimumWidth(560)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(18, 16, 18, 16)
        rows.setSpacing(8)
        rows.addWidget(heading("What to write"))
        rows.addWidget(self._checks(PRODUCTS))
        rows.addWidget(heading("As"))
        rows.addLayout(self._where(folder))
        rows.addWidget(heading("Will be written"))
        self.plan = QLabel()
        self.plan.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        named(self.plan, "What will be written", "Files and folders, and about how large they will be.")
        rows.addWidget(self.plan)
        self.overwrite = QCheckBox("Replace what is there already")
        named(self.overwrite, "Replace what is there already", "Old results are kept until the new ones are complete.")
        self.overwrite.toggled.connect(self.refresh)
        rows.addWidget(self.overwrite)
        rows.addWidget(heading("The same on the command line"))
        rows.addLayout(self._command())
        self.message = caption()
        rows.addWidget(self.message)
        rows.addLayout(self._buttons())
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll)
        self.refresh()

    # Building

    def _checks(self, products: dict[str, str]) -> QWidget:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.checks: dict[str, QCheckBox] = {}
        for i, (key, about) in enumerate(products.items()):
            check = QCheckBox(key.capitalize())
            check.setChecked(key in DEFAULT_SAVE)
            named(check, key.capitalize(), f"Write {about}.")
            check.toggled.connect(self.refresh)
            grid.addWidget(check, i, 0)
            grid.addWidget(caption(about), i, 1)
            self.checks[key] = check
        return holder

    def _where(self, folder: str) -> QGridLayout:
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        self.format = QComboBox()
        for key, about in self._formats.items():
            self.format.addItem(about, key)
        named(self.format, "Format", "How the pictures of every frame are stored; the plate is always a PNG.")
        self.format.activated.connect(self.refresh)
        self.folder = QLineEdit(folder)
        named(self.folder, "Folder", "Where results are written; it is made if it is not there.")
        self.folder.textChanged.connect(self.refresh)
        browse = button("Choose…", "Choose a folder", "Choose the folder for the results.")
        browse.clicked.connect(self._on_browse)
        grid.addWidget(QLabel("Format"), 0, 0)
        grid.addWidget(self.format, 0, 1, 1, 2)
        grid.addWidget(QLabel("Folder"), 1, 0)
        grid.addWidget(self.folder, 1, 1)
        grid.addWidget(browse, 1, 2)
        return grid

    def _command(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.command = QPlainTextEdit()
        self.command.setReadOnly(True)
        self.command.setTabChangesFocus(True)
        self.command.setFixedHeight(58)
        named(self.command, "Command", "This command writes the same files, byte for byte.")
        copy = button("Copy", "Copy the command", "Copy the command to the clipboard.")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.command.toPlainText()))
        row.addWidget(self.command, 1)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        named(self.progress, "Export progress", "How much of the export is done.")
        self.progress.hide()
        self.left = caption()
        self.left.setWordWrap(False)
        self.show_folder = button("Open folder", "Open the folder", "Show the results in the file manager.")
        self.show_folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(self.folder.text())))
        self.show_folder.hide()
        self.enough = button("Finish here", "Finish here", "End the recording and complete the files.")
        self.enough.hide()
        self.enough.clicked.connect(self._on_enough)
        self.cancel = button("Cancel", "Cancel the export", "Give up; nothing half-written is left.")
        self.cancel.hide()
        self.cancel.clicked.connect(self.cancel_run)
        self.start = button("Export", "Start the export", "Write the files; the window goes on meanwhile.", "primary")
        self.start.setDefault(True)
        self.start.clicked.connect(self.run)
        row.addWidget(self.progress, 1)
        row.addWidget(self.left)
        row.addStretch(0)
        for widget in (self.show_folder, self.enough, self.cancel, self.start):
            row.addWidget(widget)
        return row

    # What will be written

    @property
    def save(self) -> tuple[str, ...]:
        """Keys of what is chosen."""
        return tuple(key for key, check in self.checks.items() if check.isChecked())

    def job(self) -> Job:
        """Return the job as chosen, with the settings that the panels show now."""
        return self._job_of(
            Path(self.folder.text()).expanduser(), self.save, self.format.currentData(), self.overwrite.isChecked()
        )

    def refresh(self) -> None:
        """Show what would be written with what is chosen now."""
        if self.is_running:
            return
        job = self.job()
        planned = self._plan_of(job)
        present = [file for file in planned if file.path.exists()]
        lines = [_line(file) for file in planned]
        sizes = [file.n_bytes for file in planned]
        if sizes and None not in sizes:
            lines.append(f"about {format_bytes(sum(sizes))} in all")
        self.plan.setText("\n".join(lines) or "Nothing: choose something above.")
        self.overwrite.setVisible(bool(present) or self.overwrite.isChecked())
        self.command.setPlainText(command_line(job))
        blocked = bool(present) and not self.overwrite.isChecked()
        self.start.setEnabled(bool(planned) and not blocked and bool(self.folder.text().strip()))
        names = ", ".join(file.path.name for file in present)
        self.message.setText(f"There already: {names}. Replace, or choose another folder." if blocked else limits(job))

    # Running

    @property
    def is_running(self) -> bool:
        """True while something is being written."""
        return self._background is not None

    def run(self) -> None:
        """Start writing."""
        job = self.job()
        exporter = Exporter(job)
        exporter.done.connect(self._on_done)
        # Methods of this object, never lambdas: Qt then calls them on the window's thread.
        exporter.cancelled.connect(self._on_cancelled)
        exporter.failed.connect(self._on_failed)
        self._background = Background(exporter, "export")
        self._show_running(True)
        self.message.setText("Writing… The window goes on meanwhile.")
        self._timer.start()
        self._background.start()

    def cancel_run(self) -> None:
        """Give up writing."""
        if self._background is not None:
            self._background.worker.cancel()
            self.cancel.setEnabled(False)
            self.message.setText("Cancelling…")

    def _on_enough(self) -> None:
        if self._background is not None:
            self._background.worker.finish_early()

    def shut(self) -> None:
        """Cancel, wait and close: the main window is closing."""
        self._timer.stop()
        if self._background is not None:
            self._background.worker.cancel()
            self._background.wait()
            self._background = None
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide; a run goes on and the panel can be opened again."""
        event.accept()

    def _poll(self) -> None:
        progress = self._background.worker.progress if self._background is not None else None
        if progress is None:
            return
        if progress.total:
            done = (progress.pass_number - 1) * progress.total + progress.frame
            self.progress.setRange(0, progress.n_passes * progress.total)
            self.progress.setValue(min(done, self.progress.maximum()))
        else:
            self.progress.setRange(0, 0)
        left = format_time_left(progress.seconds_left) if progress.seconds_left else f"{progress.frame} frames"
        self.left.setText(f"{left} · {progress.fps:.0f} frames/s")

    def _on_done(self, summary: Summary) -> None:
        warnings = " ".join(summary.warnings)
        text = f"Wrote {summary.frames} frames in {summary.seconds:.1f} s to {self.folder.text()}. {warnings}".strip()
        self._end(text)
        self.show_folder.show()
        self.wrote.emit(self.folder.text())

    def _on_cancelled(self) -> None:
        self._end("Cancelled; nothing was written.")

    def _on_failed(self, sentence: str) -> None:
        self._end(sentence)
        self.failed.emit(sentence)

    def _end(self, text: str) -> None:
        self._timer.stop()
        if self._background is not None:
            self._background.wait()
            self._background = None
        self._show_running(False)
        self.overwrite.setChecked(False)
        self.refresh()
        self.message.setText(text)

    def _show_running(self, on: bool) -> None:
        self.progress.setRange(0, 0)
        for widget in (self.progress, self.left, self.cancel):
            widget.setVisible(on)
        self.left.setText("")
        self.cancel.setEnabled(True)
        self.enough.setVisible(on and self.job().input.startswith("camera:"))
        self.show_folder.hide()
        self.start.setVisible(not on)
        for widget in (*self.checks.values(), self.format, self.folder, self.overwrite):
            widget.setEnabled(not on)

    def _on_browse(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Folder for the results", self.folder.text())
        if chosen:
            self.folder.setText(chosen)


def format_bytes(n: float) -> str:
    """Return a size such as "1.2 GB"."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if n < 1000:
            return f"{n:.0f} {unit}" if unit == "bytes" or n >= 10 else f"{n:.1f} {unit}"
        n /= 1000
    return f"{n:.1f} TB"


def _line(file: PlannedFile) -> str:
    is_folder = not file.path.suffix
    size = "size not known before" if file.n_bytes is None else f"about {format_bytes(file.n_bytes)}"
    return f"{file.path}{'/000001…' if is_folder else ''} · {size}"
