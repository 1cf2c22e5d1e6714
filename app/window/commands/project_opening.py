"""From a file to a project that is open: it is read, its input found, and both are handed to the engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.engine.threads import listen, on_own_thread
from app.panels.banner import Offer
from app.window.commands.project_input import with_input
from core.errors import CleanplateError
from core.io.input_spec import STREAMS

if TYPE_CHECKING:
    from app.engine.project_files import ProjectFiles
    from app.engine.worker import Worker
    from app.panels.banner import Banner
    from app.window.commands.input import InputCommands
    from app.window.commands.project_state import ProjectState
    from app.window.dialogs import FileDialogs
    from core.io.input_spec import InputSpec
    from core.project.document import Document, ProjectInput
    from core.project.store import Project

KEPT = "Your work is kept, and is offered at the next start."
"""What is added to why recovered work is not open."""


@dataclass(frozen=True)
class Reading:
    """A project that is being read.

    Attributes
    ----------
    path : Path
    recovered : bool
        It is what a run that ended without warning has left.
    asks : bool
        A person wants to say where its input is, be it there or not.
    """

    path: Path
    recovered: bool
    asks: bool


@dataclass(frozen=True)
class AwaitedProject:
    """A project that was handed to the engine, and is open once its input is.

    Attributes
    ----------
    path : Path or None
        Where it is saved.
    input : InputSpec
        As it was asked for: another of the same values may be asked for by itself.
    part : ProjectInput
        What the project says of it.
    differs : bool
        It is not what is saved there: it was recovered, or its input was found elsewhere.
    before : Document
    model : Path or None
        What the window showed before, and the model that was applied: what is open if the input does not come.
    left : Path or None
        The recovery file that was read in its place.
    """

    path: Path | None
    input: InputSpec
    part: ProjectInput
    differs: bool
    before: Document
    model: Path | None
    left: Path | None


class ProjectOpening(QObject):
    """Opens the project that was asked for last.

    Parameters
    ----------
    files : ProjectFiles
    dialogs : FileDialogs
    worker : Worker
    input_ : InputCommands
    state : ProjectState
    banner : Banner
    parent : QObject

    Signals
    -------
    reads(str) : what is being read, in a word or two; empty: it is not opened after all
    given_up() : what was asked for is not opened: it or its input cannot be, or another was asked for
    asked_again(Path) : a person wants to say after all where the input of this project is
    """

    reads = Signal(str)
    given_up = Signal()
    asked_again = Signal(object)

    def __init__(
        self, files: ProjectFiles, dialogs: FileDialogs, worker: Worker, input_: InputCommands, state: ProjectState,
        banner: Banner, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._files, self._dialogs, self._input, self._state, self._banner = files, dialogs, input_, state, banner
        self._reading: Reading | None = None
        self._awaited: AwaitedProject | None = None
        self._failing: AwaitedProject | None = None
        listen(files.loaded, self._on_loaded)
        listen(worker.not_opened, self._on_not_opened)
        listen(worker.failed, self._on_failed)
        input_.asks.connect(self._show_what_is_open)

    def load(self, path: Path, *, recovered: bool, asks: bool = False) -> None:
        """Open a project, as `Reading` says."""
        self._banner.clear()
        if self._reading is not None:
            self.given_up.emit()
        self._reading = Reading(path, recovered, asks)
        self.reads.emit("recovered work" if recovered else path.name)
        self._files.load(path)

    def is_not_read(self, path: Path) -> bool:
        """Take note that the project at a path, or what was to be written there, failed; tell whether it was read."""
        is_it = self._reading is not None and self._reading.path == path
        if is_it:
            self._reading = None
            self.reads.emit("")
            self.given_up.emit()
        return is_it

    def take(self, request: InputSpec) -> AwaitedProject | None:
        """Return the project that is open now that its input has come.

        It is given up where another input has come that was asked for later; one that was asked for before it may come
        late.
        """
        awaited = self._awaited
        if awaited is not None and awaited.input is request:
            self._awaited = None
            self._tell_of_another(awaited)
            return awaited
        if request is self._input.asked:
            self._give_up_awaited()
        return None

    def _tell_of_another(self, awaited: AwaitedProject) -> None:
        from core.project.another_input import another_input  # noqa: PLC0415 - the engine is there by now

        said = "" if self._input.info is None else another_input(awaited.part, self._input.info)
        if said:
            self._banner.show_warning(said, self._choosing_again(awaited))

    def _choosing_again(self, awaited: AwaitedProject) -> Offer | None:
        """Return the offer to say where a project's input is; None for what was recovered, which is offered anew."""
        if awaited.path is None or awaited.left is not None:
            return None
        tip = "Say where the project's input is."
        return Offer("Choose again…", tip, partial(self.asked_again.emit, awaited.path))

    @on_own_thread
    def _on_loaded(self, path: Path, project: Project, missing: CleanplateError | None) -> None:
        if self._reading is None or self._reading.path != path:
            return  # Another one was asked for since.
        reading, self._reading = self._reading, None
        saved_as = project.document.saved_as
        place = path if not reading.recovered else Path(saved_as) if saved_as else None
        called = "that was not saved" if place is None else place.name
        try:
            project, is_moved = with_input(path, project, missing, self._dialogs, called=called, asks=reading.asks)
        except CleanplateError as error:  # A person left the question: nothing has failed.
            self.reads.emit("")
            self.given_up.emit()
            word = "Connect…" if project.document.input.path.startswith(STREAMS) else "Find it…"
            find = Offer(word, "Say where the project's input is.", partial(self.asked_again.emit, path))
            if reading.recovered:
                self._banner.show_warning(f"{error} {KEPT}")  # It was let go.
            else:
                self._banner.show_warning(str(error), find)
            return
        # The panels show another project where that one is still awaited, and not what is open.
        before = (
            (self._awaited.before, self._awaited.model) if self._awaited else (self._state.work(), self._state.model)
        )
        self._give_up_awaited()
        self._awaited = AwaitedProject(
            place, self._state.show(project), project.document.input, reading.recovered or is_moved, *before,
            path if reading.recovered else None,
        )  # fmt: skip

    @on_own_thread
    def _on_not_opened(self, request: InputSpec) -> None:
        """Show again what is open still: the next saving would write into it what the other project has set."""
        if request is self._input.asked:  # Else another is still being opened.
            self._failing = self._awaited
            self._show_what_is_open()

    @on_own_thread
    def _on_failed(self, sentence: str) -> None:
        """Let a person choose another input where that has failed: the engine says why once it has told that."""
        failing, self._failing = self._failing, None
        if failing is None:
            return
        if failing.left is not None:
            # No error: those go once another input is open, as it is in a moment.
            self._banner.withdraw(sentence)
            self._banner.show_warning(f"{sentence} {KEPT}")
        else:
            self._banner.show_error(sentence, self._choosing_again(failing))

    def _show_what_is_open(self) -> None:
        if self._awaited is not None:
            self._state.show_work(self._awaited.before, self._awaited.model)
            self._give_up_awaited()

    def _give_up_awaited(self) -> None:
        awaited, self._awaited = self._awaited, None
        if awaited is not None:
            self.given_up.emit()
