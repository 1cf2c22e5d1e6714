"""What the panels show of the method, as the engine wants to know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from app.engine.choice import Choice, InputKind

if TYPE_CHECKING:
    from app.panels.corruption import CorruptionForm
    from app.panels.method import MethodPanel
    from app.panels.parameters import ParameterForm
    from core.events.rules import Rules
    from core.scene.areas import Areas


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
    areas : Areas or None
        What is excluded of what is open; None: nothing.
    events : Rules or None
        What counts as an event in what is exported; None: what usually does.
    """

    def __init__(self, method: MethodPanel, mask: ParameterForm, corruption: CorruptionForm) -> None:
        self._method, self._mask, self._corruption = method, mask, corruption
        self.passes = 1
        self.model: Path | None = None
        self.areas: Areas | None = None
        self.events: Rules | None = None
        self._kind: InputKind | None = None
        self._offered: str | None = None
        # What the window starts with is for scenes. Image sets begin with what was chosen before one was opened.
        self._kept: dict[InputKind, Choice] = {"scene": Choice()}

    @property
    def kept(self) -> Mapping[InputKind, Choice]:
        """What was chosen for inputs of other kinds than the one that is open; a model is applied to any kind."""
        return {} if self.model else {kind: kept for kind, kept in self._kept.items() if kind != self._kind}

    def kept_for(self, path: str) -> Mapping[InputKind, Choice]:
        """Return what is `kept`, to open ``path`` with."""
        self._offered = path
        return self.kept

    def is_offered(self, path: str) -> bool:
        """Return whether ``path`` is opened with what is chosen, or kept: not with settings of its own."""
        return self._offered == path

    def turn_to(self, kind: InputKind, path: str) -> Choice | None:
        """Keep what is chosen for the kind of input that was open, and return what ``path`` was opened with instead.

        None where the kind is the same or nothing is kept, and where it was opened with settings of its own.
        """
        before, self._kind = self._kind, kind
        offered, self._offered = self._offered, None
        if before in {None, kind} or self.model or offered != path:
            return None
        self._kept[before] = replace(self.current, seed=0, areas=None)
        return self._kept.get(kind)

    def forget_drawn(self) -> None:
        """Forget what was drawn on an input that is open no more: areas, and by which lines and area events count."""
        self.areas = None
        if self.events is not None:
            self.events = msgspec.structs.replace(self.events, area=(), lines=())

    @property
    def current(self) -> Choice:
        """What is chosen now."""
        values = {**self._method.form.chosen, **self._mask.chosen}
        # One seed for everything random, as on the command line.
        seed = int(self._corruption.form.values.get("seed") or 0)
        return Choice(self._method.key, values, self.passes, seed, self.model, self.areas)
