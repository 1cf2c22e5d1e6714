"""Colour conversion at the edges: the samples of a video to the RGB that screens and files show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from core.kernels import colour as kernels
from core.runtime import bands

Samples = NDArray[np.uint8 | np.uint16]
"""Integer samples: uint8 for 8 bits, uint16 for 9 to 16."""

Matrix = Literal["bt601", "bt709", "bt2020"]
"""How luma and chroma are made from RGB: after ITU-R BT.601, BT.709 or BT.2020 (of luminance that is not constant)."""

LUMA_WEIGHTS: dict[Matrix, tuple[float, float]] = {
    "bt601": (0.299, 0.114), "bt709": (0.2126, 0.0722), "bt2020": (0.2627, 0.0593),
}  # fmt: skip
"""Weights of red and blue in luma."""

BT709, BT470BG, SMPTE170M, BT2020 = 1, 5, 6, 9
"""Numbers that ISO/IEC 23091-2 gives standards of primaries, transfer curves and matrices."""

DCI_P3, DISPLAY_P3 = 11, 12
"""Those of other primaries that are wider than BT.709's."""

BT2020_10_BITS, BT2020_12_BITS, PQ, HLG = 14, 15, 16, 18
"""Those of other transfer curves: BT.709's as BT.2020 has it, and the two of high dynamic range (ITU-R BT.2100)."""

_USUAL = frozenset({BT709, BT470BG, SMPTE170M})
_AS_BT709 = frozenset({BT2020_10_BITS, BT2020_12_BITS})
_WIDE = {BT2020: "BT.2020", DCI_P3: "DCI-P3", DISPLAY_P3: "Display P3"}
_HIGH_RANGE = {PQ: "PQ", HLG: "HLG"}


@dataclass(frozen=True)
class ColourStandard:
    """What the samples of a film stand for.

    Attributes
    ----------
    matrix : Matrix
    primaries, transfer : int
        Of `PRIMARIES` and `TRANSFERS`.
    """

    matrix: Matrix
    primaries: int
    transfer: int

    @property
    def is_usual(self) -> bool:
        """Tell whether it is near enough to what viewers take pictures for that say nothing."""
        return self.primaries in _USUAL and self.transfer in _USUAL | _AS_BT709

    @property
    def is_high_range(self) -> bool:
        """Tell whether it is of high dynamic range: it has room for light far brighter than white paper."""
        return self.transfer in _HIGH_RANGE

    @property
    def title(self) -> str:
        """What is not usual of it, such as ``BT.2020, HLG``."""
        known = _WIDE.get(self.primaries), _HIGH_RANGE.get(self.transfer)
        return ", ".join(title for title in known if title)


PRIMARIES = _USUAL | _WIDE.keys()
TRANSFERS = _USUAL | _AS_BT709 | _HIGH_RANGE.keys()
"""Primaries and transfer curves that films of results can say."""


STANDARDS: dict[Matrix, ColourStandard] = {
    "bt601": ColourStandard("bt601", SMPTE170M, SMPTE170M),
    "bt709": ColourStandard("bt709", BT709, BT709),
    "bt2020": ColourStandard("bt2020", BT2020, BT2020_10_BITS),
}
"""What films of a matrix are taken for that say nothing else."""

SWS_MATRICES: dict[Matrix, int] = {"bt601": 5, "bt709": 1, "bt2020": 9}
"""Numbers that libswscale gives matrices."""

HD_HEIGHT = 720
"""From this height on films are BT.709, below BT.601, as players assume where nothing is said."""

VIDEO_BLACK, VIDEO_LUMA_SPAN, VIDEO_CHROMA_SPAN = 16, 219, 224
"""Video levels of 8 bits: luma of no light, luma from there to full light, and chroma from end to end."""


def usual_matrix(height: int) -> Matrix:
    """Return the matrix of films of this height that say nothing of it."""
    return "bt709" if height >= HD_HEIGHT else "bt601"


def ycc_of_rgb(matrix: Matrix) -> NDArray[np.float64]:
    """Return what red, green and blue count for in luma and in the two planes of chroma, rows of (3, 3), full range."""
    red, blue = LUMA_WEIGHTS[matrix]
    luma = np.array([red, 1 - red - blue, blue])
    of_blue, of_red = (np.eye(3)[2] - luma) / (2 * (1 - blue)), (np.eye(3)[0] - luma) / (2 * (1 - red))
    return np.stack([luma, of_blue, of_red])


def expand(luma: Samples, bit_depth: int, full_range: bool) -> Samples:
    """Return luma at full range: (H, W), of the same type; video levels are stretched, others returned as they are."""
    if full_range:
        return luma
    unit, white = 1 << (bit_depth - 8), (1 << bit_depth) - 1
    levels = np.arange(white + 1, dtype=np.float64)
    stretched = (levels - VIDEO_BLACK * unit) * (white / (VIDEO_LUMA_SPAN * unit))
    table = np.clip(np.rint(stretched), 0, white).astype(luma.dtype)
    return np.take(table, luma)


def to_video_levels(luma: Samples, out: Samples) -> None:
    """Write full-range luma as video levels: of 8 bits, where that is the inverse of `expand`, or of 10.

    Parameters
    ----------
    luma : (H, W) uint8 or uint16
        White is 255 or 65535.
    out : (H, W), of the same type
        Written: levels of 8 bits, or of 10.
    """
    white, unit = int(np.iinfo(luma.dtype).max), 1 if luma.dtype == np.uint8 else 4
    levels = np.arange(white + 1) * (VIDEO_LUMA_SPAN * unit / white) + VIDEO_BLACK * unit
    table = np.rint(levels).astype(luma.dtype)
    if luma.dtype == np.uint8:
        cv2.LUT(luma, table, dst=out)
    else:
        np.take(table, luma, out=out, mode="clip")  # Nothing is clipped; any other mode copies first.


def quantise(vector: NDArray[np.floating], white: int, dtype: type[np.uint8] | type[np.uint16]) -> Samples:
    """Round a vector (F,) in units of white (1 is ``white``) to whole samples of ``dtype``, clipped to [0, white]."""
    out: Samples = np.empty(vector.size, dtype)
    bands.run(kernels.quantise_band, out.size, vector, np.float32(white), out)
    return out


def ycc_to_rgb(y: Samples, cb: Samples, cr: Samples, bit_depth: int, full_range: bool, matrix: Matrix) -> Samples:
    """Return the RGB picture of luma and chroma.

    Parameters
    ----------
    y : (H, W) uint8 or uint16
    cb, cr : (H, W) or (⌈H/2⌉, ⌈W/2⌉), of the same type
    bit_depth : int
        Significant bits, 8 to 16.
    full_range : bool
        False for video levels.
    matrix : Matrix

    Returns
    -------
    (H, W, 3) RGB of the same type, full range. Chroma of half the size is enlarged bilinearly.
    """
    height, width = y.shape

    def at_full_size(chroma: Samples) -> Samples:
        if chroma.shape == y.shape:
            return chroma
        size = (2 * chroma.shape[1], 2 * chroma.shape[0])
        return np.asarray(cv2.resize(chroma, size, interpolation=cv2.INTER_LINEAR)[:height, :width], chroma.dtype)

    blue_part, red_part = at_full_size(cb), at_full_size(cr)
    unit, white = 1 << (bit_depth - 8), (1 << bit_depth) - 1
    video = (VIDEO_LUMA_SPAN * unit, VIDEO_CHROMA_SPAN * unit, VIDEO_BLACK * unit)
    luma_span, chroma_span, black = (white, white, 0) if full_range else video
    red, blue = LUMA_WEIGHTS[matrix]
    out = np.empty((height, width, 3), y.dtype)
    kernels.matrix_to_rgb(
        y, blue_part, red_part,
        np.float32(white / luma_span), np.float32(black), np.float32(128 * unit),
        np.float32(2 * (1 - red) * white / chroma_span), np.float32(2 * (1 - blue) * white / chroma_span),
        np.float32(red), np.float32(blue), np.float32(white), out,
    )  # fmt: skip
    return out


def rgb_to_ycc(picture: Samples, bit_depth: int, full_range: bool, matrix: Matrix) -> tuple[Samples, Samples, Samples]:
    """Return luma (H, W) and half-size chroma of a full-range RGB picture (H, W, 3): what `ycc_to_rgb` takes."""
    unit, white = 1 << (bit_depth - 8), (1 << bit_depth) - 1
    video = (VIDEO_LUMA_SPAN * unit, VIDEO_CHROMA_SPAN * unit, VIDEO_BLACK * unit)
    luma_span, chroma_span, black = (white, white, 0) if full_range else video
    red, blue = LUMA_WEIGHTS[matrix]
    light = picture.astype(np.float64) / white
    luma = light @ np.array([red, 1 - red - blue, blue])

    def half(difference: NDArray[np.float64]) -> Samples:
        height, width = difference.shape
        even = cv2.copyMakeBorder(difference, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
        size = (even.shape[1] // 2, even.shape[0] // 2)
        mean = np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.float64)
        return samples(mean * chroma_span + 128 * unit)

    def samples(values: NDArray[np.float64]) -> Samples:
        out: Samples = np.clip(np.rint(values), 0, white).astype(picture.dtype)
        return out

    blue_part, red_part = ((light[..., k] - luma) / (2 * (1 - weight)) for k, weight in ((2, blue), (0, red)))
    return samples(luma * luma_span + black), half(blue_part), half(red_part)
