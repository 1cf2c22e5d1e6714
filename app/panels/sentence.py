"""A sentence to read and to copy: names in it that are longer than a line are broken too."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QClipboard,
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QLabel, QMenu

_GAP = "\N{ZERO WIDTH SPACE}"

_LONG_WORD = re.compile(r"\S{25,}")
"""What may need more than a line of a narrow window; a shorter word stays whole."""

_ROOM_PX = 3
"""Above and below the lines: fonts draw the dots of Ü higher than they say that their letters are."""


class Sentence(QLabel):
    """Shows a sentence in as many lines as it needs; Qt by itself would cut words that are longer than a line."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setContentsMargins(0, _ROOM_PX, 0, _ROOM_PX)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def say(self, sentence: str) -> None:
        """Show another sentence."""
        self.setText(_LONG_WORD.sub(lambda word: _GAP.join(word[0]), sentence))
        self.setAccessibleName(sentence)

    def copy(self) -> None:
        """Copy what is marked, as it was said."""
        QGuiApplication.clipboard().setText(self._marked)

    @property
    def _marked(self) -> str:
        return self.selectedText().replace(_GAP, "")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the lines as labels do that nobody can mark, unless a part is marked: Qt cuts off dots of Ü there."""
        if self.hasSelectedText():
            super().paintEvent(event)
            return
        flags = self.alignment() | Qt.TextFlag.TextWordWrap
        self.style().drawItemText(
            QPainter(self), self.contentsRect(), flags, self.palette(), self.isEnabled(), self.text(),
            self.foregroundRole(),
        )  # fmt: skip

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to mark anew: what is marked is copied, and not dragged elsewhere as Qt would, gaps and all."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.setSelection(0, 0)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let what is marked be pasted as it was said where desktops have the middle button for that."""
        super().mouseReleaseEvent(event)
        clipboard = QGuiApplication.clipboard()
        if self.hasSelectedText() and clipboard.supportsSelection():
            clipboard.setText(self._marked, QClipboard.Mode.Selection)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy what is marked by the usual keys."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            event.accept()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to copy."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy", self.copy).setEnabled(self.hasSelectedText())
        menu.addAction("Select all", lambda: self.setSelection(0, len(self.text())))
        menu.popup(event.globalPos())
