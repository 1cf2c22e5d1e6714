"""What a pane can show of a report: one row for each kind of picture."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.rendering.measuring import Statistics
from app.rendering.report_images import Pictures

if TYPE_CHECKING:
    from core.frames.frame import Values


class Unit(enum.Enum):
    """What the samples of a picture stand for."""

    SAMPLES = "samples of the input"
    DIFFERENCES = "differences of them, with a sign"
    SHARES = "%, of which 255 are all"


@dataclass(frozen=True)
class PictureKind:
    """A kind of picture.

    Attributes
    ----------
    key, title : str
    hint : str
        What a pane says while there is none.
    about : str
        One sentence.
    picture : callable
        Takes it from the pictures of a report; None where the report has none.
    unit : Unit
    needs_learning : bool
        It means nothing before something was learnt.
    """

    key: str
    title: str
    hint: str
    about: str
    picture: Callable[[Pictures], Values | None]
    unit: Unit = Unit.SAMPLES
    needs_learning: bool = True


NO_CLEANED = "Different pictures have no scene behind them: Background shows what is recovered of each"
"""Said instead of a cleaned frame of an image set."""

KINDS = {
    kind.key: kind
    for kind in (
        PictureKind(
            "input", "Input", "Open a file, a folder, a stack or a camera, or choose a sample",
            "The frame as it came in.", lambda of: of.input, needs_learning=False,
        ),
        PictureKind(
            "background", "Background", "What stays still will appear here",
            "What the basis images make of this frame.", lambda of: of.background,
        ),
        PictureKind(
            "foreground", "Foreground", "What moves will appear here",
            "The frame where the mask is set.", lambda of: of.foreground,
        ),
        PictureKind(
            "mask", "Mask over input", "Where something moves will be marked here",
            "The mask, tinted over the input.", lambda of: of.mask, Unit.SHARES, needs_learning=False,
        ),
        PictureKind(
            "matte", "Matte", "How much of each pixel moves will appear here",
            "The mask with soft edges.", lambda of: of.matte, Unit.SHARES,
        ),
        PictureKind(
            "cleaned", "Cleaned", "The frame without what moves will appear here",
            "The frame without what passes and its shadow.", lambda of: of.cleaned,
        ),
        PictureKind(
            "residual", "Residual", "Input minus background will appear here",
            "Input minus background, with its sign: red is brighter than the background, blue is darker.",
            lambda of: of.residual, Unit.DIFFERENCES,
        ),
        PictureKind(
            "outliers", "Outliers", "What the method sets aside will appear here",
            "What the method sets aside of the frame, with its sign: the spoilt parts of faces, say.",
            lambda of: of.outliers, Unit.DIFFERENCES,
        ),
        PictureKind(
            "probability", "Probability", "How probably each pixel is foreground will appear here",
            "How probably each pixel is foreground, before edges, strokes and sizes have their say.",
            lambda of: of.probability, Unit.SHARES,
        ),
        PictureKind(
            "confidence", "Plate confidence", "How often each pixel of the plate was seen will appear here",
            "How often each pixel of the clean plate was seen: white always, dark rarely, magenta never.",
            lambda _of: None, Unit.SHARES,
        ),
    )
}  # fmt: skip
"""All of them by key, in the order of the menu."""

STANDARD = ("input", "background", "foreground", "mask", "matte", "cleaned")
"""What the panes show until a person chooses."""


def draw(pictures: Pictures, kinds: Collection[str]) -> None:
    """Make the pictures of these kinds now, and what is measured of them, where they are worth to be shown."""
    _ = pictures.input
    for kind in (KINDS[key] for key in kinds):
        if pictures.are_learnt or not kind.needs_learning:
            _ = kind.picture(pictures), measured(pictures, kind)
    pictures.note_drawn(kinds)


def measured(pictures: Pictures, kind: PictureKind) -> Statistics | None:
    """Return the statistics of a kind of picture in the region, in its unit; None where there are none."""
    picture = kind.picture(pictures)
    found = None if picture is None else pictures.measured(kind.key, picture)
    if found is None or kind.unit is Unit.SAMPLES or kind.key == "residual":
        return found
    if kind.unit is Unit.SHARES:
        return found.mapped(0, 100 / 255, "%")
    return found.mapped(pictures.differences.zero, pictures.differences.step)


def known(keys: Collection[str]) -> tuple[str, ...]:
    """Return what the panes show where ``keys`` were kept: the standard in place of what there is not."""
    kept = [*keys, *STANDARD[len(keys) :]][: len(STANDARD)]
    return tuple(key if key in KINDS else usual for key, usual in zip(kept, STANDARD, strict=True))
