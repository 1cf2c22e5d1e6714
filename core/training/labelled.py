"""What a labelled clip is, whoever draws it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Values

BACKGROUND, SHADOW, NOT_SCORED, FOREGROUND = 0, 50, 85, 255
"""Labels of pixels, in the convention of changedetection.net."""


@dataclass(frozen=True)
class LabelledFrame:
    """A picture and what each of its pixels shows.

    Attributes
    ----------
    picture : (H, W) or (H, W, 3) RGB, uint8 or uint16
    labels : (H, W) uint8
        `BACKGROUND`, `SHADOW` (cast), `NOT_SCORED` (an object covers between a quarter and three quarters of the pixel)
        or `FOREGROUND`.
    """

    picture: Values
    labels: NDArray[np.uint8]


class Clip(Protocol):
    """Frames that follow each other, drawn anew at each reading, the same every time."""

    @property
    def bit_depth(self) -> int:
        """Significant bits of a sample."""

    @property
    def n_frames(self) -> int:
        """How many frames there are."""

    def frames(self) -> Iterator[LabelledFrame]:
        """Yield the frames from the first on."""
