"""How often the input is read, as a number that a person sets and a run follows."""

from __future__ import annotations

import time

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QSpinBox

from app.focus import leave_space
from app.theme import pad_text
from core.session.plan import MOST_PASSES

WAIT_S = 1.5
"""How long frames may still be of the number before; then the run keeps its own, which is shown."""


class PassesBox(QSpinBox):
    """The number of passes that is in force, or was just chosen."""

    def __init__(self) -> None:
        super().__init__()
        self.setRange(1, MOST_PASSES)
        self.setKeyboardTracking(False)
        leave_space(self)
        pad_text(self)
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("000") + 34)
        self.setAccessibleName("Number of passes")
        self._chosen_at: float | None = None
        self.valueChanged.connect(self._on_chosen)

    def choose(self, n_passes: int) -> None:
        """Show what was chosen elsewhere, without telling."""
        self._show(n_passes)
        self._on_chosen()

    def follow(self, n_passes: int) -> None:
        """Show what is in force by a frame, unless the frame is older than the choice, or another number is typed."""
        if n_passes == self.value() or (self._chosen_at is not None and time.monotonic() - self._chosen_at > WAIT_S):
            self._chosen_at = None
        is_typed = self.hasFocus() and self.cleanText() != str(self.value())
        if self._chosen_at is None and not is_typed:
            self._show(n_passes)

    def _on_chosen(self) -> None:
        self._chosen_at = time.monotonic()

    def _show(self, n_passes: int) -> None:
        if self.value() != n_passes:
            with QSignalBlocker(self):
                self.setValue(n_passes)
