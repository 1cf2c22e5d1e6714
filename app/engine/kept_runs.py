"""What was learnt by runs that others took the place of: whoever undoes that goes on with it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.engine.resume import Resume
    from core.io.input_spec import InputSpec
    from core.parameter import Parameter, Value
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
    lineage, n_learnt : int
        See `app.engine.session_player.SessionPlayer`.
    """

    request: InputSpec
    settings: Settings
    learnt: Model
    standing: Standing | None
    unused: tuple[int, ...] | None
    lineage: int
    n_learnt: int

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

    def resumed(self, resume: Resume, settings: Settings) -> Resume:
        """Return what goes on with it, and with live values of these settings."""
        learnt = replace(self.learnt, values=dict(settings.values))
        return replace(
            resume, learnt=learnt, standing=self.standing, unused=self.unused, lineage=self.lineage,
            n_before=self.n_learnt,
        )  # fmt: skip

    def _has_fixed(self, values: Mapping[str, Value]) -> bool:
        from core import catalogue  # noqa: PLC0415 - the engine is there by now

        fixed = [one for one in catalogue.parameters(catalogue.row(self.settings.method)).values() if not one.live]
        return all(values.get(one.name, one.default) in self._fits(one) for one in fixed)

    def _fits(self, one: Parameter) -> tuple[Value, ...]:
        """Return the values of a fixed parameter that it goes on with: that it began with, or ended with."""
        began = self.settings.values.get(one.name, one.default)
        ended = self.learnt.values.get(one.name, one.default)
        # Who drops a basis image changes the rank in the middle of a run.
        return (ended,) if one.name == "rank" and began is not None else (began, ended)


class KeptRuns:
    """Keeps the newest run over one file of each settings, in memory and no more than a bound of it.

    On the engine's thread; any may look for one.
    """

    def __init__(self) -> None:
        self._runs: list[KeptRun] = []

    def keep(self, run: KeptRun) -> None:
        """Keep a run that another takes the place of."""
        self._runs = [one for one in self._runs if not one.is_of(run.request, run.settings)]
        self._runs.append(run)
        while len(self._runs) > 1 and (len(self._runs) > MOST_RUNS or self._n_bytes > MOST_BYTES):
            del self._runs[0]

    @property
    def _n_bytes(self) -> int:
        return sum(one.n_bytes for one in self._runs)

    def find(self, request: InputSpec, settings: Settings) -> KeptRun | None:
        """Return the run of these that is kept; for any thread."""
        return next((one for one in self._runs if one.is_of(request, settings)), None)

    def take(self, run: KeptRun | None) -> None:
        """Keep a run no more, which is gone on with."""
        self._runs = [one for one in self._runs if one is not run]


def file_of(path: str) -> tuple[str, int, int]:
    """Return what tells a file apart from all others, also from one that takes its name; of a camera its address."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return path, 0, 0
    return path, found.st_mtime_ns, found.st_size
