"""The basis images of a session's method: given out, and dropped."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.errors import CleanplateError
from core.methods.base import Method, MethodRow
from core.session.control import Control


class BasisImages:
    """For the thread that iterates, between two frames.

    Parameters
    ----------
    row : MethodRow
    method : Method
    control : Control
        Has the rank in force.
    learning : bool
        False where a model is applied, whose basis images stay.
    """

    def __init__(self, row: MethodRow, method: Method, control: Control, *, learning: bool) -> None:
        self._row, self._method, self._control, self._learning = row, method, control, learning

    def vectors(self) -> list[NDArray[np.float32]]:
        """Return them as vectors (F,), each of norm 1 at most, in the order of the coefficients."""
        return [self._method.W[:, k].copy() for k in range(self._method.W.shape[1])]

    def drop(self, k: int, *, replace: bool) -> None:
        """Go on without basis image ``k``, or with a new one in its place: see `core.session.session.Session`."""
        rank = self._method.W.shape[1]
        if not self._learning:
            raise CleanplateError("A model that is applied does not change; learn again to change its basis images.")
        if rank == 1 or not 0 <= k < rank:
            raise CleanplateError(f"Basis image {k + 1} of {rank} has to stay; start over to learn anew.")
        is_live = catalogue.parameters(self._row)["rank"].live
        if replace and not is_live:
            raise CleanplateError(f"{self._row.key} makes no basis image anew; drop it, or start over.")
        self._method.drop(k)
        if is_live:
            self._control.set({"rank": rank if replace else rank - 1})
        else:
            self._control.note("rank", rank - 1)
