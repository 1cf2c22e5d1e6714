"""What is said at the end of a run where masks cover much of the picture: the scene may not have been followed."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

MUCH = 1 / 3
"""Part of the picture above which foreground is more than what people film, traffic and crowds included.

Of seven labelled sequences the labels of one alone cover more in over `OFTEN` of the frames: leaves close to the lens.
"""

OFTEN = 0.1
"""Part of the frames above which that is said: something that passes close by is gone sooner."""

LEAST = 5
"""Frames below which it is not."""


class CoverNotes:
    """Counts the frames whose masks cover much of the picture."""

    def __init__(self) -> None:
        self._n = self._n_covered = self._first = 0

    def add(self, number: int, mask: NDArray[np.uint8]) -> None:
        """Take note of the mask (H, W) of a frame, by the number that people know it by, from 1."""
        self._n += 1
        if cv2.countNonZero(mask) > MUCH * mask.size:
            self._n_covered += 1
            self._first = self._first or number

    def notes(self) -> list[str]:
        """Return a sentence where many frames are covered so, else none."""
        if self._n_covered < LEAST or self._n_covered <= OFTEN * self._n:
            return []
        return [
            f"In {self._n_covered} of {self._n} frames, from frame {self._first} on, over a third of the picture is "
            "foreground. Where that is not so, masks and cleaned frames are wrong: the camera may move or zoom farther "
            "than it is followed, or the light flickers."
        ]
