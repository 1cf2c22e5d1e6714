"""The box that a question to a person stands in; whoever asks adds the answers."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget


def question_box(window: QWidget | None, title: str, sentence: str, more: str) -> QMessageBox:
    """Return a box over a window that asks, with ``more`` below it in smaller letters; to be opened.

    It is deleted once it is answered.
    """
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(title)
    box.setText(sentence)
    box.setInformativeText(more)
    box.finished.connect(box.deleteLater)
    return box
