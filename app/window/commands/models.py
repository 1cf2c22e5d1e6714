"""Models: what was learnt, written to a file and applied to other input."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.errors import CleanplateError

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from app.window.commands.input import InputCommands
    from app.window.commands.method import MethodCommands
    from app.window.dialogs import FileDialogs
    from core.session.session import Session

KINDS = "Models (*.npz)"


class ModelCommands(QObject):
    """Writes models and applies them.

    Parameters
    ----------
    dialogs : FileDialogs
    worker : Worker
    input_ : InputCommands
        What is learnt from.
    method : MethodCommands
        Applies a model.
    parent : QObject

    Signals
    -------
    saved(str), failed(str) : from the worker's thread: a file was written, or one sentence why not
    """

    saved = Signal(str)
    failed = Signal(str)

    def __init__(
        self,
        dialogs: FileDialogs,
        worker: Worker,
        input_: InputCommands,
        method: MethodCommands,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._dialogs, self._worker, self._input, self._method = dialogs, worker, input_, method

    def save(self) -> None:
        """Ask for a name and write what was learnt so far."""
        if self._input.info_for("save") is None:
            return
        path = self._dialogs.save("Save the model", "model.npz", KINDS)
        if path is not None:
            self.write(path)

    def write(self, path: Path) -> None:
        """Write what was learnt so far, between two frames."""

        def write(session: Session) -> None:
            try:
                session.model().save(path)
            except CleanplateError as error:
                self.failed.emit(str(error))
            else:
                self.saved.emit(path.name)

        self._worker.with_session(write)

    def apply(self) -> None:
        """Ask for a model and apply it to what is open."""
        path = self._dialogs.open("Apply a model", KINDS)
        if path is not None:
            self._method.apply_model(path)
