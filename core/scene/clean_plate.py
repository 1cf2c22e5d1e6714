"""The clean plate: the median of what each pixel showed while nothing hid it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.decimated_history import Decimation
from core.frames.frame import Layout, Values
from core.frames.noise import MAD_TO_SIGMA
from core.kernels import clean_plate
from core.runtime import bands

BUDGET_BYTES = 128 << 20
"""Memory for the frames that a plate is made of."""

FEWEST, MOST = 9, 151
"""Frames that a plate is made of, whatever the budget."""

NEAR = 25 / 255
"""Samples this near the background that is known in the end are taken before others, units of the contrast."""

ROWS = 16
"""Rows of a plane whose median is computed at once."""


Stack = NDArray[np.uint8 | np.uint16]
"""Samples (N, P) of P values in N frames."""


@dataclass(frozen=True)
class Hidden:
    """What hid the scene at some time, to be restored.

    Attributes
    ----------
    plate : object
        Tells plates apart; holds none of them in memory.
    spacing : int
        From one frame kept to the next.
    bits : list of (H, W / 8) uint8
        Pixels of each frame kept, packed; never written again.
    """

    plate: object
    spacing: int
    bits: list[NDArray[np.uint8]]


class CleanPlate:
    """Keeps frames evenly spread over a pass, and what hid the scene in each.

    When all places are taken, every other frame goes and the spacing doubles, so that memory is bounded.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._places = Decimation(int(np.clip(BUDGET_BYTES // layout.n_bytes, FEWEST, MOST)))
        self._frames: list[Values] = []
        self._hidden: list[NDArray[np.uint8]] = []
        self._token = object()

    def offer(self, v: Values, covered: NDArray[np.uint8], revealed: NDArray[np.bool_] | None) -> None:
        """Take note of a frame.

        Parameters
        ----------
        v : (F,) samples
            Kept, not copied.
        covered : (H, W) uint8
            Not 0 where foreground or shadow may hide the scene.
        revealed : (H, W) bool, or None
            Where what was taken for the scene so far has turned out not to be.
        """
        if revealed is not None:
            self.discard(revealed)
        halves, keeps = self._places.offer()
        if halves:
            self._frames, self._hidden = self._frames[::2], self._hidden[::2]
        if keeps:
            self._frames.append(v)
            self._hidden.append(np.packbits(covered > 0, axis=1))

    def discard(self, where: NDArray[np.bool_]) -> None:
        """Let earlier frames not count at pixels (H, W): they did not show the scene."""
        bits = np.packbits(where, axis=1)
        self._hidden = [hidden | bits for hidden in self._hidden]

    def hide(self, where: Callable[[Values], NDArray[np.bool_]]) -> None:
        """Let each earlier frame not count at the pixels (H, W) that ``where`` says of its values (F,)."""
        self._hidden = [
            hidden | np.packbits(where(v), axis=1) for v, hidden in zip(self._frames, self._hidden, strict=True)
        ]

    def hidden(self) -> Hidden:
        """Return what hides the scene now, for `restore`."""
        return Hidden(self._token, self._places.spacing, self._hidden[:])

    def restore(self, then: Hidden, where: NDArray[np.bool_]) -> None:
        """Let earlier frames count at pixels (H, W) as they did ``then``; nothing where that was another plate."""
        if then.plate is not self._token:
            return
        bits = np.packbits(where, axis=1)
        for i in range(len(self._hidden)):
            before = i * self._places.spacing // then.spacing  # Spacings only double: the same frame had this place.
            if before >= len(then.bits):
                break
            self._hidden[i] = (self._hidden[i] & ~bits) | (then.bits[before] & bits)

    def samples(self, background: Values) -> Values:
        """Return the plate (F,) in whole samples; values that were never seen come from ``background`` (F,).

        ``background`` is the best that is known in the end; it decides between samples that differ much.
        """
        out = background.copy()
        near = round(NEAR * self._layout.contrast)
        for index in range(len(self._layout.shapes)):
            self._over_rows(
                index, lambda samples, hidden, at: clean_plate.median_of_seen(samples, hidden, near, out[at])
            )
        return out

    def noise(self, plate: Values) -> NDArray[np.float32]:
        """Return the standard deviation (H, W), samples, from a plate (F,) of what was seen while nothing hid it.

        Of luma, or of green, which is most of it. 0 where a pixel was never seen.
        """
        index = self._layout.luma_index
        part, spread = self._layout.slices[index], np.zeros(self._layout.n_pixels, np.float32)

        def measure(samples: Stack, hidden: NDArray[np.uint8], at: slice) -> None:
            inside = slice(at.start - part.start, at.stop - part.start)
            clean_plate.spread_of_seen(samples, hidden, plate[at], spread[inside])

        self._over_rows(index, measure)
        return np.float32(MAD_TO_SIGMA) * spread.reshape(self._layout.shapes[0])

    def _over_rows(self, index: int, work: Callable[[Stack, NDArray[np.uint8], slice], None]) -> None:
        """Call ``work(samples, hidden, at)`` for a few rows of a plane at a time: their stack over all frames is small.

        ``samples`` and ``hidden`` are (N, P), for the P values that ``at`` selects of a vector.
        """
        if not self._frames:
            return
        part, (height, width) = self._layout.slices[index], self._layout.shapes[index]
        step = self._layout.step(index)

        def some_rows(start: int, stop: int) -> None:
            for low in range(start, stop, ROWS):
                high = min(low + ROWS, stop)
                at = slice(part.start + low * width, part.start + high * width)
                hidden = np.stack([self._hidden_rows(h, low, high, step) for h in self._hidden])
                work(np.stack([frame[at] for frame in self._frames]), hidden, at)

        bands.run_rows(some_rows, height, self._layout.n_values)

    def _hidden_rows(self, hidden: NDArray[np.uint8], low: int, high: int, step: int) -> NDArray[np.uint8]:
        rows = hidden[low * step : high * step : step]
        return np.unpackbits(rows, axis=1, count=self._layout.width)[:, ::step].ravel()

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of the frames kept (H, W), 0 to 1, nothing hid a pixel; 0: never revealed."""
        hidden = np.zeros(self._layout.shapes[0], np.float32)
        for bits in self._hidden:
            hidden += np.unpackbits(bits, axis=1, count=self._layout.width)
        return 1 - hidden / np.float32(max(len(self._hidden), 1)) if self._hidden else hidden
