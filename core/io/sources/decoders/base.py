"""What every decoder of image files gives: the size by the header first, the samples then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Values


class Unreadable(Exception):  # noqa: N818 - a word of this package, not an error for people
    """A file is no image that can be used; the text ends a sentence that begins with the file's name."""


DAMAGED = "is damaged or not an image"
"""The text where no more is known."""


_UPRIGHT: Mapping[int, Callable[[np.ndarray], np.ndarray]] = {
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.swapaxes(0, 1),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: a[::-1, ::-1].swapaxes(0, 1),
    8: np.rot90,
}
"""How an image (H, W, …) becomes upright, by the numbers of EXIF; 1 is upright."""


@dataclass(frozen=True)
class Decoded:
    """An image as it is to be seen: upright, red first, without alpha.

    Attributes
    ----------
    image : (H, W) grey or (H, W, 3) RGB, uint8 or uint16
    bit_depth : int
        Significant bits: those of the type, or fewer where the file says so.
    had_alpha : bool
        Was an alpha channel left out?
    """

    image: Values
    bit_depth: int
    had_alpha: bool


@dataclass(frozen=True)
class Undecoded:
    """An image of which nothing is known but what its header says.

    Attributes
    ----------
    size : (int, int)
        Width and height as decoded, pixels; they may be swapped when the image is upright.
    decode : callable
        Gives the image; raises `Unreadable`, or MemoryError where there is too little for it.
    """

    size: tuple[int, int]
    decode: Callable[[], Decoded]


def upright(image: np.ndarray, orientation: int) -> np.ndarray:
    """Return an image (H, W, …) turned as a number of EXIF says; as it is, where there is no such number."""
    turn = _UPRIGHT.get(orientation)
    return image if turn is None else turn(image)


def fitting(image: np.ndarray, bit_depth: int) -> Values:
    """Return samples, none of which is above the largest of ``bit_depth``: what damaged files hold may be.

    Parameters
    ----------
    image : (H, W) or (H, W, 3), uint8 or uint16
    bit_depth : int

    Returns
    -------
    the same in the machine's byte order, uint8 for 8 bits and uint16 for more, contiguous
    """
    samples: Values = np.ascontiguousarray(image, np.uint8 if bit_depth == 8 else np.uint16)
    return samples if bit_depth in {8, 16} else np.minimum(samples, np.uint16((1 << bit_depth) - 1))


def scaled(image: np.ndarray, largest: int) -> NDArray[np.uint8]:
    """Return samples (uint8) of which ``largest``, below 255, is white, with white at 255, as OpenCV scales."""
    levels = np.minimum(np.arange(256), largest) * 255 // largest
    shown: NDArray[np.uint8] = levels.astype(np.uint8)[image]
    return shown
