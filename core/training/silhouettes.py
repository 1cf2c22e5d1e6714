"""Whole things in one frame, cut out so tightly that nothing of the old background comes with them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from core.scene.masks.matte import find_matte

LEAST_ROWS = 24
"""Height of the smallest thing that is kept, pixels: a smaller one has no shape to learn from."""

LEAST_SOLIDITY = 0.55
"""Area over that of the convex hull: a person in full stride has about 0.6, torn pieces of a ghost have less."""

MARGIN = 2
"""A thing nearer to the border than this, pixels, may be cut off by it."""

RIM = 6
"""How far from its edge, pixels, a mask of 400 rows holds background: shadows at the feet, the pale rim of codecs."""

FAINT = 0.15
"""What differs from the background by less than this part of the thing's median is no part of it."""

RIM_FAINT = 0.4
"""The same in the rim of its lowest third."""

SHADED, TINTED = (0.55, 1.05), 0.1
"""Shaded ground keeps so much of the background's light, in all channels alike but for `TINTED`: seen between legs."""

HOLE = 0.01
"""A gap of less than this part of a thing is no gap, but a patch of its own that looks like the background."""

NEAR = 0.1
"""Parts of the mask nearer than this part of its height may be torn from the same thing."""

TORN = 0.1
"""A thing with more than this part of its area near it is a piece of a larger one."""

OPAQUE = 0.35
"""Alpha up to here becomes 0, and the rest is stretched: half covered pixels keep a tint of the old background."""


@dataclass(frozen=True)
class Silhouette:
    """One thing in one frame.

    Attributes
    ----------
    patch : (h, w, 4) uint8
        RGB and alpha, not premultiplied; black where nothing is covered.
    top, left : int
        Where the patch lies in the frame, pixels.
    """

    patch: NDArray[np.uint8]
    top: int
    left: int

    @property
    def area(self) -> int:
        """Pixels that it covers for the most part."""
        return int(np.count_nonzero(self.patch[..., 3] > 127))

    def overlap(self, other: Silhouette) -> float:
        """Return how much of both boxes together lies in both, 0 to 1."""
        (h, w), (other_h, other_w) = self.patch.shape[:2], other.patch.shape[:2]
        high = min(self.top + h, other.top + other_h) - max(self.top, other.top)
        wide = min(self.left + w, other.left + other_w) - max(self.left, other.left)
        both = max(high, 0) * max(wide, 0)
        return float(both / (h * w + other_h * other_w - both))


def find_silhouettes(
    picture: NDArray[np.uint8], background: NDArray[np.uint8], mask: NDArray[np.uint8]
) -> list[Silhouette]:
    """Cut out all that is whole in a frame: large enough, solid, and away from the border.

    Parameters
    ----------
    picture, background : (H, W, 3) uint8
        The frame and what lies behind.
    mask : (H, W) uint8
        255 foreground, 0 background.
    """
    found = []
    closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _disc(5)), np.uint8)
    for region in _regions(closed):
        left, top, width, height = cv2.boundingRect(region)
        reach = max(RIM + 1, round(NEAR * height))
        box = slice(max(top - reach, 0), top + height + reach), slice(max(left - reach, 0), left + width + reach)
        shown, behind, whole = (np.ascontiguousarray(part[box]) for part in (picture, background, region))
        if _is_torn(whole, closed[box]):
            continue
        trimmed = _trimmed(whole, shown, behind)
        for outline in _regions(trimmed):
            silhouette = _cut(shown, behind, outline & trimmed, box[0].start, box[1].start)
            if silhouette is not None:
                found.append(silhouette)
    return found


def _regions(mask: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Return each connected region that may be a whole thing, its holes filled, as a mask (H, W)."""
    regions = []
    for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        left, top, width, height = cv2.boundingRect(contour)
        inside = min(left, top) >= MARGIN and left + width <= mask.shape[1] - MARGIN
        if not inside or top + height > mask.shape[0] - MARGIN or height < LEAST_ROWS:
            continue
        if cv2.contourArea(contour) < LEAST_SOLIDITY * cv2.contourArea(cv2.convexHull(contour)):
            continue
        regions.append(np.asarray(cv2.drawContours(np.zeros_like(mask), [contour], -1, 255, cv2.FILLED), np.uint8))
    return regions


def _is_torn(region: NDArray[np.uint8], mask: NDArray[np.uint8]) -> bool:
    """Return whether much else of the mask lies near a region."""
    reach = max(2, round(NEAR * cv2.boundingRect(region)[3]))
    around = cv2.dilate(region, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > region
    return bool(np.count_nonzero(around & (mask > 0)) > TORN * np.count_nonzero(region))


def _trimmed(region: NDArray[np.uint8], picture: NDArray[np.uint8], background: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Take from a region what is background, lit or shaded, then what hangs by a thread."""
    difference = cv2.absdiff(picture, background).max(axis=2)
    core = cv2.erode(region, _disc(2 * RIM + 1))
    reference = np.median(difference[core > 0] if core.any() else difference[region > 0])
    _, top, _, height = cv2.boundingRect(region)
    rows = (np.arange(region.shape[0])[:, None] - top) / height
    light = picture.astype(np.float32) / np.maximum(background, 1)
    shaded = (np.ptp(light, axis=2) < TINTED) & (light.min(axis=2) > SHADED[0]) & (light.max(axis=2) < SHADED[1])
    faint = difference < FAINT * reference
    faint |= (difference < RIM_FAINT * reference) & (region > core) & (rows > 2 / 3)
    faint |= shaded & (rows > 1 / 2)
    # Clothes have specks that look like the background; what is truly background is wider than a speck.
    seen_through = cv2.morphologyEx(np.where(faint, region, np.uint8(0)), cv2.MORPH_OPEN, _disc(3))
    kept = np.where(seen_through > 0, np.uint8(0), region)
    kept = np.asarray(cv2.morphologyEx(kept, cv2.MORPH_OPEN, _disc(3)), np.uint8)
    gaps = (region > kept).astype(np.uint8)
    _, numbers, figures, _ = cv2.connectedComponentsWithStats(gaps, connectivity=4)
    small = figures[:, cv2.CC_STAT_AREA] < HOLE * np.count_nonzero(region)
    outer = np.unique(numbers[(cv2.dilate(255 - region, _disc(3)) > 0) & (gaps > 0)])
    small[0] = False
    small[outer] = False
    kept[small[numbers]] = 255
    return kept


def _cut(
    picture: NDArray[np.uint8], background: NDArray[np.uint8], part: NDArray[np.uint8], top: int, left: int
) -> Silhouette | None:
    """Cut out one region by its matte, of a picture that begins at ``top``, ``left``; None where little is left."""
    patch = np.asarray(find_matte(picture, background, part, 255).cut_out(picture, 255), np.uint8)
    alpha = np.clip((patch[..., 3] / 255 - OPAQUE) / (1 - OPAQUE), 0, 1)
    alpha[part == 0] = 0
    patch[..., 3] = np.rint(255 * alpha)
    patch[patch[..., 3] == 0] = 0
    rows, columns = (np.flatnonzero(patch[..., 3].any(axis=axis)) for axis in (1, 0))
    if not rows.size or rows[-1] - rows[0] + 1 < LEAST_ROWS:
        return None
    patch = patch[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].copy()
    return Silhouette(patch, top + int(rows[0]), left + int(columns[0]))


def _disc(size: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
