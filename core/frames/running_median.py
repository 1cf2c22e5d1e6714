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

STACKED = 1 << 16
"""Values whose samples are put beside each other at a time: for the median of 15 frames of bytes, 1 MB."""


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
    shares : bool
        Nobody writes to a vector again that was offered: it is kept as it is, and not copied.
    """

    def __init__(self, capacity: int = CAPACITY, *, shares: bool = False) -> None:
        self._places, self._shares = Decimation(capacity), shares
        self._frames: list[Vector] = []

    def offer(self, v: Vector) -> bool:
        """Take note of the next vector; True when the median is worth computing anew.

        That is at frames 1, 2, 3, 4, 6, 8, 12, 16, 24, …: twice in each doubling, so its cost fades.
        """
        places = self._places
        halves, keeps = places.offer()
        if halves:
            self._frames = self._frames[::2]
        if keeps:
            self._frames.append(v if self._shares else v.copy())
        return twice_in_each_doubling(places.n_offered)

    def median(self) -> Vector:
        """Return the median vector, of the type of the frames."""
        assert self._frames, "offer a frame first"
        out: Vector = np.empty_like(self._frames[0])
        bands.run(self._median_band, out.size, out, cost=bands.HEAVY)
        return out

    def _median_band(self, start: int, stop: int, out: Vector) -> None:
        for low in range(start, stop, STACKED):
            high = min(low + STACKED, stop)
            part = np.stack([v[low:high] for v in self._frames])
            median.median_band(0, high - low, part, len(part), out[low:high])

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what `load` needs to go on."""
        frames = np.stack(self._frames) if self._frames else np.empty((0, 0))
        return {"frames": frames, "counts": np.array([self._places.spacing, self._places.n_offered])}

    @staticmethod
    def schema(layout: Layout, capacity: int) -> StateSchema:
        """Return what `state` gives of samples of a layout, once there are any."""
        arrays = {
            "frames": ArraySpec(layout.dtype, ("n_frames", layout.n_values), (Range(0, layout.white),)),
            "counts": ArraySpec(np.int64, (2,), (LEARNT_COUNT,)),
        }
        return StateSchema(arrays, {"n_frames": range(1, capacity + 1)}, agreements=(_kept_as_counted,))

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load what `state` gave."""
        capacity = self._places.capacity
        kept = state["frames"][:capacity]
        spacing, n_offered = (int(x) for x in state["counts"])
        self._places = Decimation(capacity, spacing, n_offered, len(kept))
        self._frames = list(np.array(kept))


def _kept_as_counted(state: State) -> str | None:
    """Tell where other frames are kept than `Decimation` keeps of so many."""
    spacing, n_offered = (int(x) for x in state["counts"])
    fits = spacing & (spacing - 1) == 0 and -(-n_offered // spacing) == len(state["frames"])
    return None if fits else "counts do not fit the number of frames"
