"""The export panel: the choices, what they would write and how large, the same as a command, and the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app import theme
from app.count_words import counted
from app.equivalent_command import command_line
from app.on_screen import keep_on_screen, room_of
from app.panels.command_box import CommandBox
from app.panels.controls import TallArea, button, caption, heading, named
from app.panels.export_form import ExportForm
from app.panels.export_offer import Offered
from app.panels.export_run import ExportRun
from app.panels.window_words import in_window
from app.side_window import SideWindow
from app.spoken import show_words

if TYPE_CHECKING:
    from core.export.job_spec import Job
    from core.export.plan import PlannedFile
    from core.export.summary import Summary
    from core.project.document import ExportChoice

WIDTH_PX = 560
"""Least width of what is scrolled."""


class ExportPanel(SideWindow):
    """A window beside the main one; closing it while it runs asks nothing and cancels nothing, Cancel does.

    Parameters
    ----------
    job_of : callable
        ``job_of(choice)`` makes the job from what the panels show at this moment; it replaces nothing.
    plan_of : callable
        ``plan_of(job)`` gives what it would write, and how large.
    choice : ExportChoice
        What is chosen to begin with.
    command_of : callable
        ``command_of(job)`` gives the command that does the same.
    why_not : callable
        ``why_not()`` gives the sentence that says why nothing can be exported now; empty where it can.

    Signals
    -------
    began() : a run begins
    wrote(Job) : a run of this job is complete
    refused(Job) : the folder of this job cannot be written to; `failed` says why
    failed(str) : one sentence
    cancelled() : the person gave a run up
    told(str) : what is to be known of it where it is closed, in few words; empty: nothing
    ended() : a run has come to its end, whichever, and the form may show something else
    settled() : after that, and after all that tells of it
    queue_requested(Job) : the person wants this done by the queue
    """

    began = Signal()
    wrote = Signal(object)
    refused = Signal(object)
    failed = Signal(str)
    cancelled = Signal()
    told = Signal(str)
    ended = Signal()
    settled = Signal()
    queue_requested = Signal(object)

    def __init__(
        self,
        job_of: Callable[[ExportChoice], Job],
        plan_of: Callable[[Job], list[PlannedFile]],
        choice: ExportChoice,
        parent: QWidget | None = None,
        *,
        command_of: Callable[[Job], str] = command_line,
        why_not: Callable[[], str] = str,
    ) -> None:
        from core.export.frame_names import NAMES  # noqa: PLC0415 - see below
        from core.export.plate_notes import NO_SCENE, SHOWS_PLATE  # noqa: PLC0415
        from core.export.product_sinks import bits_of_films  # noqa: PLC0415 - encoders; the engine is there by now
        from core.export.products import AS_STACK, CODED, FILMS, FORMATS, PRODUCTS, QUALITIES, SPEEDS  # noqa: PLC0415

        super().__init__(parent)
        self._job_of, self._plan_of, self._command_of, self._why_not = job_of, plan_of, command_of, why_not
        self._typed_in: QWidget | None = None
        self._asked: tuple[object, ...] = ()
        self._in_the_way = ""
        self.setWindowTitle("Export")
        rows, foot = self._parts()
        offered = Offered(
            PRODUCTS, FORMATS, QUALITIES, SPEEDS, NAMES, CODED, frozenset(FILMS), SHOWS_PLATE, NO_SCENE,
            bits_of_films(), ("tiff", AS_STACK),
        )  # fmt: skip
        self.form = ExportForm(offered, choice)
        rows.addWidget(self.form)
        rows.addWidget(heading("Will be written"))
        self.plan = QLabel()
        self.plan.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        named(self.plan, "What will be written", "Files and folders, and about how large they will be.")
        rows.addWidget(self.plan)
        rows.addWidget(heading("The same on the command line"))
        rows.addLayout(self._command())
        rows.addStretch(1)
        self.message = caption()
        foot.addWidget(self.form.overwrite)  # Where it is in sight, whatever is scrolled: sentences ask for it.
        foot.addWidget(self.message)
        self.run = ExportRun()
        self.queue = button("Add to queue", "Add to queue", "Let a process of its own write this, after what waits.")
        self.queue.setAutoDefault(False)
        row = QHBoxLayout()
        row.addWidget(self.queue)
        row.addWidget(self.run, 1)
        foot.addLayout(row)
        foot.addWidget(self.run.how_far)
        self.run.start.setDefault(True)  # Once it is in this window: Qt forgets it else.
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self.queue.clicked.connect(self._on_queue)
        self.form.changed.connect(self.refresh)
        self.run.start_requested.connect(self._on_start)
        self.run.said.connect(self.say)
        self.run.progressed.connect(self.told)
        self.run.done.connect(self._on_done)
        self.run.cancelled.connect(self._on_cancelled)
        self.run.refused.connect(self._on_refused)
        self.run.failed.connect(self._on_failed)

    def _parts(self) -> tuple[QVBoxLayout, QVBoxLayout]:
        """Return the rows that are scrolled where the screen is too low for all, and those below that always show."""
        body, below = QWidget(), QWidget()
        area = TallArea(body, WIDTH_PX)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(area, 1)
        whole.addWidget(below)
        rows, foot = QVBoxLayout(body), QVBoxLayout(below)
        rows.setContentsMargins(18, 16, 18, 4)
        foot.setContentsMargins(18, 4, 18, 4)
        for part in (rows, foot):
            part.setSpacing(8)
        self._parts_shown = rows, foot
        return rows, foot

    def _command(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.command = CommandBox()
        named(self.command, "Command", "This command writes the same files, byte for byte.")
        copy = button("Copy", "Copy the command", "Copy the command to the clipboard.")
        copy.clicked.connect(self._on_copy)
        row.addWidget(self.command, 1)
        row.addWidget(copy, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def job(self) -> Job:
        """Return the job as chosen, with the settings that the panels show now."""
        return replace(self._job_of(self.form.choice), overwrite=self.form.overwrite.isChecked())

    def refresh(self) -> None:
        """Show what would be written with what is chosen now."""
        if self.run.is_running:
            return
        from core.export.products import STACK  # noqa: PLC0415 - as above

        job = self.job()
        planned = self._plan_of(job)
        present = [path for file in planned for path in file.present]
        lines = [_line(file) for file in planned]
        sizes = [file.n_bytes for file in planned]
        known = [n_bytes for n_bytes in sizes if n_bytes is not None]
        if len(known) == len(sizes) > 1:
            lines.append(f"about {format_bytes(sum(known))} in all")
        show_words(self.plan, "\n".join(lines) or "Nothing: choose something above.")
        self.form.overwrite.setVisible(bool(present) or job.overwrite)
        self.form.show_job(job.settings.passes, is_stack=replace(job, format="tiff").stored_as == STACK)
        self.command.show_command(self._command_of(job))
        blocked = bool(present) and not job.overwrite
        self.run.start.setEnabled(bool(planned) and not blocked and not self.form.fault_of_folder)
        self.run.offer_folder(job.output)
        # The queue gives each job a folder of its own, so nothing is in its way.
        self.queue.setEnabled(bool(planned) and not job.input.is_live and not self.form.fault_of_folder)
        self._in_the_way = " ".join(self._obstacles(job.output, present if blocked else [], sum(known)))
        asked = self.command.toPlainText(), self.form.choice, self._why_not(), self._in_the_way
        if asked == self._asked:  # Nothing else is set: what was said last stands, such as why a job was not added.
            self._grow()
        else:
            self._asked = asked
            self.say(self._in_the_way)

    def _obstacles(self, folder: Path, present: list[Path], n_bytes: int) -> Iterator[str]:
        """Yield what is in the way of an export of so many bytes, and where a name leads that does not say so."""
        from core.export.plan import free_bytes  # noqa: PLC0415 - as above

        if self.form.fault_of_folder:
            yield self.form.fault_of_folder
            return
        if not folder.is_absolute():
            yield f"The folder is {folder.absolute()}."
        if present:
            if folder == self.run.written:  # All is well: what is there is what was asked for.
                yield f"To write again, tick “{self.form.overwrite.text()}” or choose another folder."
            else:
                names = ", ".join(path.name for path in present)
                yield f"Output exists: {names}. Replace, or choose another folder."
        free = free_bytes(folder.absolute())
        if free is not None and n_bytes > free:
            needed = format_bytes(n_bytes)
            yield f"There may be no room: about {needed} are to be written, {format_bytes(free)} are free."

    def say(self, sentence: str, *, is_failure: bool = False) -> None:
        """Show a sentence below everything, and grow where there is no room for what is written now."""
        theme.set_role(self.message, "bad" if is_failure else "caption")
        self.message.setText(in_window(sentence))
        self._grow()

    def _grow(self) -> None:
        """Be as high as what is shown needs, where the screen has the room; Qt squeezes wrapped lines instead."""
        if not self.isVisible():
            return  # Its width is not yet the one that lines are broken at.
        needed = 0
        for rows in self._parts_shown:
            rows.activate()
            wraps = rows.hasHeightForWidth()
            needed += rows.totalHeightForWidth(self.width()) if wraps else rows.totalSizeHint().height()
        self.resize(self.width(), min(max(self.height(), needed), room_of(self).height()))
        if self.isVisible():
            keep_on_screen(self)

    def _grow_around_centre(self) -> None:
        """Grow to all sides: it was placed by the size that it had before."""
        centre = self.geometry().center()
        self._grow()
        lies = self.geometry()
        lies.moveCenter(centre)
        self.setGeometry(lies)
        keep_on_screen(self)

    def shut(self) -> None:
        """Cancel, wait and close: the main window is closing."""
        self.hide()
        self.run.shut()
        self.close()

    def showEvent(self, event: QShowEvent) -> None:
        """Be as high as what is shown needs."""
        super().showEvent(event)
        self._grow_around_centre()
        if not self.run.is_running:
            self.told.emit("")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide; a run goes on and the panel can be opened again."""
        event.accept()

    def _on_copy(self) -> None:
        self.form.take_typed()
        QGuiApplication.clipboard().setText(self.command.toPlainText())

    def _may_begin(self) -> bool:
        """Take what was typed; tell whether it can be exported, and say why it cannot."""
        self.form.take_typed()
        why_not = self._why_not()
        if why_not:
            self.say(why_not, is_failure=True)
        return not why_not

    def _on_queue(self) -> None:
        if not self._may_begin():
            return
        self.queue_requested.emit(self.job())
        self.say("Added to the queue (Ctrl+J). It is written to a folder of its own, which the queue shows.")

    def _on_start(self) -> None:
        if not self._may_begin():
            return
        self._typed_in = self.focusWidget()
        self.form.setEnabled(False)
        self.queue.setEnabled(False)
        self.form.overwrite.setEnabled(False)
        self.began.emit()
        self.run.begin(self.job())

    def _on_done(self, summary: Summary) -> None:
        job = self.run.job
        assert job is not None
        told = f"Wrote {counted(summary.frames)} in {summary.seconds:.1f} s to {job.output}."
        self.form.overwrite.setChecked(False)  # What is there now was not to be replaced.
        # Each on a line of its own: a note is overlooked in the middle of a paragraph.
        self._end("\n".join(said for said in (summary.cut_short, told, *summary.warnings) if said))
        if not self.isVisible():
            self.told.emit(f"Export done: {counted(summary.frames)}")
        self.wrote.emit(job)
        if summary.cut_short:
            self.failed.emit(summary.cut_short)
        self.settled.emit()

    def _on_cancelled(self) -> None:
        self._end("Cancelled; nothing was written.")
        self.cancelled.emit()
        self.settled.emit()

    def _on_refused(self, sentence: str) -> None:
        self._on_failed(sentence)
        self.form.ask_for_folder()
        self.refused.emit(self.run.job)

    def _on_failed(self, sentence: str) -> None:
        self._end(sentence, is_failure=True)
        self.failed.emit(sentence)
        self.settled.emit()

    def _end(self, text: str, *, is_failure: bool = False) -> None:
        self.told.emit("")
        self.form.setEnabled(True)
        self.form.overwrite.setEnabled(True)
        if self._typed_in is not None and self.focusWidget() is None:
            self._typed_in.setFocus()  # What is disabled gives up the keys, and nothing had them since.
        self.ended.emit()
        self.refresh()
        self.say(f"{text}\n{self._in_the_way}".strip(), is_failure=is_failure)


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
    return f"{file.path.name}{f'/{file.begins}…' if is_folder else ''} · {size}"
