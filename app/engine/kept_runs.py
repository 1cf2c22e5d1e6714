"""What was learnt by runs that others took the place of: whoever undoes that goes on with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.resume import Resume
    from core.io.input_spec import InputSpec
    from core.parameter import Value
    from core.session.model import Model
    from core.session.settings import Settings
    from core.session.standing import Standing

SHOWN_AT_FIRST = 1
"""Frames that a run learns without being asked to: there is a picture then."""

MOST_RUNS = 8
"""So many are kept at most; the oldest go first."""

MOST_BYTES = 512 << 20
"""What they may take together; the newest is kept in any case, and takes no more than what is open."""


@dataclass(frozen=True)
class KeptRun:
    """What a run had learnt.

    Attributes
    ----------
    request : InputSpec
        What it learnt from.
    settings : Settings
        What it began with.
    learnt : Model
    standing : Standing or None
        Where it stood.
    unused : tuple of int, or None
        Basis images, from 0, that it had not used.
    lineage : int
        See `app.engine.session_player.SessionPlayer.lineage`.
    """

    request: InputSpec
    settings: Settings
    learnt: Model
    standing: Standing | None
    unused: tuple[int, ...] | None
    lineage: int

    @property
    def n_bytes(self) -> int:
        """How much memory it takes, about."""
        kept = {} if self.standing is None or self.standing.kept is None else self.standing.kept
        states = (self.learnt.method_state, self.learnt.mask_state, kept)
        return sum(array.nbytes for state in states for array in state.values())

    def is_of(self, request: InputSpec, settings: Settings) -> bool:
        """Tell whether a run of these settings would learn the same: they differ in what is live at most."""
        same = (self.request, self.settings.method, self.settings.seed) == (request, settings.method, settings.seed)
        return same and self._has_fixed(settings.values)

    def _has_fixed(self, values: Mapping[str, Value]) -> bool:
        from core import catalogue  # noqa: PLC0415 - the engine is there by now

        fixed = [one for one in catalogue.parameters(catalogue.row(self.settings.method)).values() if not one.live]
        began, ended = self.settings.values, self.learnt.values
        return all(
            values.get(one.name, one.default) in (began.get(one.name, one.default), ended.get(one.name, one.default))
            for one in fixed
        )


class KeptRuns:
    """Keeps the newest run of each settings, in memory and no more than a bound of it; on the engine's thread."""

    def __init__(self) -> None:
        self._runs: list[KeptRun] = []

    def keep(self, run: KeptRun) -> None:
        """Keep a run that another takes the place of; runs over another file are forgotten."""
        path = run.request.path
        others = [one for one in self._runs if one.request.path == path]
        self._runs = [one for one in others if not one.is_of(run.request, run.settings)]
        self._runs.append(run)
        while len(self._runs) > 1 and (len(self._runs) > MOST_RUNS or self._n_bytes > MOST_BYTES):
            del self._runs[0]

    @property
    def _n_bytes(self) -> int:
        return sum(one.n_bytes for one in self._runs)

    def has(self, request: InputSpec, settings: Settings) -> bool:
        """Tell whether a run of these is kept; for any thread."""
        return any(one.is_of(request, settings) for one in self._runs)

    def resumed(self, resume: Resume, request: InputSpec, settings: Settings) -> Resume:
        """Return what a run of these goes on with, which is kept no more; ``resume`` itself where nothing is kept."""
        run = next((one for one in self._runs if one.is_of(request, settings)), None)
        if run is None:
            return resume
        self._runs = [one for one in self._runs if one is not run]
        return replace(resume, learnt=run.learnt, standing=run.standing, unused=run.unused, lineage=run.lineage)

    def forget(self) -> None:
        """Keep none any more: nobody returns to them."""
        self._runs = []
