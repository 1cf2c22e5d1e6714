"""What the panels show of the method, as the engine wants to know it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.choice import Choice

if TYPE_CHECKING:
    from app.panels.corruption import CorruptionForm
    from app.panels.method import MethodPanel
    from app.panels.parameters import ParameterForm


class RunChoice:
    """Reads what a person chose for the run from the panels, and keeps what no panel holds.

    The main window's; `app.engine.choice.Choice` is the value that it gives at one moment, and
    `app.compare.chosen.Chosen` one method of a comparison.

    Parameters
    ----------
    method : MethodPanel
    mask : ParameterForm
    corruption : CorruptionForm
        Its seed is that of everything random.

    Attributes
    ----------
    passes : int
        How often the input is read.
    model : Path or None
        A model that is applied: nothing is learnt.
    """

    def __init__(self, method: MethodPanel, mask: ParameterForm, corruption: CorruptionForm) -> None:
        self._method, self._mask, self._corruption = method, mask, corruption
        self.passes = 1
        self.model: Path | None = None

    @property
    def current(self) -> Choice:
        """What is chosen now."""
        values = {**self._method.form.chosen, **self._mask.chosen}
        # One seed for everything random, as on the command line.
        seed = int(self._corruption.form.values.get("seed") or 0)
        return Choice(self._method.key, values, self.passes, seed, self.model)
