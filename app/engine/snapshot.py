"""The newest results for the main window. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from app.engine.slot import joined, newest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from app.rendering.report_images import Pictures
    from core.parameter import Value
    from core.session.report import Report


@dataclass(frozen=True)
class PlotPoint:
    """Figures of one frame for the plots, or of one iteration of a batch method.

    Attributes
    ----------
    n : int
        Frames processed since the run began, or iterations.
    values : mapping of str to float, or to (K,) where a quantity has several curves
        By the key of a quantity (`app.views.quantities`); without those that are not known.
    iterates : bool
        It is of an iteration.
    index : int
        Number of the frame in the input, from 0.
    share : float
        How much of it is foreground, 0 to 1.
    scene_first : int
        See `core.session.report.Report`.
    """

    n: int
    values: Mapping[str, ArrayLike]
    iterates: bool = False
    index: int = 0
    share: float = 0.0
    scene_first: int = 0


@dataclass(frozen=True)
class Shown:
    """What the window takes at once: the newest report and what goes with it. Its arrays are never written again.

    Attributes
    ----------
    report : Report or None
        None where only something else is new.
    pictures : Pictures or None
        Of the report, in the detail that the screen shows.
    points : list of PlotPoint
        Since the last take, bounded.
    confidence : (H, W) uint8, or None where unchanged or not asked for
        How often each pixel of the plate was seen, 0 never to 255 always.
    basis, shares : list, or None where unchanged
        Small pictures (h, w) or (h, w, 3) uint8, and each one's share of the frame, 0 to 1 (None: not known).
    changes : list of float, or None where unchanged
        By how much each basis image has changed lately, 0 to 1.4 (None: not known); `app.rendering.basis_change`.
    unused : list of bool, or None where unchanged
        Which basis images have not been used so far; `app.rendering.basis_use`.
    values : mapping, or None where unchanged
        Parameters in force.
    automatic : mapping, or None where unchanged
        What stands for parameters that are automatic.
    has_own_passes : bool, or None where unchanged
        The method decides how often the input is read (`core.session.session.Session.has_own_passes`).
    fps : float, or None where unchanged
        Frames per second, or iterations.
    frame_s : float, or None where unchanged
        Seconds that a frame, or an iteration, takes; 0 where that is not known.
    n_learnt : int, or None where unchanged
        Frames processed since the run began.
    n_missed : int, or None where unchanged
        Frames of a live input that were left out since then, as they came faster than they were worked on.
    n_changes : int, or None where unchanged
        Changes of parameters that ``values`` know of.
    """

    report: Report | None = None
    pictures: Pictures | None = None
    points: Sequence[PlotPoint] = ()
    confidence: NDArray[np.uint8] | None = None
    basis: Sequence[NDArray[np.uint8]] | None = None
    shares: Sequence[float | None] | None = None
    changes: Sequence[float | None] | None = None
    unused: Sequence[bool] | None = None
    values: Mapping[str, Value] | None = None
    automatic: Mapping[str, float] | None = None
    has_own_passes: bool | None = None
    fps: float | None = None
    frame_s: float | None = None
    n_learnt: int | None = None
    n_missed: int | None = None
    n_changes: int | None = None

    @property
    def has_pictures(self) -> bool:
        """Whether there are pictures to be shown."""
        return self.pictures is not None

    def updated(self, newer: Self) -> Self:
        """Return what is new in either; see `app.engine.slot.News`."""
        return type(self)(
            report=newest(self.report, newer.report),
            pictures=newest(self.pictures, newer.pictures),
            points=joined(self.points, newer.points),
            confidence=newest(self.confidence, newer.confidence),
            basis=newest(self.basis, newer.basis),
            shares=newest(self.shares, newer.shares),
            changes=newest(self.changes, newer.changes),
            unused=newest(self.unused, newer.unused),
            values=newest(self.values, newer.values),
            automatic=newest(self.automatic, newer.automatic),
            has_own_passes=newest(self.has_own_passes, newer.has_own_passes),
            fps=newest(self.fps, newer.fps),
            frame_s=newest(self.frame_s, newer.frame_s),
            n_learnt=newest(self.n_learnt, newer.n_learnt),
            n_missed=newest(self.n_missed, newer.n_missed),
            n_changes=newest(self.n_changes, newer.n_changes),
        )
