"""The questions before the window closes on something that goes on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from app.panels.discard_question import COMPLETING, IF_DISCARDED, ONLY_ONCE, RECORDING
from app.panels.question_box import question_box

_Role = QMessageBox.ButtonRole


def export_question(window: QWidget, wait: Callable[[], object], cancel: Callable[[], object]) -> QMessageBox:
    """Return the question on an export that could be made again: ``wait`` closes when it is done, ``cancel`` now."""
    box = _question(window, "An export is still running.", "If the window closes now, nothing of it is written.")
    box.addButton("Close when it is done", _Role.AcceptRole).clicked.connect(wait)
    box.addButton("Cancel the export and close", _Role.DestructiveRole).clicked.connect(cancel)
    _set_stay(box, "Keep exporting")
    return box


def recording_question(window: QWidget, complete: Callable[[], object], discard: Callable[[], object]) -> QMessageBox:
    """Return the question on a recording: ``complete`` ends it, completes its files and closes."""
    box = _question(window, RECORDING, ONLY_ONCE)
    return _with_ends(box, ("Finish it and close", complete), "Keep recording", discard)


def completing_question(window: QWidget, wait: Callable[[], object], discard: Callable[[], object]) -> QMessageBox:
    """Return the question on a recording that was ended already: ``wait`` closes once its files are complete."""
    box = _question(window, COMPLETING, IF_DISCARDED)
    return _with_ends(box, ("Close when it is complete", wait), "Keep the window open", discard)


def queue_question(window: QWidget, go_on: Callable[[], object], stop: Callable[[], object]) -> QMessageBox:
    """Return the question on jobs that run or wait to: ``go_on`` and ``stop`` both close."""
    then = (
        "Its jobs can keep running without a window; the next one shows them. If they are stopped, they wait for "
        "the next start, and what runs now begins anew then."
    )
    box = _question(window, "The queue is still at work.", then)
    box.addButton("Stop and close", _Role.DestructiveRole).clicked.connect(stop)
    _set_stay(box, "Do not close")
    goes_on = box.addButton("Keep running", _Role.AcceptRole)
    goes_on.setToolTip("Close the window; the jobs go on in the background.")
    goes_on.clicked.connect(go_on)
    return box


def _question(window: QWidget, text: str, then: str) -> QMessageBox:
    return question_box(window, "Close Cleanplate?", text, then)


def _set_stay(box: QMessageBox, words: str) -> None:
    """Add what Return and Esc choose: to stay."""
    stay = box.addButton(words, _Role.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)


def _with_ends(
    box: QMessageBox, complete: tuple[str, Callable[[], object]], stays: str, discard: Callable[[], object]
) -> QMessageBox:
    """Add the three ends of a recording; Return completes it, which loses nothing."""
    words, on_complete = complete
    completes = box.addButton(words, _Role.AcceptRole)
    completes.clicked.connect(on_complete)
    box.addButton("Discard it and close", _Role.DestructiveRole).clicked.connect(discard)
    _set_stay(box, stays)
    box.setDefaultButton(completes)
    return box
