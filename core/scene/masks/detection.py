"""What is foreground in one frame: found against a background and the noise that is known, without learning anything.

A pixel is foreground where it differs from the background, and from the background's immediate neighbours, by more
than its limit. Shadows, small regions and small holes are taken out, and narrow gaps are closed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Coarse, Grid, Plane
from core.frames.frame import Frame, Layout, Planes, Values
from core.frames.shift import moved
from core.frames.split import Split
from core.kernels import colour, hysteresis, masks, noise
from core.kernels.regions import spread
from core.runtime import bands
from core.scene.masks import shadows
from core.scene.masks.parameters import MaskSettings
from core.scene.masks.regions import bridge, drop_small

LEAST_REMNANT = 20 / 255
"""Smaller differences are no remnants of something that has left, units of the contrast."""

ROWS_OF_WEAK = 120
"""Hysteresis grows the mask by one pixel for every so many rows of the frame."""

LEAST_OF_WEAK = 2
"""Hysteresis grows the mask by at least this many pixels."""

GAPS_A_HEIGHT = 40
"""Gaps in the foreground up to this fraction (one over it) of the frame's height are closed."""

Gaps = tuple[tuple[slice, slice], NDArray[np.uint8]]
"""Gaps in a mask on the grid: a box, and in it 255 where a gap is (see `core.scene.masks.regions.bridge`)."""


@dataclass(frozen=True)
class Labels:
    """How the pixels of one frame were labelled: flicker is how they change from one frame to the next.

    Attributes
    ----------
    raw : (H, W) uint8
        255 where a pixel was over its limit, before any clean-up; else 0.
    covered : (H, W) uint8
        See `Detection`.
    """

    raw: NDArray[np.uint8]
    covered: NDArray[np.uint8]

    def moved(self, down: int, right: int) -> Labels:
        """Return the labels so many pixels lower and further right; the border is repeated."""
        return Labels(moved(self.raw, -down, -right), moved(self.covered, -down, -right))


@dataclass(frozen=True)
class Detection:
    """What was found in one frame, with all that learning from it needs.

    Its arrays, but for ``mask``, belong to the `Buffers` it was written to: ``raw`` and ``covered`` hold until the
    second next detection is written there, the others until the next one.

    Attributes
    ----------
    mask : (H, W) uint8
        255 foreground, 0 background.
    covered : (H, W) uint8
        Not 0 where the frame shows foreground or shadow, or lies next to it: nothing to learn a background from.
    near : (H, W) uint8
        The same, but for the gaps in the foreground that were closed.
    raw : (H, W) uint8
        255 where a pixel was over its limit, before any clean-up; else 0.
    solid : (H, W) uint8
        255 foreground and shadow, before gaps were closed; else 0.
    now, background : list of (h, w) uint8 or uint16
        Luma (H, W), and two planes of chroma of half the size, or empty, of the frame and of the background.
    coarse : Coarse
        Both on a coarser grid, and where they differ.
    """

    mask: NDArray[np.uint8]
    covered: NDArray[np.uint8]
    near: NDArray[np.uint8]
    raw: NDArray[np.uint8]
    solid: NDArray[np.uint8]
    now: list[Plane]
    background: list[Plane]
    coarse: Coarse

    @property
    def labels(self) -> Labels:
        """What the next frame is compared with."""
        return Labels(self.raw, self.covered)


class Buffers:
    """Arrays for the detections of a run, so that not every frame needs new ones: that takes as long as to fill them.

    The mask is always a new array. Of the other arrays of a detection, its labels stay until the second next one was
    written here, and the rest until the next one.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        def new() -> NDArray[np.uint8]:
            return np.empty((layout.height, layout.width), np.uint8)

        self.solid, self.near = new(), new()
        self._labels = Labels(new(), new()), Labels(new(), new())

    def next_labels(self) -> Labels:
        """Return arrays for the labels of the next frame: those that were returned longest ago."""
        older, newer = self._labels
        self._labels = newer, older
        return older


class Detector:
    """Finds the foreground of frames of one layout; holds nothing that changes.

    Parameters
    ----------
    layout : Layout
        Of the frames.

    Attributes
    ----------
    shapes : list of (int, int)
        Of the planes that are compared: luma, and chroma of half the size where frames have colour.
    grid : Grid
        On which regions are looked at.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        height, width = layout.height, layout.width
        has_colour = layout.planes is not Planes.GREY
        self.shapes = list((replace(layout, planes=Planes.YCC420) if has_colour else layout).shapes)
        self.grid = Grid(height, width)
        self._least_remnant = layout.dtype(round(LEAST_REMNANT * layout.contrast))

    def detect(
        self,
        frame: Frame,
        split: Split,
        settings: MaskSettings,
        limits: list[Plane],
        variance: NDArray[np.float32],
        buffers: Buffers,
    ) -> Detection:
        """Return what is foreground in a frame.

        Parameters
        ----------
        frame : Frame
            At the working size.
        split : Split
            What the method made of it.
        settings : MaskSettings
        limits : list of (h, w) uint8 or uint16
            By how much the samples of each plane differ at most where they are background, samples.
        variance : (H, W) float32
            Square of the noise scale of luma, samples².
        buffers : Buffers
            What the detection is written to.
        """
        now, background = (_three(self._planes(v)) for v in (frame.values, split.samples(self._layout)))
        labels, solid, near, n = buffers.next_labels(), buffers.solid, buffers.near, frame.values.size
        raw, covered = labels.raw, labels.covered
        coarse = self._mark(now, background, settings, limits, raw, solid)
        sizes = settings.smallest_region, settings.smallest_hole
        shadow = np.zeros(self.grid.shape, np.uint8)
        tasks: list[Callable[[], object]] = [partial(drop_small, solid, *sizes)]
        if settings.without_shadows and cv2.countNonZero(coarse.mask):
            tasks.append(partial(shadows.find, coarse, variance, self._layout, shadow))
        bands.all_of(tasks, n)
        casts_shadow = cv2.countNonZero(shadow) > 0
        if casts_shadow:
            mask = np.empty_like(solid)
            bands.run_rows(masks.uncover_band, self._layout.height, n, solid, shadow, self.grid.step, mask)
        else:
            mask = solid.copy()

        def find_gaps() -> Gaps | None:
            if casts_shadow:
                drop_small(mask, *sizes)
            return self._gaps(mask, settings)

        def widen(first: int, last: int) -> None:
            masks.widen_band(first, last, solid, near)
            covered[first:last] = near[first:last]  # While the processor still has it at hand.

        gaps: Gaps | None
        gaps, *_ = bands.all_of([find_gaps, *bands.rows(widen, self._layout.height, n)], n)
        if gaps is None:
            return Detection(mask, covered, near, raw, solid, now, background, coarse)
        (rows, columns), added = gaps
        # What looks like the background within an object hides it as well.
        spread(added, rows.start, columns.start, self.grid.step, mask, covered)
        return Detection(mask, covered, near, raw, solid, now, background, coarse)

    def _planes(self, values: Values) -> list[Plane]:
        """Return luma and half-size chroma as (H, W) arrays; grey has luma only."""
        planes = [self._layout.plane(values, i) for i in range(len(self._layout.shapes))]
        if self._layout.planes is not Planes.RGB:
            return planes
        out: list[Plane] = [np.empty(shape, self._layout.dtype) for shape in self.shapes]
        neutral = np.float32(self._layout.neutral)
        bands.run_rows(colour.opponent_band, self.shapes[1][0], values.size, *planes, neutral, *out)
        return out

    def _mark(
        self,
        now: list[Plane],
        background: list[Plane],
        settings: MaskSettings,
        limits: list[Plane],
        raw: NDArray[np.uint8],
        majority: NDArray[np.uint8],
    ) -> Coarse:
        """Write raw marks and their majority; return the coarse pictures for judging regions."""
        coarse, three_limits = Coarse(self.grid, now, background), _three(limits)
        bands.run_rows(
            masks.mark_band, -(-self._layout.height // noise.BLOCK), now[0].size, *now, *background, *three_limits,
            raw, majority, self.grid.step, self._least_remnant, coarse.now[0], coarse.known[0], coarse.differs,
            coarse.mask,
        )  # fmt: skip
        if settings.low_threshold < 1:
            self._add_connected(now, background, three_limits, settings.low_threshold, majority)
            coarse.mask[:] = majority[:: coarse.step, :: coarse.step]
        return coarse

    def _add_connected(
        self,
        now: list[Plane],
        background: list[Plane],
        limits: list[Plane],
        share: np.float32,
        mask: NDArray[np.uint8],
    ) -> None:
        """Let a mask grow, in place, over pixels above a share of their limits, and round off what was added."""
        height = self._layout.height
        reach = max(LEAST_OF_WEAK, round(height / ROWS_OF_WEAK))
        grown, nothing, rounded = mask.copy(), np.zeros(self.grid.shape, np.uint8), np.empty_like(mask)
        (y, u, v), (known_y, known_u, known_v), limit = now, background, limits
        hysteresis.grow(grown, y, u, v, known_y, known_u, known_v, limit[0], limit[1], limit[2], share, reach)
        bands.run_rows(masks.uncover_band, height, grown.size, grown, nothing, self.grid.step, rounded)
        mask |= rounded

    def _gaps(self, mask: NDArray[np.uint8], settings: MaskSettings) -> Gaps | None:
        """Return narrow gaps on the grid; None where there are none or holes stay open."""
        if settings.smallest_hole <= 1:
            return None
        step, reach = self.grid.step, max(1, round(self.grid.shape[0] / (2 * GAPS_A_HEIGHT)))
        found = bridge(mask[::step, ::step], reach)
        return found if found is not None and cv2.countNonZero(found[1]) else None


def _three(planes: list[Plane]) -> list[Plane]:
    """Return three planes: those given, or grey and two empty ones."""
    return planes if len(planes) == 3 else [planes[0]] + 2 * [np.empty((0, 0), planes[0].dtype)]
