"""Frames without what passes: the plate in the light of the frame, laid with soft edges over all that may hide it.

What is laid over is all that is not surely the scene, grown: a pixel of the scene replaced needlessly looks as it did,
a pixel of a person left behind does not. That reaches beyond the matte, whose band is narrower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Planes
from core.frames.planar import PlanarPicture
from core.kernels import cleaning as kernel
from core.parameter import Parameter, Value
from core.scene.area_maps import AreaMaps
from core.scene.tuning import FEW

CLEANING_PARAMETERS = (
    Parameter(
        "grow", "Cleaned: grow", 1.5, 0, 10, "How far beyond foreground and shadow cleaned frames show the plate.",
        "higher: fewer remains of legs and edges", "% of the height", advanced=True,
    ),
    Parameter(
        "feather", "Cleaned: feather", 1, 0, 10, "Width of the soft edge around what is replaced in cleaned frames.",
        "higher: softer edges", "% of the height", advanced=True,
    ),
)  # fmt: skip
"""Parameters of cleaned frames, the same for every method.

In two passes over four labelled sequences, growing by nothing, without a soft edge, leaves 0.003 to 0.39 % of the
pixels of what passes, and by the default as many: what is not surely the scene reaches that far by itself. The rest is
for blur and faint shadows, which labels do not show.
"""

LEAST_PIXELS = 2
"""Pixels that are grown at least, and that a soft edge is wide, unless they are 0: of small frames masks err as far."""

ROWS_OF_LIGHT = 36
"""Rows of blocks on which the light is measured."""

SAMPLES_A_ROW = 8
"""Pixels that count in each row of a block, about."""

REACH_OF_LIGHT = 1 / 12
"""Standard deviation of the neighbourhood whose light counts, share of the height.

Of 1/6, 1/12 and 1/24, where visible pixels of five sequences were hidden under uneven light, it had the least error on
three, 1/6 on two; under even light they hardly differ.
"""

ELSEWHERE = 1e-3
"""Weight of the whole frame's light beside that of the neighbourhood: all there is where nothing near is visible."""

ROUNDS = 3
"""Times that the light is measured, each time with less weight for blocks that disagree."""


@dataclass(frozen=True)
class Cleaning:
    """How frames are cleaned.

    Attributes
    ----------
    grow, feather : float
        See `CLEANING_PARAMETERS`; shares of the height.
    plate : PlanarPicture or None
        Made of an earlier pass over the same input, in the coordinates of the scene: shown instead of what hides it;
        None: the background as the method recovers it.
    """

    grow: float = 0.015
    feather: float = 0.01
    plate: PlanarPicture | None = None

    @staticmethod
    def of(values: Mapping[str, Value]) -> Cleaning:
        """Return what parameters say; ``values`` has one for each of `CLEANING_PARAMETERS`."""
        return Cleaning(float(values["grow"] or 0) / 100, float(values["feather"] or 0) / 100)

    def alpha(self, covered: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
        """Return how much of each pixel of a picture (H, W) is replaced: 255 all of it, 0 nothing.

        Parameters
        ----------
        covered : (h, w) uint8
            Not 0 where foreground or shadow may hide the scene.
        height, width : int
            Of the picture.
        """
        hidden = np.asarray(cv2.threshold(covered, 0, 255, cv2.THRESH_BINARY)[1], np.uint8)
        if hidden.shape != (height, width):
            how = cv2.INTER_AREA if hidden.shape[0] > height else cv2.INTER_LINEAR
            sized = cv2.resize(hidden, (width, height), interpolation=how)
            hidden = np.asarray(cv2.threshold(sized, 0, 255, cv2.THRESH_BINARY)[1], np.uint8)
        grow, soft = _pixels(self.grow, height), (_pixels(self.feather, height) + 1) // 2
        x, y, w, h = cv2.boundingRect(hidden)
        if w == 0:
            return hidden
        reach = grow + 2 * soft
        part = slice(max(y - reach, 0), y + h + reach), slice(max(x - reach, 0), x + w + reach)
        inside = _grown(np.ascontiguousarray(hidden[part]), grow + soft)
        hidden[part] = cv2.blur(inside, (2 * soft + 1, 2 * soft + 1)) if soft else inside
        return hidden


def clean(
    frame: PlanarPicture,
    plate: PlanarPicture,
    covered: NDArray[np.uint8],
    cleaning: Cleaning,
    noise: float,
    areas: AreaMaps | None = None,
) -> PlanarPicture:
    """Return a frame with the plate, in the frame's light, over what hides the scene; other samples stay as they are.

    Parameters
    ----------
    frame, plate : PlanarPicture
        Of one layout.
    covered : (h, w) uint8
        Not 0 where foreground or shadow may hide the scene, at any size.
    cleaning : Cleaning
    noise : float
        Scale of the noise, units of white.
    areas : AreaMaps, optional
        Where the frame is kept as it is.
    """
    layout = frame.layout
    alpha = cleaning.alpha(covered, layout.height, layout.width)
    if not cv2.countNonZero(alpha):
        return frame
    samples = frame.samples.copy()
    size = max(1, layout.height // ROWS_OF_LIGHT)
    # What is kept may hide the scene all the same: it tells nothing of the light.
    shares = _at_samples(layout, alpha)
    gains, shifts = light(frame, plate, shares, size, noise * layout.white)
    if areas is not None and areas.cleaned is not None:  # A sample stays as it is where one of its pixels is kept.
        kept = _at_samples(layout, np.uint8(255) - areas.only_cleaned(np.full_like(alpha, 255)))
        shares = [np.where(stays > 0, np.uint8(0), share) for share, stays in zip(shares, kept, strict=True)]
    for index, (gain, shift) in enumerate(zip(gains, shifts, strict=True)):
        kernel.put_plate(
            layout.plane(samples, index), layout.plane(plate.samples, index), shares[index], gain,
            shift, layout.step(index), size, layout.white,
        )  # fmt: skip
    return PlanarPicture(samples, layout)


def light(
    frame: PlanarPicture, plate: PlanarPicture, hidden: Sequence[NDArray[np.uint8]], size: int, noise: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what the plate has to be multiplied by, and what added, to have the light of the frame.

    In each block of ``size`` × ``size`` pixels, and each of P planes. Luma and colours are multiplied by the ratio of
    local means, counted from no light and weighted by the distance. Chroma, counted from no colour, is multiplied by
    the ratio of luma, and what its local means differ by then is added: light of another colour. Blocks that disagree,
    as those of a person that the mask has missed, count less in the next of a few rounds.

    Parameters
    ----------
    frame, plate : PlanarPicture
        Of one layout.
    hidden : sequence of P arrays (h, w) uint8
        Not 0 at samples of each plane where something hides the scene.
    size : int
    noise : float
        Scale of the noise, samples: ratios of darker things say little.

    Returns
    -------
    gain, shift : (P, ⌈H / size⌉, ⌈W / size⌉) float32
        For samples as they are: ``gain · sample + shift``.
    """
    layout, n = frame.layout, len(frame.layout.shapes)
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
    weights, gain, shift = np.ones(shape, np.float32), np.ones_like(now), np.zeros_like(now)
    for _ in range(ROUNDS):
        total = darkest * _around(weights * count[0]) + np.float32(1e-6)
        for index in range(n_light):
            gain[index] = (_around(weights * now[index]) + total) / (_around(weights * known[index]) + total)
        for index in range(n_light, n):
            gain[index] = gain[0]
            more = _around(weights * (now[index] - gain[0] * known[index]))
            shift[index] = more / (_around(weights * count[index]) + np.float32(1e-6))
        off = (np.abs(now - gain * known - shift * count) / each).max(axis=0)
        usual = max(float(np.median(off[seen])) if seen.any() else 0.0, float(darkest))
        weights = (1 / (1 + np.square(off / np.float32(3 * usual)))).astype(np.float32)
    # What is seen may be what masks have missed of the rest: where they let little be seen, the light is as it was.
    trust = np.float32(min(1.0, float(count[0].sum()) / (FEW * hidden[0][::step, ::step].size)))
    gain, shift = 1 + trust * (gain - 1), trust * shift
    return gain, shift + zero * (1 - gain)


def _at_samples(layout: Layout, pixels: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Return a map over pixels (H, W) as one over each plane's samples (h, w): the largest of a sample's pixels."""
    by_step = {1: pixels}
    if layout.planes is Planes.YCC420:
        most = np.asarray(cv2.dilate(pixels, np.ones((2, 2), np.uint8), anchor=(0, 0)), np.uint8)
        by_step[2] = np.ascontiguousarray(layout.at_samples(most, 1))
    return [by_step[layout.step(index)] for index in range(len(layout.shapes))]


def _grown(mask: NDArray[np.uint8], reach: int) -> NDArray[np.uint8]:
    """Return the maximum of the square around each pixel, so many to each side: half of the time of `cv2.dilate`."""
    out = cv2.copyMakeBorder(mask, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    done, side = 1, 2 * reach + 1
    while done < side:
        by = min(done, side - done)
        out = cv2.max(out[:-by], out[by:])
        out = cv2.max(out[:, :-by], out[:, by:])
        done += by
    return np.asarray(out, np.uint8)


def _around(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the weighted sum of the neighbourhood of each block, and a little of all blocks."""
    sigma = max(values.shape[0] * REACH_OF_LIGHT, 0.5)
    near = cv2.GaussianBlur(values, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT).reshape(values.shape)
    return np.asarray(near + np.float32(ELSEWHERE) * values.mean(axis=(0, 1)), np.float32)


def _pixels(share: float, height: int) -> int:
    return max(LEAST_PIXELS, round(share * height)) if share > 0 else 0
