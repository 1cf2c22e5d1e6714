"""Projects: what a person works on, saved to a file, opened again, and kept by itself in case of a crash."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.engine.project_files import ProjectFiles
from app.engine.threads import listen, on_own_thread
from app.panels.status import counted
from app.window.commands.project_opening import ProjectOpening
from app.window.commands.save_question import save_question
from core.io.input_spec import title_of
from core.project.naming import SUFFIX, beside, is_project

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from app.engine.worker import Worker
    from app.panels.banner import Banner
    from app.window.commands.input import InputCommands
    from app.window.commands.project_state import ProjectState
    from app.window.dialogs import FileDialogs
    from app.window.settings import Remembered
    from core.project.document import Document
    from core.project.store import Project
    from core.project.strokes_file import Strokes
    from core.session.session import Session

KINDS = f"Projects (*{SUFFIX})"

UNKNOWN = -1
"""No checksum is like this."""

SHOWN_AT_FIRST = 1
"""Frames that a project in which nothing was learnt yet learns without being asked to: there is a picture then."""

Work = tuple["Document", int]
"""What a person has set, and a checksum of what was painted."""


@dataclass(frozen=True)
class Saving:
    """What a person asked to be saved.

    Attributes
    ----------
    work : Work
    number : int
        Of the work that was open then: another may be open when it is saved.
    """

    work: Work
    number: int


class ProjectCommands(QObject):
    """Saves and opens projects, and knows whether there is anything to save.

    Parameters
    ----------
    dialogs : FileDialogs
    worker : Worker
    input_ : InputCommands
    state : ProjectState
    remembered : Remembered
        Takes note of the projects.
    banner : Banner
    window : QWidget
        Over which questions stand.

    Attributes
    ----------
    path : Path or None
        Of the project that is open; None where what is open was never saved.
    files : ProjectFiles

    Signals
    -------
    changed() : another project is open, or whether it is modified has changed
    opened() : a project is open; its input has just come
    not_opened() : a project that was asked for is not opened, for it or its input cannot be, or another was asked for
    worked() : something that belongs to a project was changed
    stored(Path or None) : the project that holds exactly what the window shows from now on
    saved(str) : a project of this name was written, because a person asked for it
    settled() : the last saving that a person asked for has ended, well or not
    """

    changed = Signal()
    opened = Signal()
    not_opened = Signal()
    worked = Signal()
    stored = Signal(object)
    saved = Signal(str)
    settled = Signal()

    def __init__(
        self,
        dialogs: FileDialogs,
        worker: Worker,
        input_: InputCommands,
        state: ProjectState,
        remembered: Remembered,
        banner: Banner,
        window: QWidget | None = None,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._dialogs, self._worker, self._input, self._state = dialogs, worker, input_, state
        self._remembered, self._banner = remembered, banner
        self.path: Path | None = None
        self.files = ProjectFiles()
        self._opening = ProjectOpening(self.files, dialogs, worker, input_, state, banner, self)
        self._opening.given_up.connect(self.not_opened)
        self.is_modified = False
        self._painted_sum = 0
        self._baseline: Work | None = None
        self._next: Callable[[], object] | None = None
        self.question: QMessageBox | None = None
        self._kept_at: Path | None = None
        self._number = 0
        self._n_kept: int | None = None
        self._n_noted: int | None = None
        listen(self.files.saved, self._on_saved)
        listen(self.files.failed, self._on_failed)
        listen(worker.painted_changed, self._on_painted)
        input_.another_opened.connect(self._on_another)
        input_.changed.connect(self._on_input)

    # Saving

    def save(self) -> None:
        """Write the project; ask for a name where it has none."""
        if self.path is None:
            self.save_as()
        else:
            self.write(self.path)

    def save_as(self) -> None:
        """Ask for a name and write the project."""
        if self._input.info_for("save") is None:
            self._end_saving()
            return
        name = self.path or beside(self._input.request.path)
        path = self._dialogs.save("Save the project", str(name), KINDS)
        if path is not None:
            self.write(path if is_project(path) else path.with_name(path.name + SUFFIX))
        else:
            self._end_saving()

    def write(self, path: Path) -> None:
        """Write the project at a path; the engine adds what was learnt, between two frames."""
        if self._input.info_for("save") is None:
            self._end_saving()
        else:
            project = self._state.project()
            self._painted_sum = _checksum(project.painted)
            self._collect(path, project, self._state.picture(), Saving(self._work(), self._number))

    def keep(self, path: Path) -> bool:
        """Write the work as it is now to a recovery file, and return True; the project's own is left alone.

        False while that goes on for the time before, for models are large and a disk may be slow, and while the input
        of another project is awaited.
        """
        if self.files.is_busy(path) or self._input.awaits_view:
            return False
        self._kept_at = path
        saved_as = "" if self.path is None else str(self.path)
        self._collect(path, self._state.project(saved_as=saved_as), None, None)
        return True

    def _collect(self, path: Path, project: Project, picture: QImage | None, token: Saving | None) -> None:
        import msgspec  # noqa: PLC0415 - light, but not before the window is painted

        from core.project.document import Progress  # noqa: PLC0415 - the engine is there by now

        worker, files = self._worker, self.files

        def add(session: Session) -> None:
            if token is not None:
                self._n_noted = _counted_by(session, worker.n_learnt)
            # A project that was opened has learnt, also where nothing has come since.
            has_learnt = session.learning and (worker.n_learnt or not session.begins_anew)
            learnt, standing = session.model() if has_learnt else None, worker.standing
            document = msgspec.structs.replace(project.document, position=worker.index, shown=worker.looked_at)
            if standing is not None:
                progress = Progress(pass_index=standing.pass_index, is_finished=standing.is_over)
                document = msgspec.structs.replace(document, position=standing.index, progress=progress)
            kept = None if standing is None else standing.kept
            files.save(replace(project, document=document, learnt=learnt, frame=kept), path, picture, token)

        worker.with_session(add)

    @on_own_thread
    def _on_saved(self, path: Path, saving: Saving | None) -> None:
        if saving is None:
            return  # A recovery file.
        self._remembered.add_recent(str(path))
        if saving.number == self._number:
            self.path, self._baseline, self._n_kept = path, saving.work, self._n_noted
            self._compare(always=True)
        self.saved.emit(path.name)
        self.settled.emit()
        following, self._next = self._next, None
        if following is not None and saving.number == self._number:
            following()

    @on_own_thread
    def _on_failed(self, path: Path, sentence: str) -> None:
        self._banner.show_error(sentence)
        if not self._opening.is_not_read(path) and path == self._kept_at:
            return  # A recovery file: what a person asked for goes on.
        self._end_saving()

    def _end_saving(self) -> None:
        """Nothing was saved: what was to follow does not."""
        self._next = None
        self.settled.emit()

    # Opening

    def open(self, path: Path, *, recovered: bool = False) -> None:
        """Open a project, and ask first where the one that is open has changes.

        ``recovered``: it is what a run that ended without warning has left.
        """
        load = partial(self._opening.load, path, recovered=recovered)
        if recovered:
            load()
        else:
            self.leave(load, self.unsaved or self._unsaved_frames)

    def leave(self, then: Callable[[], object], unsaved: str | None = None) -> None:
        """Do what ends the work on what is open, and ask first where it is not saved; ``unsaved`` says what is not."""
        self._next = None  # What was to follow an earlier saving.
        unsaved = self.unsaved if unsaved is None else unsaved
        if not unsaved:
            then()
            return
        self.question = save_question(self._window, unsaved, partial(self._save_first, then), then)
        self.question.open()

    def _save_first(self, then: Callable[[], object]) -> None:
        self._next = then
        self.save()

    # What has changed

    @property
    def is_worked_on(self) -> bool:
        """Whether there is work that would be lost: a project is open, or something was set or painted."""
        return self.path is not None or self.is_modified

    @property
    def unsaved(self) -> str:
        """A sentence on what would be lost: changes of a project, and what was drawn by hand; else empty.

        Settings of what was never saved are soon found again, and do not count.
        """
        if not self.is_modified or self._baseline is None:
            return ""
        if self.path is not None:
            return f"{self.path.name} has changes that are not saved."
        document, painted_sum = self._baseline
        if painted_sum == self._painted_sum and document.areas == self._state.work().areas:
            return ""
        return f"What was drawn on {title_of(self._input.request.path)} is not saved."

    @property
    def _unsaved_frames(self) -> str:
        """A sentence where more was learnt than the project that is open holds; opening one would give it up."""
        if self.path is None or self._n_kept is None or self._worker.n_learnt <= self._n_kept:
            return ""
        n_more = self._worker.n_learnt - self._n_kept
        return f"{self.path.name} has learnt {counted(n_more)} that are not saved."

    @on_own_thread
    def look(self) -> None:
        """Find out whether the project differs from what was saved or opened."""
        self._compare()

    @on_own_thread
    def _on_painted(self) -> None:
        self._painted_sum = _checksum(self._worker.painted)
        self._compare()

    def _on_another(self) -> None:
        """Take what is set once all have heard of the other input for unchanged: what was open is no part of it."""
        self._number += 1
        self._baseline = None

    def _on_input(self) -> None:
        self._painted_sum = _checksum(self._worker.painted)
        shown = self._opening.take(self._input.request)
        if shown is not None:
            self.path = shown.path
            self._number += 1
            self.opened.emit()
            self._n_kept = None
            self._worker.with_session(self._note_opened)
            self._baseline = self._state.work(), UNKNOWN if shown.differs else self._painted_sum
        elif self._baseline is None:
            self.path, self._baseline = None, self._work()
        self._compare(always=True)

    def _note_opened(self, session: Session) -> None:
        self._n_kept = _counted_by(session, SHOWN_AT_FIRST if session.begins_anew else 0)

    def _work(self) -> Work:
        return self._state.work(), self._painted_sum

    def _compare(self, *, always: bool = False) -> None:
        if self._baseline is None:
            return
        modified = self._work() != self._baseline
        if modified != self.is_modified or always:
            self.is_modified = modified
            self.changed.emit()
            self.stored.emit(None if modified else self.path)
        self.worked.emit()

    def shut(self) -> None:
        """Write what was asked for before, and end."""
        self.files.shut()


def _counted_by(session: Session, n_learnt: int) -> int | None:
    """Return how many frames were learnt; None where frames are no measure of it: applied only, or iterated over."""
    return n_learnt if session.learning and not session.has_own_passes else None


def _checksum(painted: Strokes) -> int:
    """Return a number that other strokes would hardly have."""
    sum_ = 0
    for name in sorted(painted):
        sum_ = zlib.crc32(painted[name].tobytes(), sum_)
    return sum_
