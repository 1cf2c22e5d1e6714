"""A second window of pictures, for a second screen: it shows what the main window shows, looked at in its own way."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.side_window import share_commands
from app.views.panes import PanesView
from app.views.tools.event_marks import EventMarks


class SecondWindow(QWidget):
    """Holds panes of its own.

    Parameters
    ----------
    main : QWidget
        The window that keys go to which mean nothing here: Space plays and pauses from both.
    number : int
        Which it is, from 2.
    event_marks : EventMarks
        Those of the main window: line and area are one in all windows.

    Signals
    -------
    closed() : it is gone
    """

    closed = Signal()

    def __init__(self, main: QWidget, number: int, event_marks: EventMarks) -> None:
        super().__init__(main, Qt.WindowType.Window)
        self._main, self.number = main, number
        self.setWindowTitle(f"Cleanplate – window {number}")
        self.setAccessibleName(f"Window {number}: pictures")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.panes = PanesView(event_marks=event_marks)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.panes)
        self.setFocusProxy(self.panes)
        share_commands(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F11 fills the screen, Ctrl+W closes; the rest is for the main window."""
        if event.key() == Qt.Key.Key_F11:
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        elif event.matches(QKeySequence.StandardKey.Close):
            self.close()
        else:
            QApplication.sendEvent(self._main, event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Tell that it goes away."""
        super().closeEvent(event)
        self.closed.emit()
