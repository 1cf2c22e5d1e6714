"""A word on the desktop, for who has turned to other things meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QSystemTrayIcon

from app import theme

SHOWN_MS = 10_000
"""How long it is shown; the icon of the tray goes with it."""


class Notifier(QObject):
    """Tells by the tray of the desktop, where there is one."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._tray: QSystemTrayIcon | None = None
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self._hide)

    def tell(self, title: str, sentence: str) -> None:
        """Show a sentence."""
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(theme.icon("check"), self)
        self._tray.show()
        self._tray.showMessage(title, sentence, QSystemTrayIcon.MessageIcon.Information, SHOWN_MS)
        self._timer.start()

    def _hide(self) -> None:
        if self._tray is not None:
            self._tray.hide()
