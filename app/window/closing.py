"""Whether the window may close: an export that goes on is not given up unasked."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMessageBox, QWidget

HEARTBEAT_MS = 200
"""How often Python looks for signals from outside: Qt's loop alone would not let it."""

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Those that ask a program to end, as far as the system has them."""


class Closing(QObject):
    """Asks before the window closes on a running export.

    Parameters
    ----------
    window : QWidget
    is_exporting : callable
    """

    def __init__(self, window: QWidget, is_exporting: Callable[[], bool]) -> None:
        super().__init__(window)
        self._window, self._is_exporting = window, is_exporting
        self._agreed = False
        self.question: QMessageBox | None = None

    def may_close(self) -> bool:
        """Tell whether nothing speaks against closing; otherwise ask, and close once the person agrees."""
        if self._agreed or not self._is_exporting():
            return True
        if self.question is None:
            self.question = self._make_question()
        self.question.open()
        return False

    def close_unasked(self) -> None:
        """Close the window whatever goes on; an export is cancelled cleanly."""
        self._agreed = True
        self._window.close()

    def close_on_signals(self) -> None:
        """Close on Ctrl+C in the terminal, and when the system asks the program to end."""
        for number in SIGNALS:
            signal.signal(number, self._on_signal)
        heartbeat = QTimer(self, interval=HEARTBEAT_MS)
        heartbeat.timeout.connect(lambda: None)
        heartbeat.start()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        QTimer.singleShot(0, self.close_unasked)

    def _make_question(self) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Close Cleanplate?")
        box.setText("An export is still running.")
        box.setInformativeText("If the window closes now, nothing of it is written.")
        close = box.addButton("Cancel the export and close", QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton("Keep exporting", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        close.clicked.connect(self.close_unasked)
        return box
