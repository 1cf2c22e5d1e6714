"""The finish of a mask and of its matte: grown or shrunk, and with a softer edge, as compositing asks for.

It comes last: what is learnt, counted and cleaned goes by the mask as it was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.parameter import Parameter, Value

FINISH_PARAMETERS = (
    Parameter(
        "mask_grow", "Grow", 0, -100, 100,
        "How far mask, matte and foreground reach beyond what was found, in pixels of the results; cleaned frames have "
        "a grow of their own.",
        "higher: wider; below 0: narrower", "pixels", kind=int,
    ),
    Parameter(
        "mask_feather", "Feather", 0, 0, 100,
        "How far matte and transparency fade to either side of their edge, in pixels of the results.",
        "higher: softer edges", "pixels", kind=int,
    ),
)  # fmt: skip
"""Parameters of the finished mask, the same for every method; without a change they cost nothing."""

SQUARE = 2**0.5 - 1
"""Part of the radius that a square takes of an octagon as wide as it is high; a diamond takes the rest."""

Alpha = TypeVar("Alpha", NDArray[np.uint8], NDArray[np.uint16])


@dataclass(frozen=True)
class MaskFinish:
    """How masks and mattes are finished.

    Attributes
    ----------
    grow : float
        Pixels; below 0 it shrinks.
    feather : float
        Pixels to either side of the edge.
    """

    grow: float = 0
    feather: float = 0

    @staticmethod
    def of(values: Mapping[str, Value]) -> MaskFinish:
        """Return what parameters say; ``values`` has one for each of `FINISH_PARAMETERS`."""
        return MaskFinish(float(values["mask_grow"] or 0), float(values["mask_feather"] or 0))

    def scaled(self, scale: float) -> MaskFinish:
        """Return the finish of a picture that is ``scale`` times as large."""
        return self if scale == 1 else replace(self, grow=self.grow * scale, feather=self.feather * scale)

    def grown(self, mask: Alpha) -> Alpha:
        """Return a mask or matte (H, W) grown or shrunk by an octagon, or itself; the border shrinks nothing."""
        radius = round(abs(self.grow))
        part = _around(mask, radius + 1) if radius else None
        if part is None:
            return mask
        square = round(SQUARE * radius)
        work = cv2.dilate if self.grow > 0 else cv2.erode
        inside: NDArray[Any] = np.ascontiguousarray(mask[part])
        if square:
            inside = work(inside, np.ones((2 * square + 1, 2 * square + 1), np.uint8))
        diamond = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
        inside = work(inside, diamond, iterations=radius - square)
        return _put(mask, part, inside)

    def softened(self, alpha: Alpha) -> Alpha:
        """Return a matte (H, W), grown or shrunk and feathered, or itself: an edge becomes a ramp."""
        alpha = self.grown(alpha)
        width = round(self.feather)
        part = _around(alpha, width + 1) if width else None
        if part is None:
            return alpha
        # Two means, one after the other, fall off evenly and reach as far as is asked for.
        inside: NDArray[Any] = np.ascontiguousarray(alpha[part])
        for reach in ((width + 1) // 2, width // 2):
            inside = cv2.blur(inside, (2 * reach + 1, 2 * reach + 1))
        return _put(alpha, part, inside)


def _around(alpha: NDArray[Any], reach: int) -> tuple[slice, slice] | None:
    """Return the part of a picture that holds what is not 0, and ``reach`` pixels around it; None where all is 0."""
    x, y, width, height = cv2.boundingRect((alpha != 0).view(np.uint8))
    if not width:
        return None
    return slice(max(y - reach, 0), y + height + reach), slice(max(x - reach, 0), x + width + reach)


def _put(alpha: Alpha, part: tuple[slice, slice], inside: NDArray[Any]) -> Alpha:
    out = alpha.copy()
    out[part] = inside.reshape(out[part].shape)
    return out
