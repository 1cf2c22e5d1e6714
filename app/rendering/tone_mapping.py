"""From a picture to what the screen shows of it: reduce, set the contrast, lay the mask over. No Qt here.

Only the visible part is touched, and it is reduced to the size on screen before anything else happens to it, so the
cost follows the window, not the video. None of this changes the values that are read out or saved.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rendering.colour_tables import GREY, screen_table
from app.rendering.wide_colour import WideColour
from core.frames.frame import Values

_SAMPLES = 40_000
_CONTOUR = np.ones((3, 3), np.uint8)
_LEAST_SIGNAL = 1e-6
"""From black to white, where both are as bright as can be shown."""

LEAST_REACH = 4
"""Samples to either side of zero at least: rounding alone differs by one, and is not to look like something."""

Sample = TypeVar("Sample", bound=np.uint8 | np.uint16)


@dataclass(frozen=True)
class Levels:
    """The samples shown as black and as white.

    Attributes
    ----------
    low, high : int
        In samples; ``high > low``.
    """

    low: int
    high: int


@dataclass(frozen=True)
class Tone:
    """How samples become colours of the screen.

    Attributes
    ----------
    levels : Levels
    gamma : float
        Exponent between black and white: below 1 the dark parts are brightened.
    table : str
        Key of a table of `app.rendering.colour_tables`.
    """

    levels: Levels
    gamma: float = 1.0
    table: str = GREY


@dataclass(frozen=True)
class Part:
    """A rectangle of a picture, and how many screen pixels it covers.

    Attributes
    ----------
    x, y, width, height : int
        In picture pixels.
    screen_width, screen_height : int
        In pixels of the screen.
    """

    x: int
    y: int
    width: int
    height: int
    screen_width: int
    screen_height: int

    def on(self, size: tuple[int, int], picture: NDArray[np.generic]) -> Part:
        """Return the same part, given in pixels of a picture of a size (width, height), of a smaller version of it."""
        height, width = picture.shape[:2]
        if (width, height) == size:
            return self
        x, y = self.x * width // size[0], self.y * height // size[1]
        right = -(-(self.x + self.width) * width // size[0])
        bottom = -(-(self.y + self.height) * height // size[1])
        return Part(x, y, right - x, bottom - y, self.screen_width, self.screen_height)

    def of(self, picture: NDArray[Sample]) -> NDArray[Sample]:
        """Return this part of a picture, a view."""
        return picture[self.y : self.y + self.height, self.x : self.x + self.width]


def is_8_bit(picture: Values) -> TypeGuard[NDArray[np.uint8]]:
    """Tell whether the samples of a picture have 8 bits."""
    return picture.dtype == np.uint8


def white_of(picture: Values) -> int:
    """Return the largest sample that a picture's type can hold."""
    return 255 if is_8_bit(picture) else 65535


def percentile_levels(picture: Values, low: float = 1.0, high: float = 99.0) -> Levels:
    """Return levels at percentiles of a picture, estimated from at most about 40,000 pixels spread over it."""
    height, width = picture.shape[:2]
    step = max(1, int(np.sqrt(height * width / _SAMPLES)))
    a, b = np.percentile(picture[::step, ::step], (low, high))
    return Levels(int(a), max(int(np.ceil(b)), int(a) + 1))


def symmetric_levels(picture: Values, zero: int) -> Levels:
    """Return levels around a zero in the middle that leave out what `percentile_levels` does, and are never narrow."""
    found = percentile_levels(picture)
    reach = max(abs(found.low - zero), abs(found.high - zero), LEAST_REACH)
    return Levels(zero - reach, zero + reach)


def steady(before: Levels, now: Levels) -> Levels:
    """Return the levels of the frame before unless these moved noticeably: a display that breathes disturbs."""
    near = (now.high - now.low) * 0.03
    return before if abs(before.low - now.low) <= near and abs(before.high - now.high) <= near else now


def reduce(picture: NDArray[Sample], part: Part) -> NDArray[Sample]:
    """Return a part of a picture at its size on screen.

    Reduced by areas (halved until less than a half remains, then linearly: a tenth of the cost of one exact area
    filter, and no pixel is skipped); enlarged by repeating pixels, for here people look at single pixels.
    """
    size = (part.screen_width, part.screen_height)
    piece = part.of(picture)
    while piece.shape[1] >= 2 * size[0] and piece.shape[0] >= 2 * size[1]:
        # An odd last row or column is left out, so that the halving is exact and fast.
        piece = piece[: piece.shape[0] // 2 * 2, : piece.shape[1] // 2 * 2]
        half = (piece.shape[1] // 2, piece.shape[0] // 2)
        piece = np.asarray(cv2.resize(piece, half, interpolation=cv2.INTER_AREA), picture.dtype)
    if (piece.shape[1], piece.shape[0]) != size:
        how = cv2.INTER_LINEAR if piece.shape[1] > size[0] else cv2.INTER_NEAREST
        piece = np.asarray(cv2.resize(piece, size, interpolation=how), picture.dtype)
    return np.ascontiguousarray(piece)


def to_8_bit(picture: Values, levels: Levels, gamma: float = 1.0, wide: WideColour | None = None) -> NDArray[np.uint8]:
    """Return a picture in 8 bits, with ``levels.low`` as 0 and ``levels.high`` as 255.

    Where its samples are of ``wide`` colour, they are brought to what the screen is made for.
    """
    if wide is not None:
        flat = _bent(picture, levels, gamma, wide) if wide.bends else to_8_bit(picture, levels, gamma)
        return wide.on_screen(flat)
    if is_8_bit(picture) and levels == Levels(0, 255) and gamma == 1:
        return picture
    if is_8_bit(picture):
        return np.asarray(cv2.LUT(picture, _curve(256, levels, gamma)), np.uint8)
    if gamma != 1:
        return np.take(_curve(65536, levels, gamma), picture)
    # Four channels of the same number: OpenCV applies a bare number to the first channel only.
    scale = 255.0 / (levels.high - levels.low)
    black = (max(levels.low, 0),) * 4
    shifted = cv2.subtract(picture, black)  # type: ignore[call-overload] # OpenCV's stubs leave numbers out
    return np.asarray(cv2.convertScaleAbs(shifted, alpha=scale, beta=max(-levels.low, 0) * scale), np.uint8)


def _bent(picture: Values, levels: Levels, gamma: float, wide: WideColour) -> NDArray[np.uint8]:
    curve = _curve(256 if is_8_bit(picture) else 65536, levels, gamma, wide)
    return np.asarray(cv2.LUT(picture, curve), np.uint8)


@lru_cache(maxsize=32)
def _curve(n: int, levels: Levels, gamma: float, wide: WideColour | None = None) -> NDArray[np.uint8]:
    """Return what each of ``n`` samples becomes."""
    shown, ends = np.arange(n, dtype=np.float64), np.array([levels.low, levels.high], np.float64)
    if wide is not None:
        shown, ends = wide.signal(shown), wide.signal(ends)
    share = np.clip((shown - ends[0]) / max(ends[1] - ends[0], _LEAST_SIGNAL), 0, 1)
    curve: NDArray[np.uint8] = np.rint(255 * share**gamma).astype(np.uint8)
    return curve


def to_screen(picture: NDArray[np.uint8], table: str = GREY) -> NDArray[np.uint8]:
    """Return (h, w, 4) in the byte order B, G, R, 255 that the screen takes without conversion.

    In another ``table`` than grey its luma is shown, in the colours of that.
    """
    if table == GREY:
        how = cv2.COLOR_GRAY2BGRA if picture.ndim == 2 else cv2.COLOR_RGB2BGRA
        return np.asarray(cv2.cvtColor(picture, how), np.uint8)
    grey = picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
    return np.take(screen_table(table), grey)[..., None].view(np.uint8)


def reduce_mask(mask: NDArray[np.uint8], part: Part) -> NDArray[np.uint8]:
    """Return a part of a mask at its size on screen, 0 or 255; a speck of one pixel does not vanish when reduced."""
    limit = 63 if part.screen_width < part.width else 127
    return np.asarray(cv2.threshold(reduce(mask, part), limit, 255, cv2.THRESH_BINARY)[1], np.uint8)


def lay_over(screen: NDArray[np.uint8], mask: NDArray[np.uint8], tint: tuple[int, int, int]) -> NDArray[np.uint8]:
    """Tint a picture where a mask is set, with a contour one screen pixel wide.

    Parameters
    ----------
    screen : (h, w, 4) uint8
        From `to_screen`; is written to.
    mask : (h, w) uint8
        0 or 255.
    tint : tuple of int
        RGB.

    Returns
    -------
    (h, w, 4) uint8
        ``screen``.
    """
    x, y, width, height = cv2.boundingRect(mask)
    if not width:
        return screen
    # Only the rectangle that holds the mask is blended.
    inside, piece = mask[y : y + height, x : x + width], screen[y : y + height, x : x + width]
    solid = np.empty_like(piece)
    solid[:] = (tint[2], tint[1], tint[0], 255)
    cv2.copyTo(cv2.addWeighted(piece, 0.5, solid, 0.5, 0), inside, piece)
    inner = cv2.erode(inside, _CONTOUR, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    cv2.copyTo(solid, cv2.subtract(inside, inner), piece)
    return screen


def pixel_text(samples: NDArray[np.generic]) -> str:
    """Return the samples of a pixel as people read them, such as ``134 126 118``."""
    return " ".join(str(int(sample)) for sample in np.atleast_1d(samples))
