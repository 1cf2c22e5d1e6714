"""What each of the panes shows of a report, and what it says of a pixel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.rendering import tone_mapping
from app.rendering.report_images import Pictures
from app.rendering.tone_mapping import Levels
from app.theme import UNSEEN_TINT
from app.views.contrast import Contrast
from app.views.pane import ImagePane
from core.frames.frame import Values

Pixel = NDArray[np.generic]
"""Samples of one pixel."""


class SharedLevels:
    """The input's percentiles, steady from frame to frame: one grey means one value in every pane."""

    def __init__(self) -> None:
        self._levels = Levels(0, 65535)

    def follow(self, pictures: Pictures) -> None:
        """Follow the input where it is deep; 8 bits are looked at only where percentiles are shown."""
        if pictures.bit_depth > 8:
            self._update(pictures)

    def of(self, pane: ImagePane, pictures: Pictures) -> Levels | None:
        """Return the levels for a pane; None where it has a contrast of its own."""
        if pane.contrast.own:
            return None
        if pictures.bit_depth == 8 and pane.contrast.choice is Contrast.PERCENTILES:
            self._update(pictures)
        return self._levels

    def _update(self, pictures: Pictures) -> None:
        self._levels = tone_mapping.steady(self._levels, tone_mapping.percentile_levels(pictures.input))


class PaneContent(Protocol):
    """What one pane shows."""

    @property
    def title(self) -> str:
        """What is shown, in a word or two."""

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it in a pane."""

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return what there is at a pixel of the original: the samples as they are saved, not as shown."""


class InputContent:
    """The frame as it came in; beside it, in a wipe, the background.

    Attributes
    ----------
    wipes : bool
        Whether it is compared with the background.
    """

    def __init__(self) -> None:
        self.wipes = False

    @property
    def title(self) -> str:
        """What is shown."""
        return "Input | Background" if self.wipes else "Input"

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show the input, and the background right of the divider where there is one."""
        _show(pane, pictures, levels, pictures.input)
        pane.show_other(pictures.background if self.wipes and pictures.are_learnt else None)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return the samples of the input."""
        return tone_mapping.pixel_text(pictures.input_pixel(x, y))


class BackgroundContent:
    """``W h``, or how often each pixel of the clean plate was seen.

    Attributes
    ----------
    confidence : (H, W) uint8, or None
        255 always, 0 never; at the working size. None: the background is shown.
    """

    def __init__(self) -> None:
        self.confidence: NDArray[np.uint8] | None = None

    @property
    def title(self) -> str:
        """What is shown."""
        return "Background" if self.confidence is None else "Plate confidence"

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it; nothing while a batch method gathers."""
        if not pictures.are_learnt:
            pane.show_image(None)
        elif self.confidence is None:
            _show(pane, pictures, levels, pictures.background)
        else:
            never = np.where(self.confidence == 0, np.uint8(255), np.uint8(0))
            pane.show_image(self.confidence, never, white=255, size=pictures.size, tint=UNSEEN_TINT)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return the samples of the background, or how often the pixel was seen."""
        if not pictures.are_learnt:
            return ""
        if self.confidence is None:
            return tone_mapping.pixel_text(pictures.background_pixel(x, y))
        (height, width), (full_width, full_height) = self.confidence.shape, pictures.size
        share = int(self.confidence[y * height // full_height, x * width // full_width])
        return f"seen in {100 * share / 255:.0f} % of frames" if share else "never seen"


class LearntContent:
    """A picture that is there once something is learnt.

    Parameters
    ----------
    title : str
        What is shown, in a word or two.
    picture : callable
        Takes it from the pictures of a report.
    samples : callable
        Takes the samples of its pixel (x, y) from them, where the original has it.
    """

    def __init__(
        self, title: str, picture: Callable[[Pictures], Values], samples: Callable[[Pictures, int, int], Pixel]
    ) -> None:
        self.title = title
        self._picture, self._samples = picture, samples

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it; nothing while a batch method gathers."""
        if pictures.are_learnt:
            _show(pane, pictures, levels, self._picture(pictures))
        else:
            pane.show_image(None)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return its samples."""
        return tone_mapping.pixel_text(self._samples(pictures, x, y)) if pictures.are_learnt else ""


def foreground_content() -> LearntContent:
    """Return the frame where the mask is set."""
    return LearntContent("Foreground", lambda pictures: pictures.foreground, Pictures.foreground_pixel)


def cleaned_content() -> LearntContent:
    """Return the frame without what passes, as an export would write it with what is known of the scene so far."""
    return LearntContent("Cleaned", lambda pictures: pictures.cleaned, Pictures.cleaned_pixel)


class MaskContent:
    """The mask, tinted over the input."""

    title = "Mask over input"

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it."""
        _show(pane, pictures, levels, pictures.input, pictures.mask)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return what the mask takes the pixel for."""
        return "foreground" if pictures.report.full_mask[y, x] else "background"


class MatteContent:
    """The mask with soft edges."""

    title = "Matte"

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it; nothing while a batch method gathers."""
        matte = pictures.matte if pictures.are_learnt else None
        pane.show_image(matte, white=255, levels=Levels(0, 255), size=pictures.size)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return how much of the pixel is foreground."""
        return f"{100 * pictures.matte_pixel(x, y) / 255:.0f} % foreground" if pictures.are_learnt else ""


def _show(
    pane: ImagePane, pictures: Pictures, levels: SharedLevels, picture: Values, mask: NDArray[np.uint8] | None = None
) -> None:
    """Show a picture with the samples of the input in a pane, and a mask over it where there is one."""
    pane.show_image(picture, mask, white=pictures.white, levels=levels.of(pane, pictures), size=pictures.size)
