"""What the window gets of the basis: its pictures, and what is known of them by the frames so far."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.engine.snapshot import Shown
from core.session.phase import Phase

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy as np
    from numpy.typing import NDArray

    from app.rendering.basis_change import BasisChange
    from app.rendering.basis_use import BasisUse
    from core.session.report import Report
    from core.session.session import Session

THUMBNAILS_S = 0.12
"""Least time between two sets of basis pictures, seconds."""


class BasisNews:
    """Hears of each frame of a run, and draws the basis now and then: that takes longer than many a frame does."""

    def __init__(self) -> None:
        self._enlarged: frozenset[int] = frozenset()
        self._h: NDArray[np.float64] | None = None
        self._n_learnt = 0
        self._change: BasisChange | None = None
        self._use: BasisUse | None = None
        self._recalls_use = False
        self._is_behind = False
        self._drawn_at = 0.0

    def set_enlarged(self, numbers: frozenset[int]) -> None:
        """Make the pictures of these basis images as large as the frames from now on."""
        self._enlarged = numbers

    def see(self, report: Report, n_learnt: int) -> None:
        """Take note of a frame that was processed, the ``n_learnt``-th of the run: what was drawn is behind it."""
        self._n_learnt, self._is_behind = n_learnt, True
        self._h = None if report.phase is Phase.GATHERING else report.split.h
        if self._h is not None:
            self._basis_use().see(self._h)

    def stand_at(self, report: Report) -> None:
        """Take note of the frame that an earlier run stood at: nothing was learnt since."""
        self._h = report.split.h

    def recall_unused(self, unused: Collection[int]) -> None:
        """Take note of the basis images, from 0, that an earlier run has not used, which is gone on with."""
        from app.rendering.basis_use import BasisUse  # noqa: PLC0415 - the engine is there by now

        self._use, self._recalls_use = BasisUse(unused), True

    def unused(self, session: Session) -> tuple[int, ...] | None:
        """Return the basis images, from 0, that were not used so far; None where that is not known."""
        if self._h is None or not self._knows_use(session):
            return None
        unused = self._basis_use().unused(session.method.W)
        return tuple(number for number, is_unused in enumerate(unused) if is_unused)

    def _knows_use(self, session: Session) -> bool:
        """Tell whether it is known what was used before the first frame that was seen here."""
        return session.begins_anew or self._recalls_use

    @property
    def is_behind(self) -> bool:
        """Whether a frame was processed since the basis was brought up to date."""
        return self._is_behind

    @property
    def is_due(self) -> bool:
        """Whether that is long enough ago for another set of pictures."""
        return time.perf_counter() - self._drawn_at > THUMBNAILS_S

    def brought_up_to_date(self, session: Session) -> Shown:
        """Draw the basis in its turn."""
        self._drawn_at, self._is_behind = time.perf_counter(), False
        return self.drawn(session)

    def drawn(self, session: Session) -> Shown:
        """Draw the basis as it is now, out of its turn."""
        from app.rendering.basis_change import BasisChange  # noqa: PLC0415 - the engine is there by now
        from app.rendering.basis_thumbnails import basis_pictures, shares  # noqa: PLC0415 - needs OpenCV and numba

        h = self._h
        if h is None:
            # Before anything is learnt it is noise, and at a high rank drawing it takes longer than gathering.
            return Shown(basis=[], shares=[], changes=[], unused=[])
        W = session.method.W
        # Of another rank than the last frame had, nothing is known before the next one.
        parts = shares(W, h) if h.size == W.shape[1] else [None] * W.shape[1]
        self._change = self._change or BasisChange()
        changes = self._change.changes(W, self._n_learnt)
        pictures = basis_pictures(W, session.layout, self._enlarged)
        unused = self._basis_use().unused(W) if self._knows_use(session) else []
        return Shown(basis=pictures, shares=parts, changes=changes, unused=unused)

    def clear(self) -> None:
        """Begin anew; nothing of the former run is known any more."""
        self._h = self._change = self._use = None
        self._n_learnt, self._is_behind, self._recalls_use = 0, False, False

    def _basis_use(self) -> BasisUse:
        from app.rendering.basis_use import BasisUse  # noqa: PLC0415 - the engine is there by now

        if self._use is None:
            self._use = BasisUse()
        return self._use
