"""A small brush for the drawn samples: smooth-edged shapes on a layer with alpha."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
"""Red, green, blue, each 0 to 255."""
Points = Sequence[tuple[float, float]]
"""Corners x, y in pixels; y points down."""
Layer = NDArray[np.float32]
"""(4, H, W): red, green, blue multiplied by alpha, 0 to 255, and alpha, 0 to 1."""

_SHIFT = 4
"""Bits of a fine pixel's fraction in OpenCV's drawing calls."""


def shade(colour: Colour, factor: float) -> Colour:
    """Return a colour made lighter or darker."""
    red, green, blue = (min(255.0, c * factor) for c in colour)
    return red, green, blue


def rounded(points: Points, times: int = 2) -> Points:
    """Return a polygon with its corners cut ``times`` times (Chaikin), which tends to a smooth curve."""
    corners = np.array(points, np.float64)
    for _ in range(times):
        after = np.roll(corners, -1, axis=0)
        corners = np.stack([0.75 * corners + 0.25 * after, 0.25 * corners + 0.75 * after], axis=1).reshape(-1, 2)
    return [(float(x), float(y)) for x, y in corners]


class Canvas:
    """A layer drawn ``fine`` times larger than it will be, then averaged.

    Parameters
    ----------
    width, height : int
        Size of the layer, pixels.
    origin : (x, y)
        Where in the layer the coordinates of shapes start, pixels.
    unit : float
        Pixels in one unit of the coordinates of shapes.
    fine : int
    """

    def __init__(
        self, width: int, height: int, origin: tuple[float, float] = (0, 0), unit: float = 1.0, fine: int = 4
    ) -> None:
        self._pixels = np.zeros((height * fine, width * fine, 4), np.float32)
        self._origin = np.array(origin, np.float64)
        self._scale = unit * fine
        self._fine = fine

    def polygon(self, points: Points, colour: Colour, low: Colour | None = None, alpha: float = 1.0) -> None:
        """Fill a polygon, with a gradient from ``colour`` at its top to ``low`` at its bottom where given."""
        corners = np.array(points, np.float64) * self._scale + self._origin * self._fine
        if low is None and alpha == 1.0:
            fixed = np.rint((corners - 0.5) * (1 << _SHIFT)).astype(np.int32)
            cv2.fillPoly(self._pixels, [fixed], (*colour, 1.0), cv2.LINE_8, _SHIFT)
            return
        left, top = np.floor(corners.min(axis=0)).astype(int) - 1
        right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 2
        height, width = self._pixels.shape[:2]
        left, top, right, bottom = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
        if left >= right or top >= bottom:
            return
        cover = np.zeros((bottom - top, right - left), np.uint8)
        fixed = np.rint((corners - (left, top) - 0.5) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(cover, [fixed], 255, cv2.LINE_8, _SHIFT)
        blend = (cover[..., None] > 0) * np.float32(alpha)
        paint = np.empty((bottom - top, 1, 4), np.float32)
        lowest, highest = corners[:, 1].max(), corners[:, 1].min()
        along = np.clip((np.arange(top, bottom) - highest) / max(lowest - highest, 1), 0, 1)[:, None]
        paint[:, 0, :3] = np.array(colour) * (1 - along) + np.array(low or colour) * along
        paint[:, 0, 3] = 1
        part = self._pixels[top:bottom, left:right]
        part += blend * (paint - part)

    def box(
        self, x: float, y: float, width: float, height: float, colour: Colour, low: Colour | None = None,
        alpha: float = 1.0,
    ) -> None:  # fmt: skip
        """Fill a rectangle given by its upper left corner."""
        self.polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], colour, low, alpha)

    def ellipse(
        self, x: float, y: float, rx: float, ry: float, colour: Colour, low: Colour | None = None, alpha: float = 1.0,
        turn: float = 0.0,
    ) -> None:  # fmt: skip
        """Fill an ellipse about a centre, turned by ``turn`` radians."""
        angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        across, down = rx * np.cos(angles), ry * np.sin(angles)
        xs = x + across * np.cos(turn) - down * np.sin(turn)
        ys = y + across * np.sin(turn) + down * np.cos(turn)
        self.polygon(list(zip(xs.tolist(), ys.tolist(), strict=True)), colour, low, alpha)

    def limb(
        self, start: tuple[float, float], end: tuple[float, float], thick: float, thin: float, colour: Colour
    ) -> None:
        """Fill a round-ended bar that narrows from ``thick`` to ``thin``."""
        (x0, y0), (x1, y1) = start, end
        turn = np.arctan2(y1 - y0, x1 - x0)
        outline = []
        for (x, y), width, middle in (((x0, y0), thick, turn + np.pi), ((x1, y1), thin, turn)):
            angles = middle + np.linspace(-np.pi / 2, np.pi / 2, 12)
            outline += [(x + width / 2 * float(np.cos(a)), y + width / 2 * float(np.sin(a))) for a in angles]
        self.polygon(outline, colour)

    def texture(self, amount: NDArray[np.float32]) -> None:
        """Multiply the colours by ``1 + amount``, (H, W) in layer pixels."""
        height, width = self._pixels.shape[:2]
        grown = cv2.resize(amount, (width, height), interpolation=cv2.INTER_LINEAR)
        self._pixels[..., :3] *= 1 + grown[..., None]

    def layer(self) -> Layer:
        """Return what was drawn, at its size."""
        height, width = self._pixels.shape[:2]
        size = (width // self._fine, height // self._fine)
        return planar(np.asarray(cv2.resize(self._pixels, size, interpolation=cv2.INTER_AREA), np.float32))


def planar(pixels: NDArray[np.number]) -> Layer:
    """Return pixels (H, W, 4) as a layer."""
    return np.ascontiguousarray(pixels.transpose(2, 0, 1), np.float32)


def softened(layer: Layer, spread: float) -> Layer:
    """Return a layer blurred by ``spread`` pixels."""
    return np.stack([cv2.GaussianBlur(plane, (0, 0), spread) for plane in layer]).astype(np.float32, copy=False)


def speckle(rng: np.random.Generator, height: int, width: int, grain: float) -> NDArray[np.float32]:
    """Return a random field (height, width) of mean 0 and deviation 1, with blotches of about ``grain`` pixels."""
    field = cv2.GaussianBlur(rng.standard_normal((height, width), dtype=np.float32), (0, 0), grain)
    return np.asarray((field - field.mean()) / field.std(), np.float32)


def lay_over(
    picture: NDArray[np.float32], layer: Layer, x: float, y: int
) -> tuple[slice, slice, NDArray[np.float32]] | None:
    """Lay a layer over a picture (3, H, W) in place, its upper left corner at (x, y).

    Parts of a pixel in ``x`` are interpolated.

    Returns
    -------
    rows, columns, alpha
        Where it fell and how much it covers there, (h, w); None where it is out of the picture.
    """
    whole = int(np.floor(x))
    height, width = picture.shape[1:]
    tall, wide = layer.shape[1:]
    left, right = max(whole, 0), min(whole + wide, width)
    top, bottom = max(y, 0), min(y + tall, height)
    if left >= right or top >= bottom:
        return None
    seen = layer[:, top - y : bottom - y, left - whole : right - whole]
    part_right = np.float32(x - whole)
    if part_right:
        # Layers have an empty margin, so that nothing is lost where one column too few is moved.
        seen = seen * (1 - part_right)
        start = left - whole
        before = layer[:, top - y : bottom - y, max(start - 1, 0) : right - whole - 1] * part_right
        seen[:, :, seen.shape[2] - before.shape[2] :] += before
    rows, columns = slice(top, bottom), slice(left, right)
    part = picture[:, rows, columns]
    part *= 1 - seen[3]
    part += seen[:3]
    return rows, columns, seen[3]
