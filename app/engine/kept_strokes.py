"""What people painted, from one run over an input to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.session.session import Session
    from core.session.strokes import Strokes


class KeptStrokes:
    """Keeps strokes of one input in the planes that they were painted in: those of another method may say less."""

    def __init__(self) -> None:
        self._painted: Strokes | None = None
        self._began_with: Strokes | None = None

    def of(self, session: Session) -> Mapping[str, NDArray[np.generic]]:
        """Return what the run after a session is given: what is painted there, for `Settings.painted`."""
        now = session.strokes.now
        if self._painted is None or self._began_with is None or not now.is_same(self._began_with):
            self._painted = now
        return self._painted.arrays

    def begin(self, session: Session) -> None:
        """Take note that a session has begun with what was returned last."""
        self._began_with = session.strokes.now
