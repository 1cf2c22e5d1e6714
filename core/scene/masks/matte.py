"""Soft edges: how much of each pixel an object covers, made of a mask, the frame and the background behind it.

Within a narrow band around the mask's edge the picture is a mixture of the object's colour, which is known just
inside, and of the background, which is known everywhere. That leaves one number to be found for each pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Values
from core.kernels import matte as kernel
from core.scene.masks.cells import cell_side
from core.scene.tuning import BLOCKS, LIKENESS

REACH = 2
"""Cells that the band reaches to either side, of a grid over the picture itself: the mask's edge may be off by one, and
lies between two.

Mattes of four composites are off by 10.2 levels on average, by 11.9 with 1 and by 16.3 with 4, which cuts into whatever
looks like the background. Masks found at half the size and enlarged need no wider band, as pixels have had their say
about the edge: the same three figures are 10.2, 12.2 and 15.4.
"""

NEIGHBOURS = 5
"""Side of the neighbourhood whose median α is drawn to, pixels: the largest that OpenCV has for 16 bits. Mattes of
people who were cut out of a clip, before other plates, are off by 16.3 levels around their edges, by 17.2 with 3 and by
19.4 without; halos by 0.8, 1.0 and 1.6."""


@dataclass(frozen=True)
class Matte:
    """How much an object covers of each pixel, and its own colour where that is not all of it.

    Attributes
    ----------
    alpha : (H, W) uint8
        0 background to 255 object.
    rows, columns : (n,) int32
        Pixels of the band around the mask's edge.
    colour : (n, C) float32
        The object's colour there, samples: what it would show without the background.
    share : (n,) float32
        Alpha there, 0 to 1.
    """

    alpha: NDArray[np.uint8]
    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    colour: NDArray[np.float32]
    share: NDArray[np.float32]

    @property
    def deep_alpha(self) -> NDArray[np.uint16]:
        """Alpha (H, W) in steps of 1/65535."""
        deep = self.alpha.astype(np.uint16) * np.uint16(257)
        deep[self.rows, self.columns] = np.rint(self.share * 65535)
        return deep

    def cut_out(self, picture: Values, white: int, alpha: NDArray[np.uint8] | None = None) -> Values:
        """Return the object with alpha (H, W, 4), not premultiplied; black where nothing is covered.

        Parameters
        ----------
        picture : (H, W) or (H, W, 3) uint8 or uint16
            That the matte was made of.
        white : int
            Sample of white; an alpha of 1 is as much.
        alpha : (H, W) uint8, optional
            Where it was finished; as it was found when not given.
        """
        colours = picture if picture.ndim == 3 else cv2.merge([picture] * 3)
        alpha = self.alpha if alpha is None else alpha
        deep: Values = alpha
        if picture.dtype != np.uint8:
            deep = (alpha.astype(np.uint32) * white // 255).astype(picture.dtype)
        pixels = cv2.merge([*cv2.split(colours), deep])
        pixels[self.rows, self.columns, :3] = self.colour.astype(picture.dtype)
        return np.asarray(cv2.copyTo(pixels, alpha), picture.dtype)


def find_matte(
    picture: Values,
    background: Values,
    mask: NDArray[np.uint8],
    white: int,
    *,
    contrast: float | None = None,
    coarse: int = 1,
    painted: NDArray[np.uint8] | None = None,
) -> Matte:
    """Soften a mask by what the picture shows: 255 well inside, 0 well outside, and between them what is covered.

    It solves ``v = α f + (1 − α) b`` for α, with the picture v, the background b, and f spread from just inside (see
    `core.kernels.matte.cover`). Where people painted, α is the mask, softened by a pixel to either side; of what is too
    thin to have an inside, it is no less within the mask, and no more around it.

    Parameters
    ----------
    picture, background : (H, W) or (H, W, 3) uint8 or uint16
        v and b.
    mask : (H, W) uint8
        255 or 0.
    white : int
        Sample of white.
    contrast : float, optional
        Samples that the input spans (`Layout.contrast`); white when not given.
    coarse : int
        Pixels of the picture to one of the mask as it was made: a softened mask is softened by so many.
    painted : (H, W) uint8, optional
        255 where the mask is set because people painted there: colours have no say about its edge then.
    """
    height = picture.shape[0]
    reach = max(coarse, min(REACH * cell_side(height), height // BLOCKS))
    square = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    inside = np.asarray(cv2.erode(mask, square), np.uint8).reshape(mask.shape)
    outside = np.asarray(cv2.dilate(mask, square), np.uint8).reshape(mask.shape)
    rows, columns = kernel.edge_of(inside, outside)
    v, b = (np.ascontiguousarray(p).reshape(*mask.shape, -1) for p in (picture, background))
    colour = np.empty((rows.size, v.shape[2]), np.float32)
    reached = kernel.spread(rows, columns, v, mask, inside, np.zeros(mask.shape, np.int32), colour)
    if painted is not None:
        reached[np.asarray(cv2.dilate(painted, square), np.uint8).reshape(mask.shape)[rows, columns] > 0] = 0
    soft = np.asarray(cv2.blur(mask, (2 * coarse + 1, 2 * coarse + 1)), np.uint8).reshape(mask.shape)
    near = np.float32((LIKENESS * (contrast or white)) ** 2)
    share = np.empty(rows.size, np.float32)
    kernel.cover(rows, columns, v, b, soft, reached, near, colour, share)
    share = _with_neighbours(share, rows, columns, inside, mask)
    kernel.without_background(rows, columns, v, b, reached, share, colour)
    inside[rows, columns] = np.rint(255 * share)
    return Matte(inside, rows, columns, np.clip(np.rint(colour), 0, white), share)


def _with_neighbours(
    share: NDArray[np.float32], rows: NDArray[np.int32], columns: NDArray[np.int32], inside: NDArray[np.uint8],
    mask: NDArray[np.uint8],
) -> NDArray[np.float32]:  # fmt: skip
    """Return α (n,), where a pixel departs from the mask no further than most of those around it.

    What an object wears is not all of the colour next to it, and what lies around it is not all as it was: of single
    pixels colours say little. Thin things, which the mask has, stay.
    """
    deep = inside.astype(np.uint16) * np.uint16(257)
    deep[rows, columns] = np.rint(65535 * share)
    usual = cv2.medianBlur(deep, NEIGHBOURS)[rows, columns] / np.float32(65535)
    m = mask[rows, columns] / np.float32(255)
    return np.asarray(np.clip(usual, np.minimum(share, m), np.maximum(share, m)), np.float32)
