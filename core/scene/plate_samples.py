"""The samples of frames that show a plate: what is in their middle, and how far they lie from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Layout, Values
from core.frames.noise import MAD_TO_SIGMA
from core.kernels import clean_plate
from core.runtime import bands, stopping
from core.scene.plate_consensus import Consensus
from core.scene.plate_frame import PlateFrame
from core.scene.tuning import FEW

ROWS = 16
"""Rows of a plane whose median is computed at once."""

Stack = NDArray[np.uint8 | np.uint16]
"""Samples (N, P) of P values in N frames."""


class PlateSamples:
    """What frames show of the scene, by their masks, or by what they agree on.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    grid : Grid
        On which they agree.
    frames : sequence of PlateFrame
        In their own light, at least one.
    agreed : Consensus, optional
        Of the same frames. Without it masks are the truth.
    """

    def __init__(
        self, layout: Layout, grid: Grid, frames: Sequence[PlateFrame], agreed: Consensus | None = None
    ) -> None:
        self._layout, self._grid, self._agreed = layout, grid, agreed
        self._hidden = [frame.hidden for frame in frames]
        self._own = [frame.values for frame in frames]
        self._lit = [frame.values for frame in agreed.frames] if agreed else self._own
        self._relit = np.array([one is not own for one, own in zip(self._lit, self._own, strict=True)])

    def median(self, background: Values) -> Values:
        """Return the median (F,) of what shows the scene; where nothing does, ``background`` (F,)."""
        out = background.copy()
        for index in range(len(self._layout.shapes)):
            self._over_rows(index, lambda stack, hidden, at: clean_plate.median_of_seen(stack, hidden, out[at]))
        return out

    def noise(self, plate: Values) -> NDArray[np.float32]:
        """Return how far what shows the scene lies from a plate (F,).

        Returns
        -------
        (H, W) float32
            The standard deviation of luma, or of green, which is most of it, in samples; 0 where nothing shows the
            scene.
        """
        index = self._layout.luma_index
        first = self._layout.slices[index].start
        spread = np.zeros(self._layout.n_pixels, np.float32)

        def measure(stack: Stack, hidden: NDArray[np.uint8], at: slice) -> None:
            clean_plate.spread_of_seen(stack, hidden, plate[at], spread[at.start - first : at.stop - first])

        self._over_rows(index, measure)
        return np.float32(MAD_TO_SIGMA) * spread.reshape(self._layout.shapes[0])

    def _over_rows(self, index: int, work: Callable[[Stack, NDArray[np.uint8], slice], None]) -> None:
        """Call ``work(stack, hidden, at)`` for a few rows of a plane at a time: their stack over all frames is small.

        ``stack`` and ``hidden`` are (N, P), for the P values that ``at`` selects of a vector.
        """
        first, (height, width) = self._layout.slices[index].start, self._layout.shapes[index]

        def some_rows(start: int, stop: int) -> None:
            for low in range(start, stop, ROWS):
                stopping.check()
                high = min(low + ROWS, stop)
                at = slice(first + low * width, first + high * width)
                hidden = self._hidden_at(index, low, high, at)
                work(self._stack(at, hidden), hidden, at)

        bands.run_rows(some_rows, height, bands.HEAVY * self._layout.n_values)

    def _hidden_at(self, index: int, low: int, high: int, at: slice) -> NDArray[np.uint8]:
        """Return where each frame (N, P) does not show the scene, in rows of a plane, ``at`` in a vector: not 0."""
        step, width = self._layout.step(index), self._layout.shapes[index][1]
        hidden = [mask.rows(slice(low * step, high * step, step))[:, ::step].ravel() for mask in self._hidden]
        if self._agreed is not None:
            rows, columns = (np.arange(*each) * step // self._grid.step for each in ((low, high), (width,)))
            doubted = self._agreed.doubted[rows][:, columns].ravel()
            shows = [mask.rows(rows)[:, columns].ravel() for mask in self._agreed.shows]
            shows = [one & self._agreed.is_alike(v, at) for one, v in zip(shows, self._lit, strict=True)]
            hidden = [(one | doubted) & ~other for one, other in zip(hidden, shows, strict=True)]
        return np.stack(hidden)

    def _stack(self, at: slice, hidden: NDArray[np.uint8]) -> Stack:
        """Return the samples (N, P) of a slice of all vectors, in one light, of which those not ``hidden`` count.

        Where few that show a pixel were in another light, they keep it: their median is the same scene, and its light
        that which is the middle, as light drifts.
        """
        stack = np.stack([v[at] for v in self._lit])
        if self._relit.any():
            shown = hidden == 0
            few = np.count_nonzero(shown[self._relit], axis=0) < FEW * np.count_nonzero(shown, axis=0)
            for t in np.flatnonzero(self._relit):
                np.copyto(stack[t], self._own[t][at], where=few)
        return stack
