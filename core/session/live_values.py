"""Parameters that change while a session runs: taken from the mailbox, and handed to whom they concern."""

from __future__ import annotations

from core import catalogue
from core.methods.base import Method, MethodRow
from core.scene.masks.foreground import Foreground
from core.scene.stabiliser import STEADY
from core.session.alignment import Aligner
from core.session.cleaning_state import CleaningState
from core.session.control import Control

MASK_NAMES = frozenset(p.name for p in catalogue.MASK_PARAMETERS)
CLEANING_NAMES = frozenset(p.name for p in catalogue.CLEANING_PARAMETERS)


class LiveValues:
    """Hands changes on.

    Parameters
    ----------
    control : Control
        The mailbox.
    row : MethodRow
        Of the method that runs.
    method, foreground, aligner, cleaning
        What is told of its own parameters.
    """

    def __init__(
        self, control: Control, row: MethodRow, method: Method, foreground: Foreground, aligner: Aligner,
        cleaning: CleaningState,
    ) -> None:  # fmt: skip
        self._control, self._method, self._foreground = control, method, foreground
        self._aligner, self._cleaning = aligner, cleaning
        shown = catalogue.FINISH_PARAMETERS if row.makes_masks else catalogue.MASK_PARAMETERS
        self._shown = CLEANING_NAMES | {p.name for p in shown}

    def take(self) -> bool:
        """Set the parameters that were asked for; return whether the last frame is to be looked at again."""
        changes = self._control.take_changes()
        for name, value in changes.items():
            if name == STEADY.name:
                self._aligner.set_largest(float(value or 0))
            elif name in CLEANING_NAMES:
                self._cleaning.set(name, value)
            else:
                (self._foreground if name in MASK_NAMES else self._method).set(name, value)
        return not self._shown.isdisjoint(changes)
