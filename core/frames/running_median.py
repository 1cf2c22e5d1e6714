"""The median of frames spread over all that was seen so far, in bounded memory."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.frames.decimated_history import Decimation
from core.frames.frame import Layout, Vector
from core.kernels import median
from core.runtime import bands
from core.state_schema import LEARNT_COUNT, ArraySpec, Range, State, StateSchema

CAPACITY = 15
"""Frames kept."""


def twice_in_each_doubling(n: int) -> bool:
    """Return whether ``n`` is one of 1, 2, 3, 4, 6, 8, 12, 16, 24, …: when to do what should fade in cost."""
    while n > 3 and n % 2 == 0:
        n //= 2
    return n <= 3


class RunningMedian:
    """Keeps frames evenly spread over the past; when full, every other one goes and the spacing doubles.

    What stands in the way in the first frames is outvoted as soon as it has left for longer than it stayed.

    Parameters
    ----------
    capacity : int
        Frames kept, at most.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._places = Decimation(capacity)
        self._frames: Vector | None = None

    def offer(self, v: Vector) -> bool:
        """Take note of the next vector; True when the median is worth computing anew.

        That is at frames 1, 2, 3, 4, 6, 8, 12, 16, 24, …: twice in each doubling, so its cost fades.
        """
        places = self._places
        if self._frames is None:
            self._frames = np.empty((places.capacity, v.size), v.dtype)
        halves, keeps = places.offer()
        if halves:
            fewer = self._frames[::2].copy()
            self._frames[: len(fewer)] = fewer
        if keeps:
            self._frames[places.n_kept - 1] = v
        return twice_in_each_doubling(places.n_offered)

    def median(self) -> Vector:
        """Return the median vector, of the type of the frames."""
        assert self._frames is not None, "offer a frame first"
        out: Vector = np.empty_like(self._frames[0])
        bands.run(median.median_band, out.size, self._frames, self._places.n_kept, out, cost=bands.HEAVY)
        return out

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what `load` needs to go on."""
        places = self._places
        frames = np.empty((0, 0)) if self._frames is None else self._frames[: places.n_kept].copy()
        return {"frames": frames, "counts": np.array([places.spacing, places.n_offered])}

    @staticmethod
    def schema(layout: Layout, capacity: int) -> StateSchema:
        """Return what `state` gives of samples of a layout, once there are any."""
        arrays = {
            "frames": ArraySpec(layout.dtype, ("n_frames", layout.n_values), (Range(0, layout.white),)),
            "counts": ArraySpec(np.int64, (2,), (LEARNT_COUNT,)),
        }
        return StateSchema(arrays, {"n_frames": range(1, capacity + 1)}, agreements=(_kept_as_counted,))

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Take up what `state` gave."""
        capacity = self._places.capacity
        kept = state["frames"][:capacity]
        spacing, n_offered = (int(x) for x in state["counts"])
        self._places = Decimation(capacity, spacing, n_offered, len(kept))
        self._frames = None
        if len(kept):
            self._frames = np.empty((capacity, kept.shape[1]), kept.dtype)
            self._frames[: len(kept)] = kept


def _kept_as_counted(state: State) -> str | None:
    """Tell where other frames are kept than `Decimation` keeps of so many."""
    spacing, n_offered = (int(x) for x in state["counts"])
    fits = spacing & (spacing - 1) == 0 and -(-n_offered // spacing) == len(state["frames"])
    return None if fits else "counts do not fit the number of frames"
