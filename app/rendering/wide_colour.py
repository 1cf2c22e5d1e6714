"""How samples of wide colour and of high dynamic range look on an ordinary screen. No Qt here.

For display alone, and in the little time that each picture on screen may take: colours near grey are exact, strong ones
close. An ordinary screen is one for BT.709, or sRGB. HLG is made to be shown on those as it is, with white paper at
three quarters; PQ is shown as the HLG signal of the same light (ITU-R BT.2100; BT.2408 has paper at 203 cd/m²).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.colour import BT709, BT2020, DCI_P3, DISPLAY_P3, PQ, ColourStandard

_D65 = (0.3127, 0.3290)
_P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
_CHROMATICITIES = {
    BT709: ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060)),
    BT2020: ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
    DCI_P3: _P3,
    DISPLAY_P3: _P3,
}
"""x and y of red, green and blue. Grey stays grey: the white of DCI-P3, which is greenish, is taken for that of the
others."""

_BRIGHTEST = 10_000.0
"""Light of PQ's largest sample, cd/m²."""

_HLG_BRIGHTEST, _HLG_GAMMA = 1000.0, 1.2
"""Light of HLG's largest sample on a display of reference, cd/m², and the exponent from a scene's light to that."""


@dataclass(frozen=True)
class WideColour:
    """What samples stand for that an ordinary screen would show otherwise.

    Attributes
    ----------
    standard : ColourStandard
    white : int
        The largest sample.
    """

    standard: ColourStandard
    white: int

    @classmethod
    def of(cls, standard: ColourStandard | None, white: int) -> WideColour | None:
        """Return it, or None where samples are shown as they are."""
        return None if standard is None or standard.is_usual else cls(standard, white)

    @property
    def bends(self) -> bool:
        """Whether the curve of the samples is another than screens have."""
        return self.standard.transfer == PQ

    def signal(self, samples: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how bright samples are on screen, as its own signal: black 0, white 1; without a bend, their share."""
        share = samples / self.white
        return hlg_signal(pq_light(share)) if self.bends else share

    def on_screen(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a picture (H, W, 3) in the primaries of screens; grey (H, W) as it is."""
        if picture.ndim == 2 or self.standard.primaries not in {BT2020, DCI_P3, DISPLAY_P3}:
            return picture
        return np.asarray(cv2.transform(picture, to_bt709(self.standard.primaries)), np.uint8)


def pq_light(signal: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the light of a PQ signal from 0 to 1, cd/m² (BT.2100, table 4: its EOTF)."""
    m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
    root = np.clip(signal, 0, 1) ** (1 / m2)
    return np.asarray(_BRIGHTEST * (np.maximum(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1), np.float64)


def hlg_signal(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the HLG signal of grey light in cd/m², 1 from 1000 on (BT.2100, table 5: its inverse EOTF)."""
    a = 0.17883277
    b, c = 1 - 4 * a, 0.5 - a * np.log(4 * a)
    scene = np.clip(light / _HLG_BRIGHTEST, 0, 1) ** (1 / _HLG_GAMMA)
    bright = a * np.log(np.maximum(12 * scene, 1) - b) + c
    return np.where(scene <= 1 / 12, np.sqrt(3 * scene), bright)


@lru_cache
def to_bt709(primaries: int) -> NDArray[np.float32]:
    """Return the matrix (3, 3) that takes RGB of other primaries to RGB of BT.709; its rows sum to 1."""
    return np.asarray(np.linalg.solve(_to_xyz(BT709), _to_xyz(primaries)), np.float32)


def _to_xyz(primaries: int) -> NDArray[np.float64]:
    red, green, blue, white = (np.array([x / y, 1.0, (1 - x - y) / y]) for x, y in (*_CHROMATICITIES[primaries], _D65))
    colours = np.column_stack([red, green, blue])
    return np.asarray(colours * np.linalg.solve(colours, white), np.float64)
