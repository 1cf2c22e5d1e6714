"""The queue: jobs from the export panel and from clips that are dropped, its panel, and what happens at its end."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, Signal

from app.count_words import counted
from app.engine.project_files import ProjectFiles
from app.engine.threads import Background, listen, on_own_thread
from app.system import sleep
from app.window.commands.kind_settings import PLURALS
from app.window.dialogs import input_kinds
from app.window.notifier import Notifier
from app.window.settings_question import are_alike, settings_question
from core.batch.naming import SUFFIX as LIST_SUFFIX
from core.io.input_spec import from_anywhere
from core.project.naming import SUFFIX, is_project

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMessageBox, QWidget

    from app.engine.choice import InputKind
    from app.engine.job_queue import JobQueue
    from app.engine.queue_jobs import JobRequest
    from app.panels.banner import Banner
    from app.panels.queue import QueuePanel
    from app.window.commands.export import ExportCommands
    from app.window.commands.project_state import ProjectState
    from app.window.dialogs import FileDialogs
    from app.window.settings import Remembered
    from core.export.job_spec import Job


NICENESS = 10
"""By how much jobs step back, on the system's scale from 0 to 19: what a person looks at goes first."""


class QueueCommands(QObject):
    """What the command "Queue…" does, and what fills the queue.

    Parameters
    ----------
    folder : Path
        For the list, the logs, and projects that jobs need.
    dialogs : FileDialogs
        Ask for files and folders to be added.
    export : ExportCommands
        Says how clips that are added are exported; its panel adds jobs.
    state : ProjectState
        Of which what was painted by hand is taken.
    remembered : Remembered
    banner : Banner
    parent : QWidget
        The window beside which the panel stands.

    Attributes
    ----------
    panel : QueuePanel or None
        None until it was asked for.
    question : QMessageBox or None
        By whose settings inputs are exported; None until that was asked.

    Signals
    -------
    changed() : what is remembered of it
    """

    changed = Signal()

    def __init__(
        self,
        folder: Path,
        dialogs: FileDialogs,
        export: ExportCommands,
        state: ProjectState,
        remembered: Remembered,
        banner: Banner,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._path = Path(os.path.abspath(folder)) / f"queue{LIST_SUFFIX}"
        self._dialogs, self._export, self._state = dialogs, export, state
        self._remembered, self._banner, self._parent = remembered, banner, parent
        self._notifier = Notifier(self)
        self._background: Background[JobQueue] | None = None
        self._files: ProjectFiles | None = None
        self._is_restoring = self._may_go_on = self._goes_on = False
        self.panel: QueuePanel | None = None
        self.question: QMessageBox | None = None
        export.queue_requested.connect(self.add_export)

    def restore(self) -> None:
        """Go on with what an earlier window left; another window that has the queue keeps it."""
        if os.path.exists(self._path):
            self._is_restoring = True
            self._queue()

    def open(self) -> None:
        """Show the panel."""
        from app.panels.queue import QueuePanel  # noqa: PLC0415 - seldom needed

        queue = self._queue()
        if self.panel is None:
            self.panel = QueuePanel(
                queue, self._parent, can_sleep=sleep.can_sleep(), scheduler=self._remembered.scheduler
            )
            self.panel.scheduler_changed.connect(self._on_scheduler)
            self.panel.files_requested.connect(self.add_files)
            self.panel.folder_requested.connect(self.add_folder)
            self.panel.dropped.connect(self.add_dropped)
            self.panel.folder_wanted.connect(self.redirect)
        self.panel.show()
        self.panel.raise_()

    def add_export(self, job: Job) -> None:
        """Add what the export panel shows."""
        from app.engine.queue_jobs import PROJECTS, JobRequest  # noqa: PLC0415 - seldom needed
        from app.equivalent_command import is_by_hand, option_words, told_beside  # noqa: PLC0415
        from core.batch.destinations import name_of  # noqa: PLC0415

        spec = job.input
        source = from_anywhere(spec.path)
        if not is_by_hand(job):
            absolute = replace(job, input=replace(spec, path=source))
            self._add([JobRequest(source, tuple(option_words(absolute)), job.output)])
            return
        # What was painted and drawn cannot be said in options: a project holds it.
        if self._files is None:
            self._files = ProjectFiles()
            listen(self._files.saved, self._on_saved)
            listen(self._files.failed, self._on_not_saved)
        path = self._path.parent / PROJECTS / f"{name_of(source)} {secrets.token_hex(3)}{SUFFIX}"
        self._files.save(
            self._state.project(), path, None, JobRequest(str(path), tuple(told_beside(job)), job.output, source)
        )

    def add_files(self) -> None:
        """Ask for clips and projects, and add a job for each."""
        self._add_chosen(self._dialogs.open_several("Add clips and projects to the queue", input_kinds()))

    def add_folder(self) -> None:
        """Ask for a folder, and add it: a job for each clip in it, or one for its images."""
        folder = self._dialogs.open_folder("Add a folder of clips or images to the queue")
        self._add_chosen([] if folder is None else [folder])

    def redirect(self, numbers: Sequence[int]) -> None:
        """Ask for a folder, and let the jobs with these numbers write into folders of their own in it."""
        folder = self._dialogs.open_folder("Folder for the results")
        if folder is None:
            return
        said = f"{folder} cannot be written to; choose another folder."
        if os.access(folder, os.W_OK):
            self._queue().redirect(numbers, Path(os.path.abspath(folder)))
            said = f"The chosen jobs write into {folder}; Retry runs those again that have ended."
        if self.panel is not None:
            self.panel.say(said)

    def _add_chosen(self, paths: Sequence[Path]) -> None:
        if paths:
            self.add_dropped([str(path) for path in paths])

    def add_dropped(self, paths: Sequence[str]) -> None:
        """Add a job for each clip, by the defaults or as the window would export it; projects have their own settings.

        Where the settings of the window are others, the person is asked first: they may be of another kind of input.
        Its method, parameters and passes are those with which it would open the clip.
        """
        own = [_request(self._export.job_for(path), self._export.kept_jobs_for(path)) for path in paths]
        usual = [_request(jobs["scene"], jobs) for jobs in map(self._export.usual_jobs_for, paths)]
        asked = [
            (set_, path) for set_, plain, path in zip(own, usual, paths, strict=True)
            if not is_project(path) and not {set_.options, *set_.kept.values()} <= {*plain.kept.values()}
        ]  # fmt: skip
        if not asked:
            self._add(usual)
            return
        self.open()
        assert self.panel is not None
        self.question = settings_question(
            self.panel, len(asked), _made_by(asked[0][0]), partial(self._add, own), partial(self._add, usual),
            alike=are_alike([path for _, path in asked], self._export.opened_path),
        )  # fmt: skip
        self.question.open()

    def _add(self, requests: Sequence[JobRequest]) -> None:
        self.open()
        self._queue().add(requests)

    @property
    def is_busy(self) -> bool:
        """Whether anything runs or waits to."""
        return self._background is not None and self._background.worker.is_busy

    @property
    def goes_on(self) -> bool:
        """Whether the jobs go on when the window has gone."""
        return self._goes_on

    def let_go_on(self) -> bool:
        """Let the jobs go on once the window has gone; False, and a sentence, where that is not safe."""
        self._may_go_on = self._background is not None and self._background.worker.can_go_on_alone
        if not self._may_go_on:
            self._banner.show_error(f"The queue cannot go on without a window: {self._path.parent} allows no locks.")
        return self._may_go_on

    def let_stop(self) -> None:
        """Let the jobs end with the window, as they do where nothing else was said."""
        self._may_go_on = False

    def outlive(self) -> None:
        """Wait until the jobs that go on are done, or another window takes them over; the window has gone."""
        if self._background is None:
            return
        loop = QEventLoop()
        self._background.thread.finished.connect(loop.quit)
        if self._background.thread.isRunning():
            loop.exec()
        self.end()

    def give_up(self) -> None:
        """Go on no more; `outlive` comes to its end."""
        if self._background is not None:
            self._background.worker.quit()

    def shut(self) -> None:
        """End what runs, unless it goes on: it begins anew with the next window."""
        if self._files is not None:
            self._files.shut()
        if self.panel is not None:
            self.panel.close()
        self._goes_on = self._may_go_on and self._background is not None and self._background.worker.go_on_alone()
        if not self._goes_on:
            self.end()

    def end(self) -> None:
        """End what runs."""
        background, self._background = self._background, None
        if background is not None:
            background.worker.quit()
            background.wait()

    def _queue(self) -> JobQueue:
        if self._background is None:
            from app.cluster import dask_launcher  # noqa: PLC0415 - not before the window is painted
            from app.engine.job_queue import JobQueue  # noqa: PLC0415
            from app.engine.queue_launcher import QueueLauncher  # noqa: PLC0415
            from app.own_command import own_command, own_environment  # noqa: PLC0415
            from core.batch.process import ProcessLauncher  # noqa: PLC0415

            here = ProcessLauncher(own_command(), own_environment(), niceness=NICENESS)
            queue = JobQueue(self._path, QueueLauncher(here, dask_launcher, self._remembered.scheduler))
            listen(queue.restored, self._on_restored)
            listen(queue.watched, self._on_watched)
            listen(queue.failed, self._on_failed)
            listen(queue.unavailable, self._on_unavailable)
            listen(queue.all_done, self._on_all_done)
            self._background = Background(queue, "queue")
            self._background.start()
        return self._background.worker

    def _on_scheduler(self, address: str) -> None:
        self._remembered.scheduler = address
        self._queue().send_to(address)
        self.changed.emit()

    @on_own_thread
    def _on_saved(self, _path: Path, request: JobRequest) -> None:
        self._add([request])

    @on_own_thread
    def _on_not_saved(self, _path: Path, sentence: str) -> None:
        self._banner.show_error(sentence)
        if self._export.panel is not None:
            self._export.panel.say(sentence)  # It has just said that this was added.

    @on_own_thread
    def _on_restored(self, n_jobs: int) -> None:
        self._banner.show_warning(f"The queue goes on with {counted(n_jobs, 'job')} (Ctrl+J).")

    @on_own_thread
    def _on_watched(self, n_jobs: int) -> None:
        self._banner.show_warning(f"The queue goes on with {counted(n_jobs, 'job')} without a window (Ctrl+J).")

    @on_own_thread
    def _on_failed(self, sentence: str) -> None:
        self._banner.show_error(sentence)
        if self.panel is not None:
            self.panel.say(sentence)  # It may lie over the banner.

    @on_own_thread
    def _on_unavailable(self, sentence: str) -> None:
        is_asked, self._is_restoring = not self._is_restoring, False
        if self.panel is not None:
            self.panel.close()
            self.panel.deleteLater()
            self.panel = self.question = None
        background, self._background = self._background, None
        if background is not None:
            background.wait()
        if is_asked:
            self._banner.show_error(sentence)

    @on_own_thread
    def _on_all_done(self, n_done: int, n_failed: int) -> None:
        failed = f", {n_failed} failed" if n_failed else ""
        self._notifier.tell("The queue is done", f"{counted(n_done, 'job')} done{failed}.")
        if self.panel is not None and self.panel.sleep.isChecked():
            self.panel.sleep.setChecked(False)
            sleep.sleep()


def _request(job: Job, kept: Mapping[InputKind, Job]) -> JobRequest:
    """Return the request to export an input so, or as is kept for its kind."""
    from app.engine.queue_jobs import JobRequest  # noqa: PLC0415 - decoders; the engine is there by now
    from app.equivalent_command import option_words  # noqa: PLC0415

    of_kinds = {kind: tuple(option_words(other)) for kind, other in kept.items()}
    return JobRequest(job.input.path, tuple(option_words(job)), job.output, expands=True, kept=of_kinds)


def _made_by(request: JobRequest) -> str:
    """Return what is made of an input, and what instead where it is of another kind."""
    from app.panels.job_words import made_by  # noqa: PLC0415 - seldom needed

    others = {kind: options for kind, options in request.kept.items() if options != request.options}
    instead = [f"of {PLURALS[kind]}: {made_by(options)}" for kind, options in others.items()]
    return "; ".join([made_by(request.options), *instead])
