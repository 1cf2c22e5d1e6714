"""The question by whose settings inputs are exported that are added to the queue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

from app.count_words import counted
from app.panels.question_box import question_box
from core.io.input_spec import is_file

_Role = QMessageBox.ButtonRole


def settings_question(
    window: QWidget,
    n_inputs: int,
    of_window: str,
    as_window: Callable[[], object],
    by_defaults: Callable[[], object],
    *,
    alike: bool,
) -> QMessageBox:
    """Return the question, to be opened; nothing is added where it is left.

    Parameters
    ----------
    window : QWidget
        Over which it stands.
    n_inputs : int
    of_window : str
        What the settings of the window make, in a line.
    as_window, by_defaults : callable
        Add the inputs with those settings, or with the defaults.
    alike : bool
        They are of the kind of what is open: Return takes its settings, and the defaults else.
    """
    sentence = f"Which settings for {counted(n_inputs, 'input')}?"
    differ = "" if alike else "\n\nNot all are of the kind of what is open."
    box = question_box(window, "Add to the queue", sentence, f"Those of this window make: {of_window}{differ}")
    own = box.addButton("As in this window", _Role.AcceptRole)
    usual = box.addButton("Defaults", _Role.AcceptRole)
    own.clicked.connect(as_window)
    usual.clicked.connect(by_defaults)
    box.setEscapeButton(box.addButton("Cancel", _Role.RejectRole))
    box.setDefaultButton(own if alike else usual)
    return box


def are_alike(paths: Sequence[str], opened: str) -> bool:
    """Return whether all are of the kind of what is open, as far as their names tell."""
    return {_called(path) for path in paths} == {_called(opened)}


def _called(path: str) -> str:
    """Return the kind that a file is called as; nothing of a folder, and what is no file is like nothing else."""
    from core.io.sources import OPENABLE  # noqa: PLC0415 - decoders; the engine is there by now

    if not is_file(path):
        return path
    suffix = Path(path).suffix.lower()
    return next((kind.title for kind in OPENABLE.values() if suffix in kind.suffixes), "")
