"""The light of one picture on another of the same scene, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values
from core.frames.planar import PlanarPicture
from core.kernels import cleaning as kernel
from core.scene.tuning import FEW

ROWS_OF_LIGHT = 36
"""Rows of blocks on which the light is measured."""

SAMPLES_A_ROW = 8
"""Pixels that count in each row of a block, about."""

REACH_OF_LIGHT = 1 / 12
"""Standard deviation of the neighbourhood whose light counts, share of the height.

Where visible pixels of five sequences were hidden under uneven light, it had the least error on three, 1/6 on two and
1/24 on none; under even light they hardly differ.
"""

ELSEWHERE = 1e-3
"""Weight of the whole frame's light beside that of the neighbourhood: all there is where nothing near is visible."""

ROUNDS = 3
"""Times that the light is measured, each time with less weight for blocks that disagree."""

LEAST = np.float32(1e-6)
"""Nothing is divided by less."""

LEAST_GAIN = np.float32(1e-3)
"""No light is so much darker than another that something of it could be brought back."""


class Relighting(NamedTuple):
    """What brings a picture into other light: ``gain · sample + shift``.

    Attributes
    ----------
    gain, shift : (P, h, w) float32
        For each block, and each of P planes; see `light_of`.
    """

    gain: NDArray[np.float32]
    shift: NDArray[np.float32]

    def then(self, later: Relighting) -> Relighting:
        """Return this change and a later one as one."""
        return Relighting(later.gain * self.gain, later.gain * self.shift + later.shift)

    def undone(self) -> Relighting:
        """Return what brings back into the light before."""
        gain = (1 / np.maximum(self.gain, LEAST_GAIN)).astype(np.float32)
        return Relighting(gain, -gain * self.shift)

    def put(self, samples: Values, picture: PlanarPicture, shares: Sequence[NDArray[np.uint8]]) -> None:
        """Mix a picture in other light into samples.

        Parameters
        ----------
        samples : (F,) samples
            Changed; of the layout of the picture.
        picture : PlanarPicture
        shares : sequence of P arrays (h, w) uint8
            How much of each sample is replaced: 255 all of it, 0 nothing.
        """
        layout = picture.layout
        for index, (gain, shift) in enumerate(zip(self.gain, self.shift, strict=True)):
            kernel.put_plate(
                layout.plane(picture.samples, index), shares[index], gain, shift, layout.step(index),
                block_side(layout), layout.white, layout.plane(samples, index),
            )  # fmt: skip


def block_side(layout: Layout) -> int:
    """Return rows and columns of pixels of a block."""
    return max(1, layout.height // ROWS_OF_LIGHT)


def light_of(
    frame: PlanarPicture,
    plate: PlanarPicture,
    hidden: Sequence[NDArray[np.uint8]],
    noise: float,
    *,
    has_bands: bool = False,
) -> Relighting:
    """Return what brings a plate into the light of a frame.

    In each block of `block_side`, and each of P planes. Luma and colours are multiplied by the ratio of
    local means, counted from no light and weighted by the distance. Chroma, counted from no colour, is multiplied by
    the ratio of luma, and what its local means differ by then is added: light of another colour. Blocks that disagree,
    as those of a person that the mask has missed, count less in the next of a few rounds.

    Parameters
    ----------
    frame, plate : PlanarPicture
        Of one layout.
    hidden : sequence of P arrays (h, w) uint8
        Not 0 at samples of each plane where something hides the scene.
    noise : float
        Scale of the noise, samples: ratios of darker things say little.
    has_bands : bool
        Follow what the light of whole rows and columns of blocks differs by besides: where lamps flicker, rows have the
        light of the moments in which they are read. Other things are explained as light the sooner, so both pictures
        have to be known to show the same.
    """
    layout, n, size = frame.layout, len(frame.layout.shapes), block_side(frame.layout)
    shape = -(-layout.height // size), -(-layout.width // size)
    now, known, count = (np.empty((n, *shape), np.float32) for _ in range(3))
    step = max(1, size // SAMPLES_A_ROW)
    for index in range(n):
        pitch = layout.step(index)
        kernel.sum_visible(
            layout.plane(frame.samples, index), layout.plane(plate.samples, index), hidden[index], pitch,
            size, -(-step // pitch), now[index], known[index], count[index],
        )  # fmt: skip
    n_light = sum(not layout.is_signed(index) for index in range(n))
    zero = np.array([layout.zero(index) for index in range(n)], np.float32).reshape(n, 1, 1)
    now -= zero * count
    known -= zero * count
    darkest = np.float32(max(noise, 1.0))
    seen, each = count[0] > 0, np.maximum(count, 1)
    weights, shift = np.ones(shape, np.float32), np.zeros_like(now)
    gain, bands = np.ones_like(now), np.ones_like(now)
    for _ in range(ROUNDS):
        dark = darkest * weights * count[0] + LEAST
        for index in range(n_light):
            lit, unlit = weights * now[index] + dark, weights * bands[index] * known[index] + dark
            near = _around(lit) / _around(unlit)
            if has_bands:
                bands[index] *= _across(lit, near * unlit)
            gain[index] = near * bands[index]
        for index in range(n_light, n):
            gain[index] = gain[0]
            more = _around(weights * (now[index] - gain[0] * known[index]))
            shift[index] = more / (_around(weights * count[index]) + LEAST)
        off = (np.abs(now - gain * known - shift * count) / each).max(axis=0)
        usual = max(float(np.median(off[seen])) if seen.any() else 0.0, float(darkest))
        weights = (1 / (1 + np.square(off / np.float32(3 * usual)))).astype(np.float32)
    # What is seen may be what masks have missed of the rest: where they let little be seen, the light is as it was.
    trust = np.float32(min(1.0, float(count[0].sum()) / (FEW * hidden[0][::step, ::step].size)))
    gain, shift = 1 + trust * (gain - 1), trust * shift
    return Relighting(gain, shift + zero * (1 - gain))


def _across(lit: NDArray[np.float32], expected: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by what factor (h, w) whole rows, and then columns, are brighter than expected.

    A line has a factor of its own as far as its halves agree on it: it is drawn towards 1 by the variance of what they
    differ by beside the variance that they share (Efron and Morris 1973), the more, the less of either is seen. A lamp
    that flickers has both halves of a row in its light; the edge of a shadow, or what masks have missed, has not.
    """
    factor = np.ones_like(lit)
    for axis in (1, 0):
        seen, known = _of_halves(lit, axis), _of_halves(factor * expected, axis)
        more, size = seen - seen.sum() / max(known.sum(), LEAST) * known, np.maximum(known.sum(axis=0), LEAST)
        of_line = more.sum(axis=0) / size
        shared = max(more.prod(axis=0).sum() / max(known.prod(axis=0).sum(), LEAST), 0.0)
        apart = np.square(more - of_line * known).sum() / max(np.square(known).sum(), LEAST)
        both = 4 * known.prod(axis=0) / size  # Nothing where one half is hidden.
        factor *= 1 + of_line * shared * both / np.maximum(shared * both + apart * size.mean(), LEAST)
    return factor


def _of_halves(values: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """Return the sums along the first half of an axis, which is kept, and along the second, one after the other."""
    return np.stack([half.sum(axis=axis, keepdims=True) for half in np.array_split(values, 2, axis=axis)])


def _around(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the weighted sum of the neighbourhood of each block, and a little of all blocks."""
    sigma = max(values.shape[0] * REACH_OF_LIGHT, 0.5)
    near = cv2.GaussianBlur(values, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT).reshape(values.shape)
    return np.asarray(near + np.float32(ELSEWHERE) * values.mean(axis=(0, 1)), np.float32)
