"""Keeps the work every few seconds, so that a crash or a power cut costs no more than these."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox, QWidget

from app.panels.question_box import question_box
from app.window.recovery import Recovery
from core.errors import CleanplateError

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from app.panels.banner import Banner
    from app.window.commands.project import ProjectCommands

AUTOSAVE_MS = 8000
"""How often: with the time that writing takes, what is lost is no more than the last ten seconds."""


class Autosave(QObject):
    """Writes the work to a recovery file, and offers what an earlier run has left in one.

    Parameters
    ----------
    project : ProjectCommands
    worker : Worker
    root : Path
        Where recovery files are.
    banner : Banner
    window : QWidget
        Over which the question stands.
    """

    def __init__(self, project: ProjectCommands, worker: Worker, root: Path, banner: Banner, window: QWidget) -> None:
        super().__init__(window)
        self._project, self._worker, self._banner, self._window = project, worker, banner, window
        self._recovery = Recovery(root)
        self._kept: tuple[int, int, bool] | None = None
        self._n_worked = 0
        self._holds = self._restores = self._has_kept = False
        self._left: Path | None = None
        self._otherwise: Callable[[], object] = lambda: None
        self.question: QMessageBox | None = None
        project.worked.connect(self._on_worked)
        project.opened.connect(self._on_opened)
        project.not_opened.connect(self._on_not_opened)
        project.kept.connect(self._on_kept)
        project.stored.connect(self._on_stored)
        self._timer = QTimer(self, interval=AUTOSAVE_MS)
        self._timer.timeout.connect(self.keep)

    @property
    def offers(self) -> bool:
        """Whether an earlier run has left something: until it is answered for, nothing else is opened."""
        return self._left is not None

    def look(self) -> None:
        """Look for what an earlier run has left, which `start` will offer."""
        self._left = self._recovery.left_behind()
        self._holds = self.offers

    def start(self, otherwise: Callable[[], object]) -> None:
        """Offer what an earlier run has left, and keep the work from now on; ``otherwise()`` where it is not wanted."""
        if self._left is not None:
            self._otherwise = otherwise
            self.question = self._make_question(self._left)
            self.question.open()
        else:
            self._timer.start()

    def keep(self) -> None:
        """Keep the work, where it is not saved and has gone on since."""
        self._keep(queues=False)

    def keep_last(self) -> bool:
        """Keep the work as it is now, for the program may end; return whether that is to be waited for."""
        return self._keep(queues=True)

    def _keep(self, *, queues: bool) -> bool:
        now = self._n_worked, self._worker.n_learnt, self._worker.is_over
        if self._holds or not self._project.is_modified or now == self._kept:
            return False
        try:
            path = self._recovery.claim()
        except CleanplateError as error:
            self._timer.stop()
            self._banner.show_warning(str(error))
            return False
        is_asked = self._project.keep(path, queues=queues)
        if is_asked:
            self._kept, self._has_kept = now, True
        return is_asked

    def shut(self, *, is_settled: bool) -> None:
        """Keep nothing any more; what was kept is removed where everything ``is_settled``, and stays otherwise.

        What an earlier run has left stays in any case, unless it was restored or discarded.
        """
        self._timer.stop()
        if is_settled and not self._holds:
            self._recovery.remove()
        else:
            self._recovery.leave()

    def _on_kept(self, well: bool) -> None:
        if not well:
            self._kept = None  # The next time it is tried again, whether the work has gone on or not.

    def _on_stored(self, _path: Path | None) -> None:
        """Drop what is kept where it is saved, or was discarded by now: after a crash it is not to be offered."""
        if self._has_kept and not self._project.is_modified:
            self._kept, self._has_kept = None, False
            self._project.drop_kept(self._recovery.claim())

    def _on_worked(self) -> None:
        self._n_worked += 1

    def _restore(self, left: Path) -> None:
        self._restores = True
        self._project.open(left, recovered=True)

    def _on_opened(self) -> None:
        if self._restores:
            self._holds = self._restores = False
            self._has_kept = True

    def _on_not_opened(self) -> None:
        if self._restores:
            self._leave()
            self._otherwise()  # As where it was not wanted: a window in which nothing is open helps nobody.

    def _leave(self) -> None:
        """Let it be offered again; what is done here is kept elsewhere."""
        self._holds = self._restores = False
        self._recovery.leave()

    def _discard(self) -> None:
        self._holds = False
        self._recovery.remove()

    def _make_question(self, left: Path) -> QMessageBox:
        from core.io.input_spec import title_of  # noqa: PLC0415 - as below
        from core.project.store import load_document  # noqa: PLC0415 - the engine is there by now

        try:
            document = load_document(left)
            what = Path(document.saved_as).name if document.saved_as else title_of(document.input.path)
        except CleanplateError:
            what = "an input"
        sentence = f"Cleanplate ended before your work on {what} was saved."
        more = "What was done until a few seconds before is still there."
        box = question_box(self._window, "Restore the work?", sentence, more)
        restore = box.addButton("Restore", QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        later = box.addButton("Ask again next time", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(restore)
        box.setEscapeButton(later)
        restore.clicked.connect(lambda: self._restore(left))
        discard.clicked.connect(self._discard)
        later.clicked.connect(self._leave)
        for declines in (discard, later):
            # The last: what is kept of this run is its own.
            declines.clicked.connect(lambda _checked: self._otherwise())
        box.finished.connect(lambda _result: self._timer.start())  # Qt would take the result for its interval.
        return box
