"""Words that change on labels which screen readers know by a name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QLabel


def show_words(label: QLabel, words: str) -> None:
    """Show words on a label that has a name: they are its description, for the name is read instead of them."""
    if label.text() == words:
        return
    label.setText(words)
    is_rich = label.textFormat() is Qt.TextFormat.RichText
    label.setAccessibleDescription((QTextDocumentFragment.fromHtml(words).toPlainText() if is_rich else words).strip())
