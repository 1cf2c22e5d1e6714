"""What a pane shows of a report for each kind of picture, and what it says of a pixel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from app.rendering import tone_mapping
from app.rendering.measuring import Statistics, on, statistics
from app.rendering.picture_kinds import KINDS, NO_CLEANED, measured
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

    def statistics(self, pictures: Pictures) -> Statistics | None:
        """Return what is measured in the region; None where nothing is."""


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
        pane.show_other(pictures.background if self.wipes and pictures.are_learnt else None, pictures.wide)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return the samples of the input."""
        return tone_mapping.pixel_text(pictures.input_pixel(x, y))

    def statistics(self, pictures: Pictures) -> Statistics | None:
        """Return those of the input."""
        return measured(pictures, KINDS["input"])


class LearntContent:
    """A picture that is there once something is learnt.

    Parameters
    ----------
    key : str
        Of the kind of picture.
    text : callable
        Says what there is at a pixel (x, y) of the original.
    show : callable
        Shows the picture in a pane.
    """

    def __init__(
        self,
        key: str,
        text: Callable[[Pictures, int, int], str],
        show: Callable[[ImagePane, Pictures, SharedLevels, Values], None],
    ) -> None:
        self._kind, self._text, self._show = KINDS[key], text, show

    @property
    def title(self) -> str:
        """What is shown."""
        return self._kind.title

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it; nothing while a batch method gathers, and where the report has no such picture."""
        picture = self._kind.picture(pictures) if pictures.are_learnt else None
        if picture is None:
            pane.show_image(None)
        else:
            self._show(pane, pictures, levels, picture)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return what there is at a pixel."""
        return self._text(pictures, x, y) if pictures.are_learnt else ""

    def statistics(self, pictures: Pictures) -> Statistics | None:
        """Return those of the picture."""
        return measured(pictures, self._kind) if pictures.are_learnt else None


class CleanedContent(LearntContent):
    """The cleaned frame; of an image set a sentence that says why there is none."""

    def __init__(self) -> None:
        super().__init__("cleaned", _samples_text(Pictures.cleaned_pixel), _show)

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it, or why there is none."""
        pane.set_hint(NO_CLEANED if pictures.report.is_image_set else self._kind.hint)
        super().fill(pane, pictures, levels)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return the samples at a pixel, where there is a picture."""
        return "" if pictures.report.is_image_set else super().pixel_text(pictures, x, y)


class MaskContent:
    """The mask, tinted over the input."""

    title = KINDS["mask"].title

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it."""
        _show(pane, pictures, levels, pictures.input, pictures.mask)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return what the mask takes the pixel for."""
        return "foreground" if pictures.report.full_mask[y, x] else "background"

    def statistics(self, pictures: Pictures) -> Statistics | None:
        """Return how much of the region is foreground."""
        return measured(pictures, KINDS["mask"])


class ConfidenceContent:
    """How often each pixel of the clean plate was seen; the background until that is known.

    Parameters
    ----------
    until_known : PaneContent

    Attributes
    ----------
    confidence : (H, W) uint8, or None
        255 always, 0 never; at the working size.
    """

    def __init__(self, until_known: PaneContent) -> None:
        self._until_known = until_known
        self.confidence: NDArray[np.uint8] | None = None

    @property
    def title(self) -> str:
        """What is shown."""
        return self._until_known.title if self.confidence is None else KINDS["confidence"].title

    def fill(self, pane: ImagePane, pictures: Pictures, levels: SharedLevels) -> None:
        """Show it; nothing while a batch method gathers."""
        if self.confidence is None or not pictures.are_learnt:
            self._until_known.fill(pane, pictures, levels)
        else:
            never = np.where(self.confidence == 0, np.uint8(255), np.uint8(0))
            shares = Levels(0, 255)
            pane.show_image(self.confidence, never, white=255, levels=shares, size=pictures.size, tint=UNSEEN_TINT)

    def pixel_text(self, pictures: Pictures, x: int, y: int) -> str:
        """Return how often the pixel was seen."""
        if self.confidence is None or not pictures.are_learnt:
            return self._until_known.pixel_text(pictures, x, y)
        top, _, left, _ = on(pictures.size, (x, y, 1, 1), self.confidence.shape)
        share = int(self.confidence[top, left])
        return f"seen in {100 * share / 255:.0f} % of frames" if share else "never seen"

    def statistics(self, pictures: Pictures) -> Statistics | None:
        """Return how often the pixels of the region were seen."""
        if self.confidence is None or pictures.region is None:
            return self._until_known.statistics(pictures)
        top, bottom, left, right = on(pictures.size, pictures.region, self.confidence.shape)
        area = pictures.region[2] * pictures.region[3]
        return statistics(self.confidence[top:bottom, left:right], area).mapped(0, 100 / 255, "%")


def contents() -> Mapping[str, PaneContent]:
    """Return what panes can show, by the keys of `app.rendering.picture_kinds.KINDS`."""
    samples = {"background": Pictures.background_pixel, "foreground": Pictures.foreground_pixel}
    made: dict[str, PaneContent] = {"input": InputContent(), "mask": MaskContent(), "cleaned": CleanedContent()}
    for key, pixel in samples.items():
        made[key] = LearntContent(key, _samples_text(pixel), _show)
    made["matte"] = LearntContent("matte", _matte_text, _show_share)
    made["probability"] = LearntContent("probability", _probability_text, _show_share)
    for key in ("residual", "outliers"):
        made[key] = LearntContent(key, _signed_text(key), _show_signed)
    made["confidence"] = ConfidenceContent(made["background"])
    return made


def _samples_text(pixel: Callable[[Pictures, int, int], Pixel]) -> Callable[[Pictures, int, int], str]:
    return lambda pictures, x, y: tone_mapping.pixel_text(pixel(pictures, x, y))


def _matte_text(pictures: Pictures, x: int, y: int) -> str:
    return f"{100 * pictures.matte_pixel(x, y) / 255:.0f} % foreground"


def _probability_text(pictures: Pictures, x: int, y: int) -> str:
    found = pictures.probability
    return "" if found is None else f"{100 * int(pictures.shown_pixel(found, x, y)) / 255:.0f} %"


def _signed_text(key: str) -> Callable[[Pictures, int, int], str]:
    def text(pictures: Pictures, x: int, y: int) -> str:
        picture = KINDS[key].picture(pictures)
        return "" if picture is None else f"{pictures.differences.value(int(pictures.shown_pixel(picture, x, y))):+d}"

    return text


def _show(
    pane: ImagePane, pictures: Pictures, levels: SharedLevels, picture: Values, mask: NDArray[np.uint8] | None = None
) -> None:
    """Show a picture with the samples of the input in a pane, and a mask over it where there is one."""
    pane.show_image(
        picture, mask, white=pictures.white, levels=levels.of(pane, pictures), size=pictures.size, wide=pictures.wide
    )


def _show_share(pane: ImagePane, pictures: Pictures, _levels: SharedLevels, picture: Values) -> None:
    pane.show_image(picture, white=255, levels=Levels(0, 255), size=pictures.size)


def _show_signed(pane: ImagePane, pictures: Pictures, _levels: SharedLevels, picture: Values) -> None:
    pane.show_image(picture, size=pictures.size, scale=pictures.differences)
