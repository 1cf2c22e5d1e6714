"""From residuals to a clean mask: a noise scale for each pixel, a threshold in noise units, and spatial clean-up."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from core import bands
from core.frame import Frame, Layout, Planes
from core.kernels import masks
from core.methods import Parameter, Split, Value

MASK_PARAMETERS = (
    Parameter(
        "threshold", "Threshold", 5, 1, 15, "How many noise scales a pixel must differ to be foreground.",
        "lower: more foreground", "σ",
    ),
    Parameter(
        "smallest", "Smallest region", None, 0, 100_000, "Regions with fewer pixels are dropped, holes as small filled.",
        "higher: fewer specks", "pixels", kind=int, automatic=True,
    ),
    Parameter(
        "noise_memory", "Noise memory", 50, 5, 10_000, "Frames over which each pixel's noise is measured.",
        "shorter: swaying leaves leave the mask sooner", "frames", kind=int, logarithmic=True, advanced=True,
    ),
)  # fmt: skip
"""Parameters of the mask, the same for every method."""

INITIAL_NOISE = 0.02
"""Noise scale before any is measured, units of white: five grey levels of 255."""

NOISE_BOUNDS = (1 / 255, 0.15)
"""Least and largest noise scale of a pixel, units of white."""

MEDIAN_SIZE = 5
"""Side of the median filter, pixels."""


class Foreground:
    """Turns residuals into masks, and learns each pixel's noise where the mask is empty.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    values : mapping
        A value for each of `MASK_PARAMETERS`.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        self._layout = layout
        self._values = dict(values)
        self._shapes = layout.shapes
        self._variance = [np.full(h * w, INITIAL_NOISE**2, np.float32) for h, w in self._shapes]

    @property
    def noise(self) -> float:
        """Typical noise scale of luma, units of white."""
        return float(np.sqrt(np.median(self._variance[0][::101])))

    def set(self, name: str, value: Value) -> None:
        """Change a parameter from the next frame on."""
        self._values[name] = value

    def state(self) -> dict[str, NDArray]:
        """Return copies of the noise scales."""
        return {f"variance{i}": v.copy() for i, v in enumerate(self._variance)}

    def load(self, state: Mapping[str, NDArray]) -> None:
        """Take up a state of the same layout."""
        self._variance = [np.array(state[f"variance{i}"], np.float32) for i in range(len(self._shapes))]

    def apply(self, frame: Frame, split: Split, *, learn: bool = True) -> NDArray[np.uint8]:
        """Return the mask (H, W) of one frame, 255 foreground and 0 background.

        Parameters
        ----------
        frame : Frame
            At the working size.
        split : Split
            What the method made of it.
        learn : bool
            Also learn the noise.
        """
        layout = self._layout
        residuals = self._opponent(split.residual)
        scores = []
        for e, variance, shape in zip(residuals, self._variance, self._shapes, strict=True):
            score = np.empty(e.size, np.uint8)
            bands.run(masks.score_band, e.size, e, variance, score)
            scores.append(score.reshape(shape))
        score = scores[0]
        if len(scores) == 3:
            chroma = cv2.max(scores[1], scores[2])
            if chroma.shape != score.shape:
                chroma = cv2.resize(chroma, (2 * chroma.shape[1], 2 * chroma.shape[0]), interpolation=cv2.INTER_NEAREST)
                chroma = chroma[: layout.height, : layout.width]
            score = cv2.max(score, chroma)
        level = float(self._values["threshold"] or 0) * masks.SCORE_UNIT
        mask = cv2.threshold(cv2.medianBlur(score, MEDIAN_SIZE), level, 255, cv2.THRESH_BINARY)[1]
        mask = _drop_small(mask, self._smallest)
        if learn:
            self._learn(residuals, mask)
        return mask

    @property
    def _smallest(self) -> int:
        chosen = self._values["smallest"]
        return round(self._layout.n_pixels / 3000) if chosen is None else int(chosen)

    def _opponent(self, residual: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        planes = [residual[s] for s in self._layout.slices]
        if self._layout.planes is not Planes.RGB:
            return planes
        out = [np.empty(self._layout.n_pixels, np.float32) for _ in range(3)]
        bands.run(masks.opponent_band, self._layout.n_pixels, *planes, *out)
        return out

    def _learn(self, residuals: list[NDArray[np.float32]], mask: NDArray[np.uint8]) -> None:
        rate = np.float32(1 / float(self._values["noise_memory"] or 1))
        low, high = (np.float32(b**2) for b in NOISE_BOUNDS)
        for e, variance, (height, width) in zip(residuals, self._variance, self._shapes, strict=True):
            at = mask if mask.shape == (height, width) else cv2.resize(mask, (width, height))
            bands.run(masks.learn_noise_band, e.size, e, at.ravel(), rate, low, high, variance)


def _drop_small(mask: NDArray[np.uint8], smallest: int) -> NDArray[np.uint8]:
    """Return the mask without regions, and without holes, of fewer than ``smallest`` pixels."""
    if smallest <= 1:
        return mask
    for flip in (False, True):
        labels = cv2.bitwise_not(mask) if flip else mask
        _, which, stats, _ = cv2.connectedComponentsWithStats(labels, connectivity=8 if not flip else 4)
        small = stats[:, cv2.CC_STAT_AREA] < smallest
        small[0] = False
        if small.any():
            mask = np.where(small[which], np.uint8(255 if flip else 0), mask)
    return mask
