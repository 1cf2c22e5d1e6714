"""What is measured of a region of a report: means for curves, and what a picture holds there. Values, no Qt here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rendering.scale_bar import area_text
from core.frames import colour
from core.frames.frame import Planes

if TYPE_CHECKING:
    from core.frames.frame import Box, Layout, Values
    from core.io.calibration import PixelSize
    from core.io.input_spec import Region, Size
    from core.session.report import Report

Picture = NDArray[np.integer[Any] | np.floating[Any]]

PROFILE = ("input", "background", "residual")
"""What `profile` gives, in this order."""


@dataclass(frozen=True)
class Statistics:
    """What a picture holds in a region.

    Attributes
    ----------
    mean, deviation, low, high : float
        Of its samples, of luma in colour: mean, standard deviation, smallest and largest.
    area : int
        Pixels of the original.
    unit : str
        Empty for samples.
    """

    mean: float
    deviation: float
    low: float
    high: float
    area: int
    unit: str = ""

    def mapped(self, zero: float, step: float, unit: str = "") -> Statistics:
        """Return the statistics of ``(sample - zero) * step``."""
        mean, low, high = ((value - zero) * step for value in (self.mean, self.low, self.high))
        return Statistics(mean, self.deviation * step, low, high, self.area, unit)

    def words(self, pixel: PixelSize | None = None) -> tuple[str, ...]:
        """Return it as people read it: mean and deviation, smallest and largest, area; a single pixel has no spread.

        The area is also that of the scene, where it is known what a pixel shows.
        """
        unit = f" {self.unit}" if self.unit else ""
        if self.area == 1:
            return (f"{self.mean:.4g}{unit}",)
        spread = f"{self.mean:.1f} ± {self.deviation:.1f}{unit}", f"{self.low:.0f} to {self.high:.0f}{unit}"
        area = f"{self.area:,} px".replace(",", "\u202f")
        return *spread, area if pixel is None else f"{area}, {area_text(self.area, pixel)}"


def on(size: Size, region: Region, shape: tuple[int, ...]) -> Box:
    """Return the box of a region of a picture of ``size`` (width, height) in one of another ``shape``.

    It has a pixel at least.

    Parameters
    ----------
    size : (width, height)
        Of the original, pixels.
    region : (x, y, width, height)
        In its pixels, within it.
    shape : (H, W, ...)
        Of the picture that is looked at.
    """
    (full_width, full_height), (x, y, width, height) = size, region
    top, left = y * shape[0] // full_height, x * shape[1] // full_width
    bottom, right = -(-(y + height) * shape[0] // full_height), -(-(x + width) * shape[1] // full_width)
    return top, max(bottom, top + 1), left, max(right, left + 1)


def clipped(region: Region, size: Size) -> Region | None:
    """Return the part of a region that lies in a picture of a size; None: none does."""
    x, y = max(region[0], 0), max(region[1], 0)
    right, bottom = min(region[0] + region[2], size[0]), min(region[1] + region[3], size[1])
    return (x, y, right - x, bottom - y) if right > x and bottom > y else None


def statistics(samples: Picture, area: int) -> Statistics:
    """Return the statistics of samples (h, w), or of the luma of (h, w, 3) RGB."""
    grey = luma_of(np.ascontiguousarray(samples)) if samples.ndim == 3 else samples
    (mean,), (deviation,) = cv2.meanStdDev(grey)
    low, high, _, _ = cv2.minMaxLoc(grey)
    return Statistics(float(mean[0]), float(deviation[0]), low, high, area)


def luma_of(picture: Picture) -> Picture:
    """Return the luma (H, W) of a picture (H, W, 3) RGB; grey as it is."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))


def luma_in(values: Values, layout: Layout, box: Box) -> Values:
    """Return the luma (h, w) within a box of the picture that samples (F,) show, full range; nothing else is made."""
    if layout.planes is Planes.RGB:
        planes = [layout.part(values, index, box) for index in range(3)]
        return np.asarray(cv2.cvtColor(np.dstack(planes), cv2.COLOR_RGB2GRAY), values.dtype)
    return colour.expand(layout.part(values, 0, box), layout.bit_depth, layout.full_range)


def background_in(report: Report, region: Region, shape: tuple[int, int]) -> Values:
    """Return the luma of the background in a region of the original, as large (h, w) as ``shape``."""
    full, working = report.frame.full.layout, report.frame.layout
    box = on((full.width, full.height), region, (working.height, working.width))
    found = luma_in(report.split.samples(working), working, box)
    if found.shape == shape:
        return found
    return np.asarray(cv2.resize(found, shape[::-1], interpolation=cv2.INTER_LINEAR), found.dtype)


def input_in(report: Report, region: Region) -> Values:
    """Return the luma (h, w) of the input in a region of the original."""
    full = report.frame.full
    x, y, width, height = region
    return luma_in(full.values, full.layout, (y, y + height, x, x + width))


def profile(report: Report, region: Region) -> tuple[float, float, float]:
    """Return the means of luma in a region of the original, in samples: of `PROFILE`."""
    seen = input_in(report, region)
    known = background_in(report, region, (seen.shape[0], seen.shape[1]))
    means = float(np.mean(seen)), float(np.mean(known))
    return *means, means[0] - means[1]
