"""Light that changes at once: the known background in another light is still the background."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.frame import Item, Layout, Values
from core.scene.tuning import BLOCKS, FEW, LIKENESS, MEMORY, SETTLED_FRAMES

SAMPLES = 400
"""Values of a block, about, that are looked at."""


class OtherLight(NamedTuple):
    """What explains a frame.

    Attributes
    ----------
    background : (F,) samples
        In the light of the frame.
    stays : bool
        It has explained so many frames in a row that it is no flash: the scene is in this light from now on.
    """

    background: Values
    stays: bool


class _Explained(NamedTuple):
    """The first of the frames in a row that other light explains.

    Attributes
    ----------
    background, lit : (F,) samples
        As it was recovered then, before anything was learnt of the light, and in that light.
    new : (h, w) bool
        Where that explains it.
    """

    background: Values
    lit: Values
    new: NDArray[np.bool_]


class LightChange:
    """Watches for masks that grow at once, and asks whether other light explains them.

    It shows the background's detail: a bare wall must not explain the frame as well. What is too bright for the input
    tells nothing of the light, and is white before and after.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._covered: deque[float] = deque(maxlen=MEMORY)
        self._grid = Grid(layout.height, layout.width)
        self._calm = np.zeros(self._grid.shape, np.uint8)
        self._first: _Explained | None = None
        self._n_explained = 0

    def offer(self, v: Values, background: Values, covered: NDArray[np.uint8]) -> OtherLight | None:
        """Return the background in the light of a frame, if that is other light at once; None: it is not.

        Parameters
        ----------
        v, background : (F,) samples
        covered : (H, W) uint8
            Not 0 where the frame shows foreground.
        """
        hidden = self._sampled(covered).copy()
        share = cv2.countNonZero(hidden) / hidden.size
        usual = sorted(self._covered)[len(self._covered) // 2] if self._covered else 1.0
        self._covered.append(share)
        if self._first is not None and self._explains(self._first.lit, self._first.new, v):
            return self._explained(v, self._first, self._lit(v, self._first.background))
        self._first, self._n_explained = None, 0
        if 1 - share >= (1 - FEW) * (1 - usual):  # Most of what is usually in sight still is.
            self._calm = hidden
            return None
        new = (hidden > 0) & (self._calm == 0)
        lit = self._in_other_light(v, background, new)
        if lit is None:
            return None
        self._first = _Explained(background, lit, new)
        return self._explained(v, self._first, lit)

    def _explained(self, v: Values, first: _Explained, lit: Values) -> OtherLight:
        self._n_explained += 1
        stays = self._n_explained >= SETTLED_FRAMES
        if stays:
            self._first = None
        return OtherLight(self._in_light_of(v, first.background, lit), stays)

    def _in_light_of(self, v: Values, background: Values, lit: Values) -> Values:
        """Return the background in the light of a frame, and what the frame shows where that is alike.

        ``lit`` is the background in that light as all pixels show it, whatever hides the scene.
        """
        explained = self._alike(v, lit)
        # What stood before the background tells nothing about the light on it.
        free = self._grid.spread(self._calm) == 0
        lit = self._lit(v, background, explained & free)
        return np.where(self._layout.spread(self._alike(v, lit) & free), v, lit)

    def _in_other_light(self, v: Values, background: Values, new: NDArray[np.bool_]) -> Values | None:
        """Return the background in the light of a frame, if that explains what is newly covered (h, w); else None."""
        lit = self._lit(v, background)
        if not self._explains(lit, new, v):
            return None
        wall = self._lit(v, np.full_like(background, self._layout.white))
        tells = new & self._sampled(self._tells(v))
        return lit if tells.any() and self._miss(v, lit, tells) < self._miss(v, wall, tells) else None

    def _explains(self, lit: Values, new: NDArray[np.bool_], v: Values) -> bool:
        return bool(new.any() and self._sampled(self._alike(v, lit))[new].mean() >= 1 - FEW)

    def _miss(self, v: Values, lit: Values, where: NDArray[np.bool_]) -> float:
        """Return what a frame differs by from what may explain it (h, w); all that is unlike counts alike."""
        now, then = (self._sampled(self._layout.plane(x, self._layout.luma_index))[where] for x in (v, lit))
        return float(np.minimum(cv2.absdiff(now, then), LIKENESS * self._layout.contrast).mean())

    def _sampled(self, pixels: NDArray[Item]) -> NDArray[Item]:
        return pixels[:: self._grid.step, :: self._grid.step]

    def _alike(self, v: Values, lit: Values) -> NDArray[np.bool_]:
        """Return where two vectors show nearly the same, as most of a pixel and those next to it (H, W)."""
        now, then = (self._layout.plane(x, self._layout.luma_index) for x in (v, lit))
        same = cv2.absdiff(now, then) < LIKENESS * self._layout.contrast
        alike: NDArray[np.bool_] = cv2.medianBlur(same.astype(np.uint8), 3).view(np.bool_)
        return alike

    @property
    def _full(self) -> int:
        """The sample of full light; what is brighter looks no other."""
        return self._layout.black + self._layout.luma_span

    def _tells(self, v: Values) -> NDArray[np.bool_]:
        """Return where a frame is not too bright to tell the light (H, W)."""
        layout = self._layout
        return np.asarray(layout.plane(v, layout.luma_index) < self._full - LIKENESS * layout.contrast)

    def _lit(self, v: Values, background: Values, seen: NDArray[np.bool_] | None = None) -> Values:
        """Return the background in the light of a frame, as pixels ``seen`` (H, W) show it, or all."""
        layout = self._layout
        seen = np.ones(layout.shapes[0], np.bool_) if seen is None else seen
        tells, out = self._tells(v), np.empty_like(background)
        for index, shape in enumerate(layout.shapes):
            field = self._light(index, v, background, layout.at_samples(seen, index), layout.at_samples(tells, index))
            light = cv2.resize(field, shape[::-1], interpolation=cv2.INTER_LINEAR)
            zero = np.float32(layout.zero(index))
            then = layout.plane(background, index).astype(np.float32) - zero
            other = (then + light if layout.is_signed(index) else then * light) + zero
            most = layout.white if layout.is_signed(index) else self._full
            layout.plane(out, index)[:] = np.rint(np.clip(other, 0, most))
        return out

    def _light(
        self, index: int, v: Values, background: Values, seen: NDArray[np.bool_], tells: NDArray[np.bool_]
    ) -> NDArray[np.float32]:
        """Return how the light on a plane has changed, block by block (h, w): a factor, for chroma a shift."""
        zero = np.float32(self._layout.zero(index))
        now, then = (self._layout.plane(x, index).astype(np.float32) - zero for x in (v, background))
        if self._layout.is_signed(index):
            return _blockwise(now - then, seen & tells, 0)
        factor = now / np.maximum(then, LIKENESS * self._layout.contrast)
        if tells.all():
            return _blockwise(factor, seen, 1)
        # Where all is too bright for the input, there is at least so much light.
        return np.maximum(_blockwise(factor, seen & tells, 1), _blockwise(factor, seen, 1))


def _blockwise(values: NDArray[np.float32], seen: NDArray[np.bool_], unknown: float) -> NDArray[np.float32]:
    """Return medians of visible values per block (h, w); blocks with few of them take their neighbours' value.

    Where every block has few, all take the median of all visible values, or ``unknown`` where there are none.
    """
    height, width = values.shape
    side = max(1, round(height / BLOCKS))
    rows, columns = max(1, round(height / side)), max(1, round(width / side))
    step = max(1, int((side * side / SAMPLES) ** 0.5))
    y, x = _places(height, rows, step), _places(width, columns, step)
    place = y[:, None, :, None], x[:, None]
    within = ((y >= 0)[:, None, :, None] & (x >= 0)[:, None]).reshape(rows, columns, -1)
    shown = within & seen[place].reshape(within.shape)
    n_shown = shown.sum(axis=2)
    ordered = np.sort(np.where(shown, values[place].reshape(within.shape), np.float32(np.inf)), axis=2)
    middle = np.stack([np.maximum(n_shown - 1, 0) // 2, np.minimum(n_shown // 2, within.shape[2] - 1)], axis=2)
    is_known = n_shown > FEW * within.sum(axis=2)
    out = np.where(is_known, np.take_along_axis(ordered, middle, axis=2).mean(axis=2), np.float32(0))
    weight = is_known.astype(np.float32)
    if not weight.any():
        out[:] = np.median(values[seen]) if seen.any() else unknown
        return out
    while not weight.all():
        around, n = cv2.blur(out * weight, (3, 3)), cv2.blur(weight, (3, 3))
        empty = (weight == 0) & (n > 0)
        out[empty], weight[empty] = around[empty] / n[empty], 1
    return out


def _places(n: int, count: int, step: int) -> NDArray[np.int64]:
    """Return what is looked at of each of ``count`` parts of a side of ``n`` (count, most); -1 behind a part's last."""
    ends = np.linspace(0, n, count + 1).astype(np.int64)
    at = ends[:-1, None] + np.arange(0, np.diff(ends).max(), step)
    return np.where(at < ends[1:, None], at, -1)
