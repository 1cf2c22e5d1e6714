"""The question whether work is to be saved as a project before it goes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget


def save_question(
    window: QWidget | None, sentence: str, save: Callable[[], object], discard: Callable[[], object]
) -> QMessageBox:
    """Return the question, to be opened; one of the two is called, or nothing where all is to stay.

    Parameters
    ----------
    window : QWidget
        Over which it stands.
    sentence : str
        What is not saved.
    save, discard : callable
    """
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Save the project?")
    box.setText(sentence)
    buttons = [
        box.addButton(text, role)
        for text, role in (
            ("Save", QMessageBox.ButtonRole.AcceptRole),
            ("Discard", QMessageBox.ButtonRole.DestructiveRole),
            ("Stay", QMessageBox.ButtonRole.RejectRole),
        )
    ]
    box.setDefaultButton(buttons[0])
    box.setEscapeButton(buttons[2])
    buttons[0].clicked.connect(save)
    buttons[1].clicked.connect(discard)
    return box
