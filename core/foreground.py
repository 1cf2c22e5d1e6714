"""From what a background leaves of a frame to a clean mask.

A pixel is foreground where it differs from the background, and from the background's immediate neighbours, by more
than a number of noise scales. The noise scale is each pixel's own; it is learnt where the mask is empty. Texture that
sways is told from things that pass by its flicker: single pixels that change sides all the time, away from any object.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core import bands
from core.frame import Frame, Layout, Planes, Values
from core.ghosts import Ghosts
from core.grid import Grid
from core.kernels import masks
from core.methods import Parameter, Split, Value
from core.regions import drop_small
from core.shadows import cast_shadows

MASK_PARAMETERS = (
    Parameter(
        "threshold", "Threshold", 5, 1, 15, "How many noise scales a pixel must differ to be foreground.",
        "lower: more foreground", "σ",
    ),
    Parameter(
        "smallest", "Smallest region", None, 0, 100_000, "Smaller regions are dropped, and smaller holes filled.",
        "higher: fewer specks", "pixels", kind=int, automatic=True,
    ),
    Parameter("shadows", "Keep shadows out", True, help="Leave cast shadows to the background.",
              effect="on: shadows leave the mask", kind=bool),
    Parameter(
        "park", "Parked after", 3000, 0, 60_000, "Foreground that stands still this long becomes background; 0: never.",
        "shorter: parked cars leave the mask sooner", "frames", kind=int, advanced=True,
    ),
    Parameter(
        "calm", "Swaying texture", 20, 0, 100, "How much flicker, as of leaves and water, raises the threshold.",
        "higher: fewer leaves in the mask", advanced=True,
    ),
    Parameter(
        "noise_memory", "Noise memory", 50, 5, 10_000, "Frames over which each pixel's noise is measured.",
        "shorter: adapts sooner", "frames", kind=int, logarithmic=True, advanced=True,
    ),
)  # fmt: skip
"""Parameters of the mask, the same for every method."""

INITIAL_NOISE = 5 / 255
"""Noise scale before any is measured, units of white."""

NOISE_BOUNDS = (1 / 255, 0.15)
"""Least and largest noise scale of a pixel, units of white."""

NOISE_CLIP = np.float32(4)
"""Squares count as this many variances at most."""

CALM_SPREAD = 15
"""How much more flicker loosens that bound than it raises the threshold."""

FLICKER_MEMORY = 50
"""Frames over which flicker is measured."""

LEAST_REMNANT = 20 / 255
"""What differs by less is no remnant of something that has left, units of white."""

LEARN_EVERY = 2
"""Noise and flicker are learnt at every n-th frame, n times as fast."""

MEDIAN_SIZE = 5
"""Side of the median filter, pixels."""

SQUARE = np.ones((3, 3), np.uint8)


class Foreground:
    """Turns splits into masks, and learns each pixel's noise where the mask is empty.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    values : mapping
        A value for each of `MASK_PARAMETERS`.

    Attributes
    ----------
    covered : (H, W) uint8
        Not 0 where the last frame showed foreground or shadow, or lay next to it: nothing to learn a background from.
    revealed : (H, W) bool, or None
        Pixels of the last frame that were foreground and have turned out to be background; the method should adopt
        them.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        self._layout = layout
        self._values = dict(values)
        height, width = layout.height, layout.width
        self._shapes = [(height, width)]
        if layout.planes is not Planes.GREY:
            self._shapes += 2 * [((height + 1) // 2, (width + 1) // 2)]
        self._variance = [np.empty(shape, np.float32) for shape in self._shapes]
        self.forget_noise()
        self._flicker = np.zeros((-(-height // masks.BLOCK), -(-width // masks.BLOCK)), np.float32)
        self._before: tuple[NDArray[np.uint8], NDArray[np.uint8]] | None = None
        self._n_seen = 0
        self._grid = Grid(height, width)
        self._ghosts = Ghosts(self._grid.shape, len(self._shapes), layout.white, layout.dtype)
        self.revealed: NDArray[np.bool_] | None = None
        self.covered = np.zeros(self._shapes[0], np.uint8)

    @property
    def noise(self) -> float:
        """Typical noise scale of luma, units of white."""
        return float(np.sqrt(np.median(self._variance[0][::7, ::7]))) / self._layout.white

    def noise_scale(self) -> NDArray[np.float32]:
        """Return the noise scale of luma at each pixel (H, W), samples."""
        return np.sqrt(self._variance[0])

    def forget_noise(self) -> None:
        """Begin anew to measure the noise: it was measured against backgrounds that are known better now."""
        for variance in self._variance:
            variance[:] = (INITIAL_NOISE * self._layout.white) ** 2

    def set(self, name: str, value: Value) -> None:
        """Change a parameter from the next frame on."""
        self._values[name] = value

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of what was learnt."""
        variances = {f"variance{i}": v.copy() for i, v in enumerate(self._variance)}
        return {"flicker": self._flicker.copy(), "white": np.array(self._layout.white), **variances}

    def load(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up a state of the same layout; the bit depth may differ."""
        self._flicker = np.array(state["flicker"], np.float32)
        unit = np.float32((self._layout.white / float(state["white"])) ** 2)
        self._variance = [np.array(state[f"variance{i}"], np.float32) * unit for i in range(len(self._shapes))]
        self._before = None

    def apply(self, frame: Frame, split: Split, *, learn: bool = True) -> NDArray[np.uint8]:
        """Return the mask (H, W) of one frame, 255 foreground and 0 background.

        Parameters
        ----------
        frame : Frame
            At the working size.
        split : Split
            What the method made of it.
        learn : bool
            Also learn noise and flicker.
        """
        now, background = self._planes(frame.values), self._planes(split.samples(self._layout))
        differences = [_beyond_neighbours(v, b) for v, b in zip(now, background, strict=True)]
        coarse_now, coarse_background = self._grid.stack(now), self._grid.stack(background)
        flicker = cv2.blur(self._flicker, (3, 3))
        raw = self._decide(differences, flicker)
        covered = mask = drop_small(_majority(raw), self._smallest)
        if self._values["shadows"]:
            mask = self._without_shadows(coarse_now, coarse_background, mask)
        self.revealed, self.covered = None, cv2.dilate(covered, SQUARE)
        if learn:
            park = int(self._values["park"] or 0)
            differs = self._differs(coarse_now[0], coarse_background[0], raw)
            found = self._ghosts.update(coarse_now, coarse_background, differs, park)
            self.revealed = None if found is None else self._grid.spread(found).view(np.bool_)
            if self._n_seen % LEARN_EVERY == 0:
                self._learn(differences, flicker, raw, covered)
            self._before = raw, self.covered
            self._n_seen += 1
        return mask

    @property
    def _smallest(self) -> int:
        chosen = self._values["smallest"]
        return round(self._layout.n_pixels / 3000) if chosen is None else int(chosen)

    def _planes(self, values: Values) -> list[Values]:
        """Return luma and half-size chroma as (H, W) arrays; grey has luma only."""
        planes = [self._layout.plane(values, i) for i in range(len(self._layout.shapes))]
        if self._layout.planes is not Planes.RGB:
            return planes
        out = [np.empty(shape, values.dtype) for shape in self._shapes]
        neutral = np.float32(self._layout.neutral)
        bands.run_rows(masks.opponent_band, self._shapes[1][0], values.size, *planes, neutral, *out)
        return out

    def _without_shadows(self, now: NDArray, background: NDArray, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        grid = self._grid
        variance = grid.sample(self._variance[0])
        shadow = cast_shadows(now, background, grid.sample(mask), variance, self._layout.white)
        if not shadow.any():
            return mask
        return drop_small(_majority(cv2.subtract(mask, grid.spread(shadow))), self._smallest)

    def _differs(self, luma: NDArray, background: NDArray, raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return where the frame differs on the grid, thin remnants too that lie within their neighbours' range."""
        threshold = np.float32(self._values["threshold"] or 0)
        noise = np.sqrt(self._grid.sample(self._variance[0]))
        bar = np.maximum(threshold * noise, np.float32(LEAST_REMNANT * self._layout.white))
        return cv2.max(self._grid.sample(raw), (cv2.absdiff(luma, background) > bar).view(np.uint8) * np.uint8(255))

    def _decide(self, differences: list[Values], flicker: NDArray[np.float32]) -> NDArray[np.uint8]:
        threshold, calm = (np.float32(self._values[name] or 0) for name in ("threshold", "calm"))
        raw = np.empty(self._shapes[0], np.uint8)
        bands.run_rows(
            masks.decide_band, flicker.shape[0], raw.size, *_three(differences), *_three(self._variance), flicker,
            threshold, calm, raw,
        )  # fmt: skip
        return raw

    def _learn(
        self, differences: list[Values], flicker: NDArray[np.float32], raw: NDArray[np.uint8], mask: NDArray[np.uint8]
    ) -> None:
        rate = np.float32(min(1, LEARN_EVERY / float(self._values["noise_memory"] or 1)))
        spread = np.float32(CALM_SPREAD * float(self._values["calm"] or 0))
        low, high = (np.float32((bound * self._layout.white) ** 2) for bound in NOISE_BOUNDS)
        rows = flicker.shape[0]
        for i, (e, variance) in enumerate(zip(differences, self._variance, strict=True)):
            bands.run_rows(
                masks.learn_noise_band, rows, e.size, e, mask, 2 if i else 1, flicker, spread, rate, NOISE_CLIP,
                low, high, variance,
            )  # fmt: skip
        if self._before is not None:
            raw_before, around_before = self._before
            bands.run_rows(
                masks.learn_flicker_band, rows, raw.size, raw, raw_before, cv2.max(self.covered, around_before),
                np.float32(LEARN_EVERY / FLICKER_MEMORY), self._flicker,
            )  # fmt: skip


def _three(planes: list[NDArray]) -> list[NDArray]:
    """Return three planes: those given, or grey and two empty ones."""
    return planes if len(planes) == 3 else [planes[0]] + 2 * [np.empty((0, 0), planes[0].dtype)]


def _majority(raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return what most pixels of each pixel's neighbourhood are: the median filter, for masks of 0 and 255."""
    return cv2.threshold(cv2.blur(raw, (MEDIAN_SIZE, MEDIAN_SIZE)), 127, 255, cv2.THRESH_BINARY)[1]


def _beyond_neighbours(v: Values, background: Values) -> Values:
    """Return by how much each sample leaves the range of the background's 3×3 neighbourhood; 0 inside.

    A camera that trembles by a pixel, and texture that sways by one, stay inside.
    """
    above = cv2.subtract(v, cv2.dilate(background, SQUARE))
    return cv2.max(above, cv2.subtract(cv2.erode(background, SQUARE), v))
