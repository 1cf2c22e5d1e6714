"""Asking the window from another thread."""

from __future__ import annotations

import queue
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal

Answer = TypeVar("Answer")

PATIENCE_S = 900.0
"""Other programs may want the machine, too."""


class Questions(QObject):
    """Does on the window's thread what another thread asks for, and hands back the answer."""

    _asked = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._asked.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def ask(self, question: Callable[[], Answer]) -> Answer:
        """Return what ``question()`` gives on the window's thread."""
        answers: queue.SimpleQueue[tuple[Answer | None, Exception | None]] = queue.SimpleQueue()
        self._asked.emit((question, answers))
        answer, error = answers.get(timeout=PATIENCE_S)
        if error is not None:
            raise error
        return answer  # type: ignore[return-value]

    def _answer(self, asked: tuple[Callable[[], Answer], queue.SimpleQueue]) -> None:
        question, answers = asked
        try:
            answers.put((question(), None))
        except Exception as error:
            answers.put((None, error))
