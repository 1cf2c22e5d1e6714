"""The points of all curves of one run, and of which frames of the input they are. No Qt here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from app.rendering.curve_history import CurveHistory
from app.views.quantities import Quantity

FRAMES = "frames read"
"""What curves run over, unless they are of iterations: in a second pass frames are read again."""

_MOST_CURVES = 8


class RunCurves:
    """Curves by the key of their quantity, in a bounded number of points.

    Parameters
    ----------
    quantities : iterable of Quantity

    Attributes
    ----------
    iterates : bool
        The objective is one of iterations, not of frames.
    """

    def __init__(self, quantities: Iterable[Quantity]) -> None:
        self._factors = {quantity.key: quantity.factor for quantity in quantities}
        self._histories = {key: CurveHistory() for key in self._factors}
        self._frames = CurveHistory(averages=False)
        self.iterates = False

    def append(self, n: int, frame: int | None, values: Mapping[str, ArrayLike | None]) -> None:
        """Add what is known of a frame, by the key of a quantity; see `app.views.plots.PlotsView.append`."""
        if frame is not None:
            self._frames.append(n, np.array([frame], np.float64))
        for key, value in values.items():
            if value is not None:
                self._histories[key].append(n, np.atleast_1d(np.asarray(value, np.float64)) * self._factors[key])

    def forget(self, key: str) -> None:
        """Forget the curves of one quantity."""
        self._histories[key] = CurveHistory()

    def history(self, key: str) -> CurveHistory:
        """Return the points of a quantity."""
        return self._histories[key]

    def largest(self, key: str) -> list[int]:
        """Return the curves to draw: all, or the largest of many, for eight colours can still be told apart."""
        history = self._histories[key]
        if not history.x.size:
            return []
        newest = np.nan_to_num(history.y[:, -1], nan=-np.inf)
        return sorted(np.argsort(-newest, kind="stable")[:_MOST_CURVES].tolist())

    # What the horizontal axis counts

    def counted(self, key: str) -> str:
        """Return what the curves of a quantity run over: `FRAMES`, or iterations."""
        return "iteration" if self.iterates and key == "objective" else FRAMES

    def frame_at(self, x: float, key: str) -> int | None:
        """Return the frame, from 0, that the point nearest to ``x`` begins with; None where points are of none."""
        if not self._frames.x.size or self.counted(key) != FRAMES:
            return None
        return round(float(self._frames.y[0, int(np.abs(self._frames.x - x).argmin())]))

    def place_of(self, x: float, key: str) -> str:
        """Return which frame is at ``x``, and what the axis counts there where that is not the frame's number."""
        index = self.frame_at(x, key)
        if index is None:
            return f"{self.counted(key)} {x:.0f}"
        xs = self._frames.x
        apart = (xs[-1] - xs[0]) / max(len(xs) - 1, 1)  # A point may be of many frames.
        is_its_number = abs(x - (index + 1)) <= max(1.0, apart)
        return f"frame {index + 1}" if is_its_number else f"{x:.0f} read, frame {index + 1}"
