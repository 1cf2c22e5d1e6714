"""Where texture sways, and where things keep passing: how labels change over time, block by block.

Texture that sways is told from things that pass by its flicker: single pixels that change sides all the time, away
from any object.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.frames.shift import moved
from core.kernels import noise
from core.runtime import bands
from core.scene.masks.detection import Detection, Labels

FLICKER_MEMORY = 50
"""Frames over which flicker and cover are measured."""

PASSED, SWAYS = 0.05, 0.2
"""Blocks are passed often where cover exceeds the first share and flicker stays below the second share of cover: how
they differ is no noise."""

SURROUNDINGS = 0.5
"""Width of the surroundings over which cover is averaged, in heights of the frame."""


class Activity:
    """Measures how often the pixels of each block change sides, and how often foreground covers them.

    Parameters
    ----------
    layout : Layout
        Of the frames.

    Attributes
    ----------
    is_passed : (h, w) bool
        Blocks where things kept passing when that was last asked; see `find_passed`.
    """

    def __init__(self, layout: Layout) -> None:
        shape = -(-layout.height // noise.BLOCK), -(-layout.width // noise.BLOCK)
        self._flicker, self._cover = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.is_passed = np.zeros(shape, np.bool_)

    @property
    def flicker(self) -> NDArray[np.float32]:
        """Share of the pixels (h, w) of a block, and of those around it, that change sides from frame to frame."""
        return np.asarray(cv2.blur(self._flicker, (3, 3)), np.float32)

    def learn(self, found: Detection, before: Labels, n_frames: int) -> None:
        """Learn from how a frame is labelled, and the one before it; it stands for ``n_frames``."""
        bands.run_rows(
            noise.learn_flicker_band, len(self._flicker), found.raw.size, found.raw, before.raw, found.near,
            before.covered, np.float32(n_frames / FLICKER_MEMORY), self._flicker, self._cover,
        )  # fmt: skip

    def find_passed(self) -> None:
        """Ask anew which blocks things keep passing."""
        side = max(3, round(SURROUNDINGS * len(self._flicker))) | 1
        flicker, cover = (cv2.blur(x, (side, side)) for x in (self._flicker, self._cover))
        self.is_passed = (cover > PASSED) & (flicker < SWAYS * cover)

    def move(self, down: int, right: int) -> None:
        """Go on so many pixels lower and further right, to the nearest block; the border is repeated."""
        blocks = -round(down / noise.BLOCK), -round(right / noise.BLOCK)
        self._flicker, self._cover = (moved(x, *blocks) for x in (self._flicker, self._cover))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        return {"flicker": self._flicker.copy(), "cover": self._cover.copy()}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from a state of the same layout."""
        self._flicker = np.array(state["flicker"], np.float32)
        self._cover = np.array(state.get("cover", np.zeros_like(self._flicker)), np.float32)  # Earlier files lack it.
