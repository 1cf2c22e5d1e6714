"""How large people made the parts of the window: remembered, and the same again at the next start."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtWidgets import QSplitter

    from app.window.settings import Remembered


class PartSizes(QObject):
    """Keeps what is remembered true to the handles between parts.

    Parameters
    ----------
    remembered : Remembered
    parent : QObject

    Signals
    -------
    changed() : a handle was moved
    """

    changed = Signal()

    def __init__(self, remembered: Remembered, parent: QObject) -> None:
        super().__init__(parent)
        self._remembered = remembered

    def watch(self, name: str, splitter: QSplitter) -> None:
        """Make the parts as large as they were, and take note of each change."""
        sizes = self._remembered.parts.get(name, [])
        if len(sizes) == splitter.count():
            splitter.setSizes(sizes)
        splitter.splitterMoved.connect(partial(self._on_moved, name, splitter))

    def _on_moved(self, name: str, splitter: QSplitter, _at: int, _handle: int) -> None:
        sizes = splitter.sizes()
        if all(sizes):  # A part that is hidden has no size: the others would be remembered without room for it.
            self._remembered.parts = {**self._remembered.parts, name: sizes}
            self.changed.emit()
