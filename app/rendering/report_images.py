"""The pictures of a report at the detail that the screen shows: the cost follows the window, not the video."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from app.rendering.measuring import (
    IN_SAMPLES,
    Picture,
    Statistics,
    clipped,
    luma,
    luma_of,
    on,
    statistics,
)
from app.rendering.signed import Scale, signed, signed_picture
from app.rendering.wide_colour import WideColour
from core.frames.frame import Planes
from core.frames.planar import PlanarPicture
from core.frames.reduce import halved, pixel
from core.runtime.cached import cached
from core.scene.masks.matte import find_matte
from core.session.phase import Phase

if TYPE_CHECKING:
    from core.frames.frame import Values
    from core.io.input_spec import Region
    from core.scene.masks.finish import MaskFinish
    from core.session.report import Report

Sample = TypeVar("Sample", bound=np.integer[Any] | np.floating[Any])

MASK_SHARE = 63
"""Mean of a reduced mask above which a pixel counts as foreground: small things must not vanish."""


class Pictures:
    """Pictures of a report, each made when it is first asked for; `app.rendering.picture_kinds` names them.

    Parameters
    ----------
    report : Report
    halvings : int
        How often the size of the pictures is halved. Grey pictures keep their size: they cost nothing to make.
    region : (x, y, width, height), optional
        Is measured in each of them, pixels of the original.

    Attributes
    ----------
    size : (width, height)
        Of the original, whatever the size of the pictures.
    white, bit_depth : int
        Of the original: the sample that is white, bits of a sample.
    differences : Scale
        Of `residual` and `outliers`.
    wide : WideColour or None
        What the samples stand for, where a screen would show them otherwise.
    region : (x, y, width, height), or None
        The part of the region that lies in the picture; None: nothing is measured.
    """

    def __init__(self, report: Report, halvings: int = 0, region: Region | None = None) -> None:
        full = report.frame.full.layout
        self.report = report
        self.halvings = 0 if full.planes is Planes.GREY else halvings
        self.size = full.width, full.height
        self.white, self.bit_depth = full.white, full.bit_depth
        self.differences: Scale = signed(self.white)
        self.wide = WideColour.of(report.standard, self.white)
        self.region = None if region is None else clipped(region, self.size)
        self._measured: dict[str, Statistics] = {}
        self._drawn: frozenset[str] | None = None

    def note_drawn(self, kinds: Collection[str]) -> None:
        """Take note that pictures of these kinds were made, and that others take too long for whoever shows them."""
        self._drawn = frozenset(kinds)

    def has(self, kind: str) -> bool:
        """Tell whether a kind of picture is there; where none were made beforehand, all are made when asked for."""
        return self._drawn is None or kind in self._drawn

    def finer(self, halvings: int) -> Pictures:
        """Return pictures of the same report in more detail, and with what was measured of these."""
        made = Pictures(self.report, halvings, self.region)
        made._measured = dict(self._measured)
        return made

    def measured(self, name: str, picture: Picture) -> Statistics | None:
        """Return the statistics of one of the pictures in the region, made once; None where none is measured.

        Parameters
        ----------
        name : str
            Of the picture.
        picture : (H, W) or (H, W, 3)
            What is measured where it has no samples of the input (`app.rendering.measuring.IN_SAMPLES`): (H, W).
        """
        if self.region is None:
            return None
        if name not in self._measured:
            self._measured[name] = self._measure(name, picture, self.region)
        return self._measured[name]

    def _measure(self, name: str, picture: Picture, region: Region) -> Statistics:
        area = region[2] * region[3]
        if name in IN_SAMPLES:
            return statistics(IN_SAMPLES[name](self.report, region), area)
        top, bottom, left, right = on(self.size, region, picture.shape)
        return statistics(picture[top:bottom, left:right], area)

    @property
    def are_learnt(self) -> bool:
        """False while a batch method gathers: what it makes of frames before it has learnt from them is noise."""
        return self.report.phase is not Phase.GATHERING

    @cached
    def input(self) -> Values:
        """The frame as it came in."""
        return self._planes.image if self.halvings else self.report.input_image

    @cached
    def _planes(self) -> PlanarPicture:
        full = self.report.frame.full
        return PlanarPicture(*halved(full.values, full.layout, self.halvings))

    @cached
    def _planes_of_background(self) -> PlanarPicture:
        """The background at the working size, reduced as far as it stays as large as the input is shown."""
        found, width = self.report.background, self._planes.layout.width
        times = max(0, (found.layout.width // width).bit_length() - 1)
        return PlanarPicture(*halved(found.samples, found.layout, times))

    @cached
    def background(self) -> Values:
        """``W h`` as a picture."""
        if not self.halvings:
            return self.report.background_image
        height, width = self.input.shape[:2]
        return _to_size(self._planes_of_background.image, width, height, cv2.INTER_LINEAR)

    @cached
    def foreground(self) -> Values:
        """The frame where the mask is set, black elsewhere."""
        if not self.halvings:
            return self.report.foreground_image
        chosen = np.zeros_like(self.input)
        cv2.copyTo(self.input, self.mask, chosen)
        return chosen

    @cached
    def mask(self) -> NDArray[np.uint8]:
        """255 foreground, 0 background."""
        if not self.halvings:
            return self.report.full_mask
        return self.report.areas.only_foreground(self._finish.grown(self._found_mask))

    @property
    def _finish(self) -> MaskFinish:
        return self.report.finish.scaled(0.5**self.halvings)

    @cached
    def _found_mask(self) -> NDArray[np.uint8]:
        return self._reduced(self.report.mask)

    def _reduced(self, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        height, width = self.input.shape[:2]
        means = _to_size(mask, width, height, cv2.INTER_AREA)
        return np.asarray(cv2.threshold(means, MASK_SHARE, 255, cv2.THRESH_BINARY)[1], np.uint8)

    @cached
    def matte(self) -> NDArray[np.uint8]:
        """How much of each pixel the foreground covers: 255 all of it, 0 nothing."""
        if not self.halvings:
            return self.report.matte
        painted = None if self.report.painted is None else self._reduced(self.report.painted)
        alpha = find_matte(self.input, self.background, self._found_mask, self.white, painted=painted).alpha
        return self.report.areas.only_foreground(self._finish.softened(alpha))

    @cached
    def cleaned(self) -> Values | None:
        """The frame without what passes and its shadow, as far as the scene behind is known; None: there is none."""
        if self.report.is_image_set:
            return None
        if not self.halvings:
            return self.report.cleaned_image
        return self.report.cleaned_as(self._planes).image

    @cached
    def residual(self) -> NDArray[np.uint16]:
        """Luma of the frame minus that of the background, on the scale `differences`."""
        seen = luma(self._planes)
        height, width = seen.shape
        known = _to_size(luma(self._planes_of_background), width, height, cv2.INTER_LINEAR)
        return signed_picture(np.subtract(seen, known, dtype=np.int32), self.white)

    @cached
    def outliers(self) -> NDArray[np.uint16]:
        """What the method set aside of the frame, luma, on the scale `differences`.

        The residual where the mask is set stands for it where a method has no outliers.
        """
        found = self.report.split.outliers
        if found is None:
            return np.where(self.mask > 0, self.residual, np.uint16(self.differences.zero))
        layout, (height, width) = self.report.frame.layout, self.input.shape[:2]
        planes = [layout.plane(found, index) for index in range(3 if layout.planes is Planes.RGB else 1)]
        set_aside = np.asarray(luma_of(np.dstack(planes), layout.matrix) if len(planes) == 3 else planes[0], np.float32)
        set_aside = _to_size(set_aside, width, height, cv2.INTER_AREA)
        return signed_picture(set_aside * np.float32(layout.white * self.white / layout.luma_span), self.white)

    @cached
    def probability(self) -> NDArray[np.uint8] | None:
        """How probable it is that a pixel is foreground, 0 to 255 for certain; None where no head was asked."""
        found = self.report.probability
        return None if found is None else np.rint(found * 255).astype(np.uint8)

    # Single pixels of the original, whatever is shown of them

    def input_pixel(self, x: int, y: int) -> NDArray[np.generic]:
        """Return the samples of a pixel of the input."""
        full = self.report.frame.full
        return pixel(full.values, full.layout, x, y)

    def background_pixel(self, x: int, y: int) -> NDArray[np.generic]:
        """Return the samples of a pixel of the background."""
        working = self.report.frame.layout
        if (working.width, working.height) != self.size:
            samples: NDArray[np.generic] = np.atleast_1d(self.report.background_image[y, x])
            return samples
        return pixel(self.report.split.samples(working), working, x, y)

    def foreground_pixel(self, x: int, y: int) -> NDArray[np.generic]:
        """Return the samples of a pixel of the foreground, 0 outside."""
        inside = self.report.full_mask[y, x] > 0
        samples = self.input_pixel(x, y)
        return samples if inside else np.zeros_like(samples)

    def matte_pixel(self, x: int, y: int) -> int:
        """Return how much of a pixel the foreground covers, 0 to 255; where it is reduced, of the pixel shown."""
        return int(self.shown_pixel(self.matte, x, y))

    def cleaned_pixel(self, x: int, y: int) -> NDArray[np.generic]:
        """Return the samples of a pixel of the cleaned frame; where it is reduced, of the pixel shown."""
        assert self.cleaned is not None
        return np.atleast_1d(self.shown_pixel(self.cleaned, x, y))

    def shown_pixel(self, picture: Values, x: int, y: int) -> NDArray[np.generic]:
        """Return the samples that one of these pictures has where a pixel of the original is."""
        (height, width), (full_width, full_height) = picture.shape[:2], self.size
        found: NDArray[np.generic] = picture[y * height // full_height, x * width // full_width]
        return found


def _to_size(picture: NDArray[Sample], width: int, height: int, how: int) -> NDArray[Sample]:
    if picture.shape[:2] == (height, width):
        return picture
    return np.asarray(cv2.resize(picture, (width, height), interpolation=how), picture.dtype)
