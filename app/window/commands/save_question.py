"""The questions before work goes: whether to save it as a project, and what becomes of the one that is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from PySide6.QtWidgets import QMessageBox, QWidget

from app.panels.question_box import question_box

_Role = QMessageBox.ButtonRole

_Choice: TypeAlias = tuple[str, QMessageBox.ButtonRole, Callable[[], object] | None]
"""What is on a button, its role, and what it does."""


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
    choices = (
        ("Save", _Role.AcceptRole, save),
        ("Discard", _Role.DestructiveRole, discard),
        ("Stay", _Role.RejectRole, None),
    )
    return _question(window, "Save the project?", sentence, "", choices)


def changed_question(
    window: QWidget | None,
    name: str,
    replace: Callable[[], object],
    save_as: Callable[[], object],
    cancel: Callable[[], object],
) -> QMessageBox:
    """Return the question, to be opened, where the project of this name was saved elsewhere since it was opened."""
    choices = (
        ("Save as…", _Role.AcceptRole, save_as), ("Replace", _Role.DestructiveRole, replace),
        ("Cancel", _Role.RejectRole, cancel),
    )  # fmt: skip
    sentence = f"{name} was changed elsewhere since it was opened here."
    return _question(window, "Replace the project?", sentence, "If it is replaced, those changes are lost.", choices)


def folder_question(
    window: QWidget | None, path: Path, save_as: Callable[[], object], cancel: Callable[[], object]
) -> QMessageBox:
    """Return the question, to be opened, where the folder of a project that is open is gone."""
    choices = (("Save as…", _Role.AcceptRole, save_as), ("Cancel", _Role.RejectRole, cancel))
    sentence = f"The folder of {path.name} is gone."
    more = f"{path.parent} was moved, renamed or removed. Save the project in another place."
    return _question(window, "Save the project elsewhere?", sentence, more, choices)


def _question(window: QWidget | None, title: str, sentence: str, more: str, choices: Sequence[_Choice]) -> QMessageBox:
    """Return a box with a button for each choice: Return is the first one's, Esc the last one's."""
    box = question_box(window, title, sentence, more)
    buttons = [box.addButton(text, role) for text, role, _ in choices]
    box.setDefaultButton(buttons[0])
    box.setEscapeButton(buttons[-1])
    for button, (_, _, act) in zip(buttons, choices, strict=True):
        if act is not None:
            button.clicked.connect(act)
    return box
