"""What a window that compares methods takes from its engine. No Qt here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from app.engine.slot import joined, newest

if TYPE_CHECKING:
    from app.rendering.report_images import Pictures
    from core.session.report import Report


@dataclass(frozen=True)
class ColumnShown:
    """What one method made of the frame.

    Attributes
    ----------
    report : Report
    pictures : Pictures
        Of the report, in the detail that the screen shows.
    ms : (step, mask)
        Medians over the last frames, milliseconds.
    waits : bool
        It waits at its first frame for others that still learn.
    """

    report: Report
    pictures: Pictures
    ms: tuple[float, float]
    waits: bool


@dataclass(frozen=True)
class ComparePoint:
    """Figures of one frame, a number for each method; NaN where one is not known.

    Attributes
    ----------
    n : int
        Frames that all methods have done together.
    values : mapping of str to sequence of float
        By the key of a quantity.
    """

    n: int
    values: Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Compared:
    """What is taken at once: the newest of each method. Its arrays are never written again.

    Attributes
    ----------
    pictures : sequence of ColumnShown or None, or None
        One for each method; None where only points are new.
    points : list of ComparePoint
        Since the last take, bounded.
    fps : float, or None where unchanged
        Frames of all methods together, per second; 0 while some still learn.
    """

    pictures: Sequence[ColumnShown | None] | None = None
    points: Sequence[ComparePoint] = ()
    fps: float | None = None

    @property
    def has_pictures(self) -> bool:
        """Whether there are pictures to be shown."""
        return self.pictures is not None

    def updated(self, newer: Self) -> Self:
        """Return what is new in either; see `app.engine.slot.News`."""
        return type(self)(
            pictures=newest(self.pictures, newer.pictures),
            points=joined(self.points, newer.points),
            fps=newest(self.fps, newer.fps),
        )
