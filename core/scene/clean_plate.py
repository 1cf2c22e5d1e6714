"""The clean plate: the look of each place that comes back, as one with what is around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid, Plane
from core.frames.decimated_history import Decimation
from core.frames.frame import Layout, Values
from core.frames.noise import MAD_TO_SIGMA
from core.kernels import clean_plate
from core.runtime import bands

BUDGET_BYTES = 128 << 20
"""Memory for the frames that a plate is made of."""

FEWEST, MOST = 9, 301
"""Frames that a plate is made of, whatever the budget."""

VOTERS = 151
"""Frames at most that are held against each other to find the look that comes back; the plate is made of all."""

NEAR = 6 / 255
"""Samples that differ by no more, in all planes, agree; units of the contrast. Above the noise of most footage,
below the contrast of most texture: with 10, charts behind leaves were found less often."""

ALIKE = 4 * NEAR
"""What differs by no more from the look that was chosen shows it in another light, or with more noise: the median is
taken over all of that. Over what is near alone, it was less exact on five scenes of six, and as good on one."""

MAJORITY = 0.5
"""Share of what a mask lets be seen around a place that has to be alike, else the mask is doubted; and share of the
surroundings of a sample that has to look like the plate, for it to count although a mask covers it."""

STILL = 2.0
"""What changes by so many times the noise from one frame to the next counts half."""

AROUND, MOVES = (9, 9), (5, 5)
"""Neighbourhoods that have to agree together, and whose change tells how still a pixel is; points of the grid."""

ROUNDING = 1.0
"""Change that rounding to 8 bits makes, grey levels."""

ROWS = 16
"""Rows of a plane whose median is computed at once."""


Stack = NDArray[np.uint8 | np.uint16]
"""Samples (N, P) of P values in N frames."""

Stack3 = NDArray[np.uint8 | np.uint16]
"""Samples (C, N, P) of C planes."""

Shown = tuple[list[NDArray[np.uint8]], NDArray[np.bool_]]
"""Where each frame shows the plate whatever its mask says, (h, w / 8) packed bits; where masks are doubted (h, w)."""


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
        self._grid = Grid(layout.height, layout.width)
        self._places = Decimation(int(np.clip(BUDGET_BYTES // layout.n_bytes, FEWEST, MOST)))
        self._frames: list[Values] = []
        self._hidden: list[NDArray[np.uint8]] = []
        self._changes: list[NDArray[np.uint8]] = []
        self._before: Values | None = None
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
            self._frames, self._hidden, self._changes = self._frames[::2], self._hidden[::2], self._changes[::2]
        if keeps:
            self._frames.append(v)
            self._hidden.append(np.packbits(covered > 0, axis=1))
            self._changes.append(self._change(v, v if self._before is None else self._before))
        if self._places.n_offered == 2:
            self._changes[0] = self._change(v, self._frames[0])  # There was none before the first.
        self._before = v

    def discard(self, where: NDArray[np.bool_]) -> None:
        """Let earlier frames not count at pixels (H, W): they did not show the scene."""
        bits = np.packbits(where, axis=1)
        self._hidden = [hidden | bits for hidden in self._hidden]

    def hide(self, where: Callable[[Values], NDArray[np.bool_]]) -> None:
        """Let each earlier frame not count at the pixels (H, W) that ``where`` says of its values (F,)."""
        self._hidden = [
            hidden | np.packbits(where(v), axis=1) for v, hidden in zip(self._frames, self._hidden, strict=True)
        ]

    @property
    def n_frames(self) -> int:
        """How many frames a plate would be made of now."""
        return len(self._frames)

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
        """Return the plate (F,) in whole samples; places of which nothing is known show ``background`` (F,).

        A sample is supported by the share of the others that show the same look, those that are still counting more,
        and by the support of its neighbours at that time. What a mask covers supports nothing, unless what it lets be
        seen disagrees: then the mask knows no better. The plate is the median of what looks like the sample with most
        support, as most of its surroundings do at that time, be it covered or not, and of what a mask that is not
        doubted lets be seen.
        """
        return self._medians(background, self._shown()) if self._frames else background.copy()

    def samples_and_noise(self, background: Values) -> tuple[Values, NDArray[np.float32]]:
        """Return the plate (F,), see `samples`, and the standard deviation (H, W) from it of what it was made of.

        The deviation is that of luma, or of green, which is most of it, in samples; 0 where nothing is known.
        """
        spread = np.zeros(self._layout.n_pixels, np.float32)
        if not self._frames:
            return background.copy(), spread.reshape(self._layout.shapes[0])
        shown, index = self._shown(), self._layout.luma_index
        plate, first = self._medians(background, shown), self._layout.slices[index].start

        def measure(samples: Stack, hidden: NDArray[np.uint8], at: slice) -> None:
            clean_plate.spread_of_seen(samples, hidden, plate[at], spread[at.start - first : at.stop - first])

        self._over_rows(index, shown, measure)
        return plate, np.float32(MAD_TO_SIGMA) * spread.reshape(self._layout.shapes[0])

    def _medians(self, background: Values, shown: Shown) -> Values:
        """Return the median (F,) of what shows the look of the plate; where there is none, ``background`` (F,)."""
        out = background.copy()
        for plane in range(len(self._layout.shapes)):
            self._over_rows(plane, shown, lambda seen, hidden, at: clean_plate.median_of_seen(seen, hidden, out[at]))
        return out

    def _shown(self) -> Shown:
        """Return where on the grid each frame shows the plate whatever its mask says, and where masks are doubted."""
        n_frames = len(self._frames)
        voters = np.arange(min(n_frames, VOTERS)) * n_frames // min(n_frames, VOTERS)
        visible, still = self._visible(voters), self._stillness(voters)
        support = np.zeros(visible.shape, np.float32)
        self._support(voters, visible.astype(np.float32), ALIKE, support)
        known: NDArray[np.float32] = np.asarray(visible.any(axis=0)).astype(np.float32)
        largest = np.asarray(np.max(support * visible, axis=0)).astype(np.float32)
        trust = cv2.blur(largest, AROUND) / np.maximum(cv2.blur(known, AROUND), np.float32(1e-6))
        doubted = (trust < np.float32(MAJORITY)) & (cv2.blur(known, AROUND) > 0)
        weight = still * (visible | doubted)
        self._support(voters, weight, NEAR, support)
        for t in range(len(support)):
            support[t] *= cv2.blur(support[t], AROUND) * weight[t]
        return self._alike(voters, support, doubted), doubted

    def _visible(self, voters: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return where on the grid nothing hides each voter (V, h, w)."""
        step, width = self._grid.step, self._layout.width
        rows = (np.unpackbits(self._hidden[t][::step], axis=1, count=width) for t in voters)
        return np.stack([bits[:, ::step] == 0 for bits in rows])

    def _stillness(self, voters: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return how much each voter counts (V, h, w), 0 to 1: what changes just then is hardly the scene."""
        changes = np.stack(self._changes)
        calm = np.partition(changes, len(changes) // 10, axis=0)[len(changes) // 10]
        noise = np.float32(max(ROUNDING, float(np.median(calm))) * STILL)
        return np.asarray(1 / (1 + (changes[voters].astype(np.float32) / noise) ** 2), np.float32)

    def _support(
        self, voters: NDArray[np.intp], weight: NDArray[np.float32], reach: float, out: NDArray[np.float32]
    ) -> None:
        """Write the share of the weight (V, h, w) that lies within ``reach`` (of the contrast) of each voter; or 0."""
        near = round(reach * self._layout.contrast)

        def some_rows(start: int, stop: int) -> None:
            for i in range(start, stop):
                clean_plate.support_row(self._points(i, voters), weight[:, i], near, out[:, i])

        bands.run_rows(some_rows, self._grid.shape[0], bands.HEAVY * self._layout.n_values)

    def _alike(
        self, voters: NDArray[np.intp], support: NDArray[np.float32], doubted: NDArray[np.bool_]
    ) -> list[NDArray[np.uint8]]:
        """Return where a mask hides a frame or is ``doubted``, but it looks as the voter with most support; packed.

        Most of the surroundings have to look so too: leaves have the colour of a wall here and there.
        """
        near, every = round(ALIKE * self._layout.contrast), np.arange(len(self._frames))
        alike = np.empty((len(every), *support.shape[1:]), np.bool_)
        best = voters[support.argmax(axis=0)]
        for i in range(len(best)):
            looks = self._points(i, every)
            chosen = np.take_along_axis(looks, best[i][None, None], axis=1)
            distance = np.where(looks > chosen, looks - chosen, chosen - looks).max(axis=0)
            alike[:, i] = (distance <= near) & (support[:, i].max(axis=0) > 0)  # Else nothing is known.
        for one, visible in zip(alike, self._visible(every), strict=True):
            # A point that a mask lets be seen tells nothing of covered pixels beside it.
            one &= (cv2.blur(one.astype(np.float32), AROUND) > MAJORITY) & (doubted | ~visible)
        return [np.packbits(one, axis=1) for one in alike]

    def _points(self, i: int, frames: NDArray[np.intp]) -> Stack3:
        """Return the samples of all planes of some frames, by their places, at a row of the grid (C, N, w)."""
        layout, step = self._layout, self._grid.step
        planes: list[Stack] = []
        for index in range(len(layout.shapes)):
            part = layout.step(index)
            row, width = i * step // part, layout.shapes[index][1]
            start = layout.slices[index].start + row * width
            columns = np.arange(self._grid.shape[1]) * step // part
            planes.append(np.stack([self._frames[t][start : start + width][columns] for t in frames]))
        return np.stack(planes)

    def _change(self, v: Values, before: Values) -> NDArray[np.uint8]:
        """Return how much the surroundings of each point of the grid (h, w) changed, grey levels."""
        now, then = (
            np.ascontiguousarray(self._layout.plane(x, self._layout.luma_index)[:: self._grid.step, :: self._grid.step])
            for x in (v, before)
        )
        change: Plane = np.asarray(cv2.blur(cv2.absdiff(now, then), MOVES), now.dtype)
        return np.asarray(cv2.convertScaleAbs(change, alpha=255 / self._layout.contrast), np.uint8)

    def _over_rows(self, index: int, found: Shown, work: Callable[[Stack, NDArray[np.uint8], slice], None]) -> None:
        """Call ``work(samples, hidden, at)`` for a few rows of a plane at a time: their stack over all frames is small.

        ``samples`` and ``hidden`` are (N, P), for the P values that ``at`` selects of a vector.
        """
        (shown, doubted), part, (height, width) = found, self._layout.slices[index], self._layout.shapes[index]
        each = self._layout.step(index)
        columns = np.arange(width) * each // self._grid.step

        def some_rows(start: int, stop: int) -> None:
            for low in range(start, stop, ROWS):
                high = min(low + ROWS, stop)
                at = slice(part.start + low * width, part.start + high * width)
                rows = np.arange(low, high) * each // self._grid.step
                doubts = doubted[rows][:, columns].ravel()
                hidden = np.stack(
                    [
                        (self._hidden_rows(mask, low, high, each) | doubts)
                        & ~np.unpackbits(one[rows], axis=1, count=self._grid.shape[1])[:, columns].ravel()
                        for one, mask in zip(shown, self._hidden, strict=True)
                    ]
                )
                work(np.stack([frame[at] for frame in self._frames]), hidden, at)

        bands.run_rows(some_rows, height, bands.HEAVY * self._layout.n_values)

    def _hidden_rows(self, hidden: NDArray[np.uint8], low: int, high: int, step: int) -> NDArray[np.uint8]:
        rows = hidden[low * step : high * step : step]
        return np.unpackbits(rows, axis=1, count=self._layout.width)[:, ::step].ravel()

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of the frames kept (H, W), 0 to 1, nothing hid a pixel; 0: never revealed."""
        hidden = np.zeros(self._layout.shapes[0], np.float32)
        for bits in self._hidden:
            hidden += np.unpackbits(bits, axis=1, count=self._layout.width)
        return 1 - hidden / np.float32(max(len(self._hidden), 1)) if self._hidden else hidden
