"""Pictures of differences: samples with a sign, kept as unsigned ones around a zero in the middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LARGEST_EXACT = 32767
"""White up to which differences of samples fit into 16 bits as they are; beyond it they are halved."""


@dataclass(frozen=True)
class Scale:
    """What a sample of a picture stands for: ``(sample - zero) * step`` samples of the input.

    Attributes
    ----------
    zero : int
    step : int
    top : int
        The largest sample.
    """

    zero: int
    step: int
    top: int

    @property
    def is_signed(self) -> bool:
        """Whether values below 0 can be shown."""
        return self.zero > 0

    def value(self, sample: int) -> int:
        """Return what a sample stands for."""
        return (sample - self.zero) * self.step

    def sample(self, value: float) -> int:
        """Return the sample that stands for a value, one that can be shown."""
        return min(max(round(value / self.step) + self.zero, 0), self.top)


def unsigned(white: int) -> Scale:
    """Return the scale of samples as they are."""
    return Scale(0, 1, white)


def signed(white: int) -> Scale:
    """Return the scale of differences between samples of 0 to ``white``."""
    step = 1 if white <= LARGEST_EXACT else 2
    zero = -(-(white + 1) // step)
    return Scale(zero, step, 2 * zero - 1)


def signed_picture(values: NDArray[np.floating] | NDArray[np.signedinteger], white: int) -> NDArray[np.uint16]:
    """Return a picture of values with a sign, on the scale ``signed(white)``.

    Parameters
    ----------
    values : (H, W) float or signed integer
        In samples, from ``-white`` to ``white``; what lies beyond is cut.
    white : int
    """
    scale = signed(white)
    shifted = np.rint(values * np.float32(1 / scale.step)) if scale.step > 1 or values.dtype.kind == "f" else values
    samples: NDArray[np.uint16] = np.clip(shifted + scale.zero, 0, scale.top).astype(np.uint16)
    return samples
