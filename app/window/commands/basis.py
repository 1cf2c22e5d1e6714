"""What is done with single basis images: made anew, or left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.engine.worker import Worker
    from core.session.session import Session


class BasisCommands(QObject):
    """Asks the engine for it.

    Parameters
    ----------
    worker : Worker
    parent : QObject

    Signals
    -------
    rank_changed(dict) : the engine has dropped a basis image; the values in force since
    """

    rank_changed = Signal(object)

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = worker

    def reset(self, k: int) -> None:
        """Make a basis image anew."""
        self._worker.with_session(lambda session: session.drop_basis(k, replace=True))
        self._worker.show_basis()

    def drop(self, k: int) -> None:
        """Go on without a basis image."""

        def drop(session: Session) -> None:
            session.drop_basis(k)
            # Not by way of the slot: the window may empty it before it hears of this, and while it rests nothing more
            # comes.
            self.rank_changed.emit(session.control.values)

        self._worker.with_session(drop)
        self._worker.show_basis()
