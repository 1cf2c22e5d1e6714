"""Frames without what passes: the plate in the light of the frame, laid with soft edges over all that may hide it.

What is laid over is the mask and all around it that is not surely the scene, grown: a pixel of the scene replaced
needlessly looks as it did, a pixel of a person left behind does not. That reaches beyond the matte, whose band is
narrower. Where nothing was found, frames stay as they are. Where the plate was never seen it is a guess, and only what
is in the mask is replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Planes
from core.frames.planar import PlanarPicture
from core.parameter import Parameter, Value
from core.scene.area_maps import AreaMaps
from core.scene.relighting import light_of

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
    seen : (H, W) bool, or None
        Where the plate was to be seen; elsewhere it is a guess. None: everywhere.
    """

    grow: float = 0.015
    feather: float = 0.01
    plate: PlanarPicture | None = None
    seen: NDArray[np.bool_] | None = field(default=None, compare=False)

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
        grow, soft = self._grown_by(height)
        x, y, w, h = cv2.boundingRect(hidden)
        if w == 0:
            return hidden
        reach = grow + 2 * soft
        part = slice(max(y - reach, 0), y + h + reach), slice(max(x - reach, 0), x + w + reach)
        inside = _grown(np.ascontiguousarray(hidden[part]), grow + soft)
        hidden[part] = cv2.blur(inside, (2 * soft + 1, 2 * soft + 1)) if soft else inside
        return hidden

    def far_within(self, seen: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """Return where (H, W) what is replaced, grown and softened, stays within what was seen: 255."""
        grow, soft = self._grown_by(seen.shape[0])
        guessed = _grown(np.where(seen, np.uint8(0), np.uint8(255)), grow + 2 * soft)
        return np.asarray(cv2.bitwise_not(guessed), np.uint8)

    def _grown_by(self, height: int) -> tuple[int, int]:
        """Return the pixels that are grown by in pictures of a height, and half of those of the soft edge."""
        return _pixels(self.grow, height), (_pixels(self.feather, height) + 1) // 2


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
    # What is kept may hide the scene all the same: it tells nothing of the light.
    shares = _at_samples(layout, alpha)
    light = light_of(frame, plate, shares, noise * layout.white, has_bands=True)
    if areas is not None and areas.cleaned is not None:  # A sample stays as it is where one of its pixels is kept.
        kept = _at_samples(layout, np.uint8(255) - areas.only_cleaned(np.full_like(alpha, 255)))
        shares = [np.where(stays > 0, np.uint8(0), share) for share, stays in zip(shares, kept, strict=True)]
    samples = frame.samples.copy()
    light.put(samples, plate, shares)
    return PlanarPicture(samples, layout)


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


def _pixels(share: float, height: int) -> int:
    return max(LEAST_PIXELS, round(share * height)) if share > 0 else 0
