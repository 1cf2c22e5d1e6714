"""How much each pixel varies while it shows the background, and by how much it may differ before it is foreground."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Plane
from core.frames.frame import Layout
from core.frames.shift import moved
from core.kernels import noise
from core.runtime import bands
from core.scene.masks.parameters import MaskSettings

INITIAL_NOISE = 5 / 255
"""Noise scale before any is measured, units of white."""

NOISE_BOUNDS = (1 / 255, 0.15)
"""Least and largest noise scale of a pixel, units of white."""

NOISE_UNDER_WHAT_PASSES = 4 / 255
"""Noise grows no further where things keep passing, units of white; it may fall from above."""

NOISE_SAMPLES = 1500
"""Pixels, about, of which the typical noise is the median."""

NOISE_CLIP = np.float32(4)
"""Squares count as this many variances at most."""

CLIP_PER_FLICKER = 15
"""How much more flicker loosens that bound than it raises the threshold."""


class NoiseModel:
    """The variance of each pixel about its background, and the limits that follow from it.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    shapes : list of (int, int)
        Of the planes: luma, and chroma of half the size, if any.

    Attributes
    ----------
    variances : list of (h, w) float32
        Square of the noise scale of each plane, samples².
    limits : list of (h, w) uint8 or uint16
        By how much samples differ at most that are background.
    """

    def __init__(self, layout: Layout, shapes: list[tuple[int, int]]) -> None:
        self._white = layout.white
        self.variances: list[NDArray[np.float32]] = [np.empty(shape, np.float32) for shape in shapes]
        self.limits: list[Plane] = [np.empty(shape, layout.dtype) for shape in shapes]
        self.forget()

    @property
    def typical(self) -> float:
        """Median noise scale of luma, units of white."""
        luma = self.variances[0]
        step = max(1, round((luma.size / NOISE_SAMPLES) ** 0.5))
        some = luma[::step, ::step].ravel()
        middle = some.size // 2  # Not np.median, which takes three times as long.
        return float(np.sqrt(np.partition(some, middle)[middle])) / self._white

    def forget(self) -> None:
        """Begin anew with the noise that is expected before any is measured; `set_limits` has to follow."""
        for variance in self.variances:
            variance[:] = (INITIAL_NOISE * self._white) ** 2

    def begin(self, scale: NDArray[np.float32]) -> None:
        """Go on from a noise scale of luma (H, W), samples, for chroma as well; `set_limits` has to follow.

        It begins with no more than is expected before any is measured: more has to be learnt frame by frame.
        """
        least, most = (bound * self._white for bound in (NOISE_BOUNDS[0], INITIAL_NOISE))
        luma = np.clip(scale, least, most) ** 2
        for variance in self.variances:
            step = 1 if variance.shape == luma.shape else 2
            variance[:] = luma[::step, ::step]

    def move(self, down: int, right: int) -> None:
        """Go on so many pixels (even) lower and further right, the border repeated; `set_limits` has to follow."""
        luma, *chroma = self.variances
        self.variances = [moved(luma, -down, -right), *(moved(v, -down / 2, -right / 2) for v in chroma)]

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        variances = {f"variance{i}": v.copy() for i, v in enumerate(self.variances)}
        return {"white": np.array(self._white), **variances}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from a state of the same layout; the bit depth may differ. `set_limits` has to follow."""
        unit = np.float32((self._white / float(state["white"])) ** 2)
        self.variances = [np.array(state[f"variance{i}"], np.float32) * unit for i in range(len(self.variances))]

    def set_limits(self, flicker: NDArray[np.float32], settings: MaskSettings) -> None:
        """Set by how much a sample may differ, by its noise and the flicker (h, w) of the blocks around it."""
        for i, (variance, limit) in enumerate(zip(self.variances, self.limits, strict=True)):
            bands.run_rows(
                noise.limit_band, len(flicker), limit.size, variance, 2 if i else 1, flicker, settings.threshold,
                settings.flicker_gain, limit,
            )  # fmt: skip

    def learn(
        self,
        now: list[Plane],
        background: list[Plane],
        hidden: NDArray[np.uint8],
        flicker: NDArray[np.float32],
        is_passed: NDArray[np.bool_],
        settings: MaskSettings,
        n_frames: int,
    ) -> list[Callable[[], object]]:
        """Return the tasks of learning noise, and the limits with it, where nothing hides the background.

        Parameters
        ----------
        now, background : list of (h, w) uint8 or uint16
            Planes of the frame and of the background.
        hidden : (H, W) uint8
            Not 0 where the frame does not show the background.
        flicker : (h, w) float32
            Of the blocks and those around them.
        is_passed : (h, w) bool
            Blocks where things keep passing.
        settings : MaskSettings
        n_frames : int
            Frames that this one stands for.
        """
        rate = np.float32(1 / settings.noise_frames)
        clip_gain = np.float32(CLIP_PER_FLICKER * float(settings.flicker_gain))
        least, most, most_where_passed = (
            np.float32((x * self._white) ** 2) for x in (*NOISE_BOUNDS, NOISE_UNDER_WHAT_PASSES)
        )
        ceiling = np.where(is_passed, most_where_passed, most)
        tasks: list[Callable[[], object]] = []
        for i, (variance, limit) in enumerate(zip(self.variances, self.limits, strict=True)):
            tasks += bands.rows(
                noise.learn_noise_band, len(flicker), limit.size, now[i], background[i], hidden, 2 if i else 1,
                flicker, n_frames, rate, NOISE_CLIP, clip_gain, least, ceiling, settings.threshold,
                settings.flicker_gain, variance, limit,
            )  # fmt: skip
        return tasks
