"""The pictures of a report at the detail that the screen shows: the cost follows the window, not the video."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Planes
from core.frames.reduce import halved, pixel
from core.scene.masks.matte import find_matte
from core.session.phase import Phase

if TYPE_CHECKING:
    from core.frames.frame import Values
    from core.scene.masks.finish import MaskFinish
    from core.session.report import Report

MASK_SHARE = 63
"""Mean of a reduced mask above which a pixel counts as foreground: small things must not vanish."""


class Pictures:
    """Input, background, foreground, mask, matte and cleaned frame of a report, made when first asked for.

    Parameters
    ----------
    report : Report
    halvings : int
        How often the size of the pictures is halved. Grey pictures keep their size: they cost nothing to make.

    Attributes
    ----------
    size : (width, height)
        Of the original, whatever the size of the pictures.
    white, bit_depth : int
        Of the original: the sample that is white, bits of a sample.
    """

    def __init__(self, report: Report, halvings: int = 0) -> None:
        full = report.frame.full.layout
        self.report = report
        self.halvings = 0 if full.planes is Planes.GREY else halvings
        self.size = full.width, full.height
        self.white, self.bit_depth = full.white, full.bit_depth

    def draw(self) -> None:
        """Make all of them now that are worth to be shown."""
        _ = self.input, self.mask
        if self.are_learnt:
            _ = self.background, self.foreground, self.matte, self.cleaned

    @property
    def are_learnt(self) -> bool:
        """False while a batch method gathers: what it makes of frames before it has learnt from them is noise."""
        return self.report.phase is not Phase.GATHERING

    @cached_property
    def input(self) -> Values:
        """The frame as it came in."""
        if not self.halvings:
            return self.report.input_image
        full = self.report.frame.full
        values, layout = halved(full.values, full.layout, self.halvings)
        return layout.image(values)

    @cached_property
    def background(self) -> Values:
        """``W h`` as a picture."""
        if not self.halvings:
            return self.report.background_image
        return self._of_working_size(self.report.split.samples(self.report.frame.layout))

    @cached_property
    def foreground(self) -> Values:
        """The frame where the mask is set, black elsewhere."""
        if not self.halvings:
            return self.report.foreground_image
        chosen = np.zeros_like(self.input)
        cv2.copyTo(self.input, self.mask, chosen)
        return chosen

    @cached_property
    def mask(self) -> NDArray[np.uint8]:
        """255 foreground, 0 background."""
        if not self.halvings:
            return self.report.full_mask
        return self.report.areas.only_foreground(self._finish.grown(self._found_mask))

    @property
    def _finish(self) -> MaskFinish:
        return self.report.finish.scaled(0.5**self.halvings)

    @cached_property
    def _found_mask(self) -> NDArray[np.uint8]:
        height, width = self.input.shape[:2]
        means = _to_size(self.report.mask, width, height, cv2.INTER_AREA)
        return np.asarray(cv2.threshold(means, MASK_SHARE, 255, cv2.THRESH_BINARY)[1], np.uint8)

    @cached_property
    def matte(self) -> NDArray[np.uint8]:
        """How much of each pixel the foreground covers: 255 all of it, 0 nothing."""
        if not self.halvings:
            return self.report.matte
        alpha = find_matte(self.input, self.background, self._found_mask, self.white).alpha
        return self.report.areas.only_foreground(self._finish.softened(alpha))

    @cached_property
    def cleaned(self) -> Values:
        """The frame without what passes and its shadow, as far as the scene behind is known."""
        if not self.halvings:
            return self.report.cleaned_image
        return self.report.cleaned(self.input, self._of_working_size(self.report.plate_samples))

    def _of_working_size(self, samples: Values) -> Values:
        """Return samples (F,) of the working size as a picture of the size shown."""
        working, (height, width) = self.report.frame.layout, self.input.shape[:2]
        times = max(0, (working.width // width).bit_length() - 1)
        values, layout = halved(samples, working, times)
        return _to_size(layout.image(values), width, height, cv2.INTER_LINEAR)

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
        return int(self._shown(self.matte, x, y))

    def cleaned_pixel(self, x: int, y: int) -> NDArray[np.generic]:
        """Return the samples of a pixel of the cleaned frame; where it is reduced, of the pixel shown."""
        return np.atleast_1d(self._shown(self.cleaned, x, y))

    def _shown(self, picture: Values, x: int, y: int) -> NDArray[np.generic]:
        (height, width), (full_width, full_height) = picture.shape[:2], self.size
        found: NDArray[np.generic] = picture[y * height // full_height, x * width // full_width]
        return found


def _to_size(picture: Values, width: int, height: int, how: int) -> Values:
    if picture.shape[:2] == (height, width):
        return picture
    return np.asarray(cv2.resize(picture, (width, height), interpolation=how), picture.dtype)
