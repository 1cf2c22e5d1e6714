"""What is measured of a region of a report: means for curves, and what a picture holds there. Values, no Qt here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rendering.scale_bar import area_text
from core.frames import colour
from core.frames.frame import Planes
from core.frames.planar import PlanarPicture

if TYPE_CHECKING:
    from core.frames.colour import Matrix
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
    """Return the statistics of samples (h, w)."""
    (mean,), (deviation,) = cv2.meanStdDev(samples)
    low, high, _, _ = cv2.minMaxLoc(samples)
    return Statistics(float(mean[0]), float(deviation[0]), low, high, area)


def luma_of(picture: Picture, matrix: Matrix) -> Picture:
    """Return the luma (H, W) of a picture (H, W, 3) RGB, of the same type, as films of a matrix weight colours."""
    red, blue = colour.LUMA_WEIGHTS[matrix]
    return np.asarray(cv2.transform(picture, np.array([[red, 1 - red - blue, blue]], np.float32)))


def luma_in(values: Values, layout: Layout, box: Box) -> Values:
    """Return the luma (h, w) within a box of the picture that samples (F,) show, full range; nothing else is made."""
    if layout.planes is Planes.RGB:
        planes = [layout.part(values, index, box) for index in range(3)]
        return np.asarray(luma_of(np.dstack(planes), layout.matrix), values.dtype)
    return colour.expand(layout.part(values, 0, box), layout.bit_depth, layout.full_range)


def luma(picture: PlanarPicture) -> Values:
    """Return the luma (H, W) of all of a picture, full range."""
    layout = picture.layout
    return luma_in(picture.samples, layout, (0, layout.height, 0, layout.width))


def background_in(report: Report, region: Region) -> Values:
    """Return the luma (h, w) of the background in a region of the original, as large as the region."""
    full, working = report.frame.full.layout, report.frame.layout
    box = on((full.width, full.height), region, (working.height, working.width))
    found = luma_in(report.split.samples(working), working, box)
    if found.shape == (region[3], region[2]):
        return found
    return np.asarray(cv2.resize(found, region[2:], interpolation=cv2.INTER_LINEAR), found.dtype)


def input_in(report: Report, region: Region) -> Values:
    """Return the luma (h, w) of the input in a region of the original."""
    return _in_original(PlanarPicture.of(report.frame.full), region)


def foreground_in(report: Report, region: Region) -> Values:
    """Return the luma (h, w) of the input in a region of the original where the mask is set, 0 elsewhere."""
    x, y, width, height = region
    seen, mask = input_in(report, region), report.full_mask[y : y + height, x : x + width]
    return np.where(mask > 0, seen, np.zeros_like(seen))


def cleaned_in(report: Report, region: Region) -> Values:
    """Return the luma (h, w) of the cleaned frame in a region of the original."""
    return _in_original(report.cleaned, region)


def _in_original(picture: PlanarPicture, region: Region) -> Values:
    x, y, width, height = region
    return luma_in(picture.samples, picture.layout, (y, y + height, x, x + width))


def residual_in(report: Report, region: Region) -> NDArray[np.float32]:
    """Return the luma (h, w) of the input minus that of the background in a region of the original, in samples."""
    return np.subtract(input_in(report, region), background_in(report, region), dtype=np.float32)


IN_SAMPLES: Mapping[str, Callable[[Report, Region], Picture]] = {
    "input": input_in, "background": background_in, "foreground": foreground_in, "cleaned": cleaned_in,
    "residual": residual_in,
}  # fmt: skip
"""What is measured in samples of the input, by kind of picture: in full size and in one luma, whatever is shown."""


def profile(report: Report, region: Region) -> tuple[float, float, float]:
    """Return the means of luma in a region of the original, in samples: of `PROFILE`."""
    means = float(np.mean(input_in(report, region))), float(np.mean(background_in(report, region)))
    return *means, means[0] - means[1]
