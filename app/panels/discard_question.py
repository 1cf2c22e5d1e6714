"""The question before a recording is given up, which nobody can make again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from app.panels.question_box import question_box

RECORDING = "A recording is running."
COMPLETING = "A recording is being completed."
IF_DISCARDED = "If it is discarded, nothing of it is written."
ONLY_ONCE = f"What a camera has shown cannot be exported again. {IF_DISCARDED}"

_Role = QMessageBox.ButtonRole


def discard_question(
    window: QWidget, complete: Callable[[], object] | None, discard: Callable[[], object]
) -> QMessageBox:
    """Return the question, to be opened; Return and Esc choose that all goes on.

    Parameters
    ----------
    window : QWidget
        Over which it stands.
    complete : callable or None
        Ends the recording here and completes its files; None where that is done already.
    discard : callable
    """
    sentence, more = (COMPLETING, IF_DISCARDED) if complete is None else (RECORDING, ONLY_ONCE)
    box = question_box(window, "Discard the recording?", sentence, more)
    if complete is not None:
        box.addButton("Finish it here", _Role.AcceptRole).clicked.connect(complete)
    box.addButton("Discard it", _Role.DestructiveRole).clicked.connect(discard)
    stay = box.addButton("Keep completing" if complete is None else "Keep recording", _Role.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    return box
