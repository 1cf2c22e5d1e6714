"""Parameters that change while a session runs: taken from the mailbox, and handed to whom they concern."""

from __future__ import annotations

from core import catalogue
from core.methods.base import MethodRow
from core.scene.stabiliser import STEADY
from core.session.control import Control
from core.session.scene_parts import SceneParts

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
    parts : SceneParts
        Those that have parameters are told of their own.
    """

    def __init__(self, control: Control, row: MethodRow, parts: SceneParts) -> None:
        self._control, self._parts = control, parts
        shown = catalogue.FINISH_PARAMETERS if row.makes_masks else catalogue.MASK_PARAMETERS
        self._shown = CLEANING_NAMES | {p.name for p in shown}

    def take(self) -> bool:
        """Set the parameters that were asked for; return whether the last frame is to be looked at again."""
        changes = self._control.take_changes()
        for name, value in changes.items():
            if name == STEADY.name:
                self._parts.aligner.set_largest(float(value or 0))
            elif name in CLEANING_NAMES:
                self._parts.cleaning.set(name, value)
            else:
                (self._parts.foreground if name in MASK_NAMES else self._parts.method).set(name, value)
        return not self._shown.isdisjoint(changes)
