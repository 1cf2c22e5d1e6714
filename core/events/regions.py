"""The connected regions of a mask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from core.events.necks import cut_at_necks

Corners = NDArray[np.float64]
"""(N, 4): left, top, right and bottom of each box, pixels; right and bottom lie behind the last pixel."""


class Box(NamedTuple):
    """A rectangle around something: its first column and row, width and height, and the pixels of it that are set."""

    x: int
    y: int
    width: int
    height: int
    area: int

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle: column and row, pixels."""
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass(frozen=True)
class Regions:
    """Regions of one frame.

    Attributes
    ----------
    corners : (N, 4) float64
    areas : (N,) int64
        Pixels that are set.
    labels : (H, W) int32
        Of each pixel the number of its region, from 1; 0 where none is.
    """

    corners: Corners
    areas: NDArray[np.int64]
    labels: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.areas)

    def box(self, members: list[int]) -> Box:
        """Return the box around some of the regions, and the pixels of them all."""
        left, top = self.corners[members, :2].min(axis=0)
        right, bottom = self.corners[members, 2:].max(axis=0)
        return Box(int(left), int(top), int(right - left), int(bottom - top), int(self.areas[members].sum()))

    def split(self, region: int, where: Corners) -> list[Box | None]:
        """Return a region in parts: each pixel goes to the box (N, 4) to whose middle it is nearest, in its own size.

        None for a box to which no pixel goes.
        """
        left, top, right, bottom = self.corners[region].astype(int)
        y, x = np.nonzero(self.labels[top:bottom, left:right] == region + 1)
        pixels = np.stack([x + left, y + top], axis=1)
        middles, sizes = (where[:, :2] + where[:, 2:]) / 2, np.maximum(where[:, 2:] - where[:, :2], 1)
        apart = [(np.abs(pixels + 0.5 - m) / s).max(axis=1) for m, s in zip(middles, sizes, strict=True)]
        nearest = np.argmin(apart, axis=0)
        parts = [pixels[nearest == i] for i in range(len(where))]
        return [_around(part) if len(part) else None for part in parts]


def find_regions(mask: NDArray[np.uint8]) -> Regions:
    """Return the regions of a mask (H, W) uint8, not 0 where it is set; pixels that touch at a corner are connected.

    Things that hang together by a thin neck are regions of their own: see `core.events.necks`.
    """
    _, labels, found, _ = cv2.connectedComponentsWithStats(mask, connectivity=8, ltype=cv2.CV_32S)
    boxes = [Box(*map(int, row)) for row in found[1:]]  # The first is what is not set.
    if boxes:
        _cut(mask, np.asarray(labels, np.int32), boxes)
    rows = np.array(boxes, np.int64).reshape(-1, 5)
    corners = rows[:, :4].astype(np.float64)
    corners[:, 2:] += corners[:, :2]
    return Regions(corners, rows[:, 4], np.asarray(labels, np.int32))


def _cut(mask: NDArray[np.uint8], labels: NDArray[np.int32], boxes: list[Box]) -> None:
    """Cut regions at their necks: the first part keeps the number, further ones get new numbers at the end."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_3)
    for label, box in enumerate(tuple(boxes), 1):
        here = slice(box.y, box.y + box.height), slice(box.x, box.x + box.width)
        inside = labels[here] == label
        parts = cut_at_necks(np.where(inside, depth[here], np.float32(0)))
        for part in range(1, int(parts.max()) + 1 if parts.max() > 1 else 1):
            pixels = inside & (parts == part)
            cut = _around(np.argwhere(pixels)[:, ::-1] + (box.x, box.y))
            if part == 1:
                boxes[label - 1] = cut
            else:
                boxes.append(cut)
                labels[here][pixels] = len(boxes)


def _around(pixels: NDArray[np.int64]) -> Box:
    """Return the box around pixels (N, 2), column and row; there is one at least."""
    (left, top), (right, bottom) = pixels.min(axis=0), pixels.max(axis=0) + 1
    return Box(int(left), int(top), int(right - left), int(bottom - top), len(pixels))


def areas_of(corners: Corners) -> NDArray[np.float64]:
    """Return the area (N,) of boxes, pixels."""
    return np.asarray((corners[:, 2:] - corners[:, :2]).prod(axis=1))
