"""A command to be copied: as high as its text, and broken at spaces alone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPlainTextEdit

MOST_LINES = 8
"""Lines that are shown at once; a longer command is scrolled."""

FIRST_PX = 58
"""Height before it is seen, pixels: that of three lines."""


class CommandBox(QPlainTextEdit):
    """Shows a command. Qt would break it behind each dash of an option."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self._command = ""
        self.setFixedHeight(FIRST_PX)

    def show_command(self, command: str) -> None:
        """Show another command."""
        self._command = command
        self._lay_out()

    def toPlainText(self) -> str:
        """Return the command, in one line."""
        return self._command

    def _lay_out(self) -> None:
        if not self.isVisible():
            return  # How wide it will be is not known.
        room = self.viewport().width() - 2 * self.document().documentMargin() - 1
        text = "\n".join(lines_of(self._command, room, self.fontMetrics().horizontalAdvance))
        if text != super().toPlainText():
            self.setPlainText(text)
        n_lines = max(round(self.document().size().height()), 1)
        margins = self.contentsMargins()
        around = 2 * self.document().documentMargin() + margins.top() + margins.bottom()
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if n_lines > MOST_LINES else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.setFixedHeight(round(min(n_lines, MOST_LINES) * self.fontMetrics().lineSpacing() + around) + 1)

    def showEvent(self, event: QShowEvent) -> None:
        """Break it for the width that it has now."""
        super().showEvent(event)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break it anew where it is another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy what is marked in one line."""
        data = QMimeData()
        data.setText(self.textCursor().selectedText().replace("\u2029", " "))
        return data


def lines_of(text: str, room: float, width_of: Callable[[str], float]) -> list[str]:
    """Return a text in lines that fit into ``room``, broken at spaces; a word that is longer has a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
