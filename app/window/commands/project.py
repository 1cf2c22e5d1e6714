"""Projects: what a person works on, saved to a file, opened again, and kept by itself in case of a crash."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.count_words import counted
from app.engine.project_files import FolderGoneError, ProjectFiles
from app.engine.threads import listen, on_own_thread
from app.window.commands.project_changes import ProjectChanges
from app.window.commands.project_opening import ProjectOpening
from app.window.commands.project_saving import Saving, save_with_learnt
from app.window.commands.save_question import changed_question, folder_question, save_question
from core.io.input_spec import title_of
from core.project.naming import SUFFIX, beside, is_project

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from app.panels.banner import Banner
    from app.window.commands.input import InputCommands
    from app.window.commands.project_state import ProjectState
    from app.window.dialogs import FileDialogs
    from app.window.settings import Remembered
    from core.errors import CleanplateError

KINDS = f"Projects (*{SUFFIX})"


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
    reads(str) : a project is being read, with what it is called; empty: it is not opened after all
    opened() : a project is open; its input has just come
    not_opened() : a project that was asked for is not opened, for it or its input cannot be, or another was asked for
    worked() : something that belongs to a project was changed
    stored(Path or None) : the project that holds exactly what the window shows from now on
    saved(str) : a project of this name was written, because a person asked for it
    settled() : the last saving that a person asked for has ended, well or not
    kept(bool) : a recovery file was written, or (False) could not be
    """

    changed = Signal()
    reads = Signal(str)
    opened = Signal()
    not_opened = Signal()
    worked = Signal()
    stored = Signal(object)
    saved = Signal(str)
    settled = Signal()
    kept = Signal(bool)

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
        self._opening.reads.connect(self.reads)
        self._opening.given_up.connect(self.not_opened)
        self._opening.asked_again.connect(partial(self.open, asks=True))
        self._changes = ProjectChanges(worker, state)
        self._next: Callable[[], object] | None = None
        self.question: QMessageBox | None = None
        self._kept_at: Path | None = None
        self._not_kept = ""  # Why, as it was said: it is tried again every few seconds.
        self._number = 0
        listen(self.files.saved, self._on_saved)
        listen(self.files.failed, self._on_failed)
        listen(self.files.held_back, self._on_held_back)
        listen(worker.painted_changed, self._on_painted)
        listen(worker.restarted, self._on_restarted)
        input_.another_opened.connect(self._on_another)
        input_.changed.connect(self._on_input)

    # Saving

    def save(self) -> None:
        """Write the project; ask for a name where it has none."""
        if self.path is None:
            self.save_as()
        else:
            self.write(self.path, makes_folder=False)

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

    def write(self, path: Path, *, replaces: bool = False, makes_folder: bool = True) -> None:
        """Write the project at a path; the engine adds what was learnt, between two frames.

        What was saved elsewhere over the one that is open is only replaced where ``replaces``: a person is asked.
        """
        if self._input.info_for("save") is None:
            self._end_saving()
        else:
            project = self._state.project()
            self._changes.read_painted(self._worker.strokes)
            # The name of another file was asked for a moment ago, and the dialog has asked whether to replace that.
            replaces = replaces or path != self.path
            saving = Saving(
                self._changes.now, self._number, self._changes.run, replaces=replaces, makes_folder=makes_folder
            )
            save_with_learnt(self._worker, self.files, path, project, self._state.picture(), saving)

    def keep(self, path: Path, *, queues: bool = False) -> bool:
        """Write the work as it is now to a recovery file, and return True; the project's own is left alone.

        False while that goes on for the time before, for models are large and a disk may be slow, unless it ``queues``;
        and while the input of another project is awaited.
        """
        if (self.files.is_busy(path) and not queues) or self._input.awaits_view:
            return False
        self._kept_at = path
        saved_as = "" if self.path is None else str(self.path)
        save_with_learnt(self._worker, self.files, path, self._state.project(saved_as=saved_as), None, None)
        return True

    def drop_kept(self, path: Path) -> None:
        """Remove a recovery file, once all is written that `keep` was asked for before."""
        self._worker.with_session(lambda _: self.files.remove(path), partial(self.files.remove, path))

    @on_own_thread
    def _on_saved(self, path: Path, saving: Saving | None) -> None:
        if saving is None:
            self._say_not_kept("")
            self.kept.emit(True)
            return
        self._remembered.add_recent(str(path))
        if saving.number == self._number:
            self.path = path
            self._changes.note_saved(saving.work, saving.run, saving.n_learnt, saving.lineage)
            self._compare(always=True)
        self.saved.emit(path.name)
        self.settled.emit()
        following, self._next = self._next, None
        if following is not None and saving.number == self._number:
            following()

    @on_own_thread
    def _on_failed(self, path: Path, sentence: str) -> None:
        is_read = self._opening.is_not_read(path)
        if path == self._kept_at and not is_read:  # What a person asked for goes on beside the recovery file.
            self._say_not_kept(sentence)
            self.kept.emit(False)
            return
        if is_read:
            self._banner.show_error(sentence)
        else:
            self._banner.show_not_saved(sentence)
        self._end_saving()

    def _say_not_kept(self, sentence: str) -> None:
        """Show why the work cannot be kept, where that is not said already; empty: it is kept."""
        if sentence == self._not_kept:
            return
        self._banner.withdraw(self._not_kept)
        self._not_kept = sentence
        if sentence:
            self._banner.show_error(sentence)

    @on_own_thread
    def _on_held_back(self, path: Path, saving: Saving, error: CleanplateError) -> None:
        if saving.number != self._number:  # Another project is open by now.
            self._banner.show_error(str(error))
            self._end_saving()
        elif isinstance(error, FolderGoneError):
            self._ask(folder_question(self._window, path, self.save_as, self._end_saving))
        else:
            replace = partial(self._replace, path, saving)
            self._ask(changed_question(self._window, path.name, replace, self.save_as, self._end_saving))

    def _replace(self, path: Path, held_back: Saving) -> None:
        if held_back.number == self._number:
            self.write(path, replaces=True)
        else:
            self._end_saving()

    def _ask(self, question: QMessageBox) -> None:
        self.question = question
        question.finished.connect(partial(self._let_go, question))
        question.open()

    def _let_go(self, question: QMessageBox, _result: int) -> None:
        if self.question is question:
            self.question = None

    def _end_saving(self) -> None:
        """Nothing was saved: what was to follow does not."""
        self._next = None
        self.settled.emit()

    # Opening

    def open(self, path: Path, *, recovered: bool = False, asks: bool = False) -> None:
        """Open a project, and ask first where the one that is open has changes.

        Parameters
        ----------
        path : Path
        recovered, asks : bool
            See `app.window.commands.project_opening.Reading`.
        """
        load = partial(self._opening.load, path, recovered=recovered, asks=asks)
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
        self._ask(save_question(self._window, unsaved, partial(self._save_first, then), then))

    def _save_first(self, then: Callable[[], object]) -> None:
        self._next = then
        self.save()

    # What has changed

    @property
    def is_modified(self) -> bool:
        """Whether what is open differs from what was saved or opened."""
        return self._changes.is_modified

    @property
    def unsaved(self) -> str:
        """A sentence on what would be lost: changes of a project, and what was drawn by hand; else empty.

        Settings of what was never saved are soon found again, and do not count.
        """
        if not self.is_modified:
            return ""
        if self.path is not None:
            return f"{self.path.name} has changes that are not saved."
        if self._changes.are_by_hand:
            return f"What was drawn on {title_of(self._input.request.path)} is not saved."
        return ""

    @property
    def _unsaved_frames(self) -> str:
        """A sentence where more was learnt than the project that is open holds; opening one would give it up."""
        n_more = self._changes.n_more_learnt
        if self.path is None or not n_more:
            return ""
        return f"{self.path.name} has learnt {counted(n_more)} that are not saved."

    @on_own_thread
    def look(self) -> None:
        """Find out whether the project differs from what was saved or opened."""
        self._compare()

    def on_awaits_painted(self, awaits: bool) -> None:
        """Take note whether something was painted that the engine has not taken yet: it is work like any other."""
        self._changes.awaits_painted = awaits
        self._compare()

    @on_own_thread
    def _on_painted(self) -> None:
        self._changes.read_painted(self._worker.strokes)
        self._compare()

    @on_own_thread
    def _on_restarted(self, _run: int, goes_on: bool) -> None:
        self._changes.note_restarted(goes_on=goes_on)
        if self._changes.learns_anew or self.is_modified:  # All else is looked at once it is what it will be.
            self._compare()

    def _on_another(self) -> None:
        """Take what is set once all have heard of the other input for unchanged: what was open is no part of it."""
        self._number += 1
        self._not_kept = ""  # The banner has been cleared.
        self._changes.end()

    def _on_input(self) -> None:
        self._changes.read_painted(self._worker.strokes)
        shown = self._opening.take(self._input.request)
        if shown is not None:
            self.path = shown.path
            if shown.path is not None:
                self.files.take_as_known(shown.path, shown.left)
            self._number += 1
            self.opened.emit()
            self._changes.note_opened(differs=shown.differs)
        elif not self._changes.has_begun:
            self.path = None
            self._changes.begin()
        self._compare(always=True)

    def _compare(self, *, always: bool = False) -> None:
        if not self._changes.has_begun:
            return
        if self._changes.compare() or always:
            self.changed.emit()
            self.stored.emit(None if self.is_modified else self.path)
        self.worked.emit()

    def shut(self) -> None:
        """Write what was asked for before, and end."""
        self.files.shut()
