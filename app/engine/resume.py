"""Where work goes on that was saved: what the engine is given of a project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.project.document import ProjectInput
    from core.session.model import Model
    from core.session.standing import Standing


@dataclass(frozen=True)
class Resume:
    """What a session goes on with.

    Attributes
    ----------
    painted : mapping of arrays
        What was painted by hand, as `core.session.stroke_history.StrokeHistory.painted` gives it.
    learnt : Model or None
        Learning goes on from there; None: it begins anew.
    standing : Standing or None
        Where it stood that had learnt this: it goes on behind that frame. None: it begins with the first one.
    shown : int or None
        Frame to look at, where it is another.
    unused : tuple of int, or None
        Basis images, from 0, that were not used so far; None: not known.
    plays : bool
        It goes on at once; else it is held there.
    part : ProjectInput or None
        What the project says of its input: one of another size is not taken.
    returns : bool
        A step is undone, or done again: what was learnt before it is gone on with, where it is kept.
    lineage : int or None
        Of what was learnt; see `app.engine.session_player.SessionPlayer`.
    n_before : int
        Frames that were learnt before in that lineage.
    """

    painted: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)
    learnt: Model | None = None
    standing: Standing | None = None
    shown: int | None = None
    unused: tuple[int, ...] | None = None
    plays: bool = False
    part: ProjectInput | None = None
    returns: bool = False
    lineage: int | None = None
    n_before: int = 0
