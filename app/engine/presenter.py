"""Decides which reports the window gets to see, and makes their pictures on the worker's thread."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.engine.slot import NewestSlot
from app.engine.snapshot import PlotPoint, Shown
from core.session.phase import Phase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from app.rendering.basis_change import BasisChange
    from app.rendering.basis_use import BasisUse
    from core.io.input_spec import Region
    from core.session.report import Report
    from core.session.session import Session

THUMBNAILS_S = 0.12
"""Least time between two sets of basis pictures, seconds."""

CONFIDENCE_S = 0.25
"""Least time between two pictures of the plate's confidence, seconds: it changes slowly."""

DISPLAY_S = 0.025
"""Least time between two frames prepared for display, seconds; those between are processed, not shown."""


class Presenter:
    """Fills the slot: a point for each frame, pictures only as often as the window takes them.

    Parameters
    ----------
    slot : NewestSlot of Shown
    """

    def __init__(self, slot: NewestSlot[Shown]) -> None:
        self._slot = slot
        self._enlarged: frozenset[int] = frozenset()
        self._halvings = 0
        self._shows_confidence = False
        self._kinds: frozenset[str] = frozenset()
        self._region: Region | None = None
        self._shown: Report | None = None
        self._n_learnt, self._fps, self._looks = 0, 0.0, False
        self._n_changes = 0
        self._held: Report | None = None
        self._h: NDArray[np.float64] | None = None
        self._change: BasisChange | None = None
        self._use: BasisUse | None = None
        self._basis_is_behind = False
        self._iterated = False
        self._thumbnails_at = self._shown_at = self._confidence_at = 0.0

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures for the screen so often from now on."""
        self._halvings = halvings

    def set_enlarged(self, numbers: frozenset[int]) -> None:
        """Make the pictures of these basis images as large as the frames from now on."""
        self._enlarged = numbers

    def set_confidence(self, on: bool) -> None:
        """Show the plate's confidence from now on, or do not."""
        self._shows_confidence = on

    def set_view(self, kinds: frozenset[str], region: Region | None) -> None:
        """Make pictures of these kinds from now on, and measure a region of the original in them and over time."""
        moved, self._kinds, self._region = region != self._region, kinds, region
        if self._shown is None:
            return
        report = self._shown
        self.show_again(report)
        measured = self._profile(report)
        if moved and measured is not None and not self._looks:
            point = PlotPoint(self._n_learnt, {"profile": measured}, index=report.frame.index, share=_share(report))
            self._slot.put(Shown(points=[point]))

    def count_changes(self, n: int) -> None:
        """Take note that the values in force know of ``n`` changes of parameters or of the run, or of more."""
        self._n_changes = max(self._n_changes, n)

    def show(self, report: Report, session: Session, /, n_learnt: int, fps: float, *, at_once: bool) -> None:
        """Put what a frame gave into the slot; see `app.engine.playable.Shower`."""
        now = time.perf_counter()
        self._shown, self._n_learnt, self._fps, self._looks = report, n_learnt, fps, False
        point = self._point(report, n_learnt, fps)
        news = Shown(
            points=[] if point is None else [point], values=session.control.values,
            automatic={**session.method.automatic, **session.foreground.automatic},
            has_own_passes=session.has_own_passes, fps=fps, n_learnt=n_learnt, n_changes=self._n_changes,
        )  # fmt: skip
        self._h = None if report.phase is Phase.GATHERING else report.split.h
        if self._h is not None:
            self._basis_use().see(self._h)
        self._basis_is_behind = True
        if at_once or now - self._thumbnails_at > THUMBNAILS_S:
            self._thumbnails_at = now
            self._basis_is_behind = False
            news = news.updated(self._thumbnails(session))
        if self._shows_confidence and (at_once or now - self._confidence_at > CONFIDENCE_S):
            self._confidence_at = now
            news = news.updated(_confidence_of(session))
        if self._is_wanted(at_once=at_once):
            news = news.updated(self._drawn(report))
        else:
            self._held = report
        self._slot.put(news)

    def resume(self, report: Report, session: Session) -> None:
        """Put what an earlier run showed and had learnt into the slot: no points, as nothing was learnt since."""
        self._shown, self._looks, self._held = report, False, None
        self._h = report.split.h
        self._thumbnails_at = self._shown_at = time.perf_counter()
        news = Shown(
            values=session.control.values, automatic={**session.method.automatic, **session.foreground.automatic},
            has_own_passes=session.has_own_passes, fps=0.0, n_learnt=0, n_changes=self._n_changes,
        )  # fmt: skip
        news = news.updated(self._thumbnails(session)).updated(self._drawn(report))
        self._slot.put(news.updated(_confidence_of(session)) if self._shows_confidence else news)

    def look(self, report: Report, session: Session, /, *, at_once: bool) -> None:
        """Put a frame that teaches nothing into the slot: no points, as nothing goes on."""
        self._held = self._shown = report
        self._looks = True
        if self._is_wanted(at_once=at_once):
            news = self._drawn(report)
            self._slot.put(news.updated(_confidence_of(session)) if self._shows_confidence else news)

    def _is_wanted(self, *, at_once: bool) -> bool:
        """Return whether a frame is to be drawn now; it is the one that is shown then."""
        now = time.perf_counter()
        if not at_once and (now - self._shown_at <= DISPLAY_S or not self._slot.is_empty):
            return False
        self._shown_at, self._held = now, None
        return True

    def show_confidence(self, session: Session) -> None:
        """Show how often each pixel of the plate was seen so far."""
        self._slot.put(_confidence_of(session))

    def show_basis(self, session: Session) -> None:
        """Show the basis as it is now, though no frame has come."""
        self._slot.put(self._thumbnails(session))

    def show_values(self, session: Session) -> None:
        """Tell of the parameters in force, though no frame has come."""
        self._slot.put(Shown(values=session.control.values, n_changes=self._n_changes))

    def show_again(self, report: Report) -> None:
        """Show a frame anew: something of it was corrected."""
        self._held = None
        if self._shown is not None:
            self._shown = report
        self._slot.put(self._drawn(report))

    def flush(self, session: Session | None, /) -> None:
        """Show the last frame that was processed but not shown, and what was learnt from it: playing stops here."""
        if self._held is not None:
            report, self._held = self._held, None
            # With what goes with it: the window may have taken that before there was the picture.
            counts = Shown() if self._looks else Shown(fps=self._fps, n_learnt=self._n_learnt)
            self._slot.put(self._drawn(report).updated(counts))
        if self._basis_is_behind and session is not None:
            self._basis_is_behind = False
            news = self._thumbnails(session)
            self._slot.put(news.updated(_confidence_of(session)) if self._shows_confidence else news)

    def clear(self) -> None:
        """Begin anew; nothing of the former run is shown any more."""
        self._held = self._h = self._shown = None
        self._n_learnt, self._looks = 0, False
        self._basis_is_behind = self._iterated = False
        self._change = self._use = None
        self._slot.clear()

    def _point(self, report: Report, n_learnt: int, fps: float) -> PlotPoint | None:
        """Return what the plots get: of a batch method the objective of each iteration, then the rest of each frame."""
        from core.session.comparison import residual_rms  # noqa: PLC0415

        if report.iteration is not None:
            self._iterated = True
            return PlotPoint(report.iteration.number, {"objective": report.iteration.objective}, iterates=True)
        if report.phase is Phase.GATHERING:
            return None
        values: dict[str, ArrayLike] = {"residual": residual_rms(report), "h": report.split.h, "fps": fps}
        if not self._iterated:
            values["objective"] = report.split.objective
        if (measured := self._profile(report)) is not None:
            values["profile"] = measured
        return PlotPoint(n_learnt, values, index=report.frame.index, share=_share(report))

    def _profile(self, report: Report) -> tuple[float, ...] | None:
        """Return what is measured of a frame for the curves over time; None where nothing is."""
        from app.rendering.measuring import clipped, profile  # noqa: PLC0415 - needs OpenCV

        full = report.frame.full.layout
        region = None if self._region is None else clipped(self._region, (full.width, full.height))
        return None if region is None or report.phase is Phase.GATHERING else profile(report, region)

    def _drawn(self, report: Report) -> Shown:
        """Make the pictures that the panes show, here and not on the window's thread."""
        from app.rendering.picture_kinds import STANDARD, draw  # noqa: PLC0415 - needs OpenCV
        from app.rendering.report_images import Pictures  # noqa: PLC0415 - likewise

        report = report if report.is_image_set else report.scored()
        pictures = Pictures(report, self._halvings, self._region)
        draw(pictures, self._kinds or STANDARD)
        return Shown(report=report, pictures=pictures)

    def _thumbnails(self, session: Session) -> Shown:
        from app.rendering.basis_change import BasisChange  # noqa: PLC0415 - the engine is there by now
        from app.rendering.basis_thumbnails import basis_pictures, shares  # noqa: PLC0415 - needs OpenCV and numba

        h = self._h
        if h is None:
            # Before anything is learnt it is noise, and at a high rank drawing it takes longer than gathering.
            return Shown(basis=[], shares=[], changes=[], unused=[])
        W = session.method.W
        # Of another rank than the last frame had, nothing is known before the next one.
        parts = shares(W, h) if h.size == W.shape[1] else [None] * W.shape[1]
        self._change = self._change or BasisChange()
        changes = self._change.changes(W, self._n_learnt)
        pictures = basis_pictures(W, session.layout, self._enlarged)
        # What was used before the first frame is not known.
        unused = self._basis_use().unused(W) if session.begins_anew else []
        return Shown(basis=pictures, shares=parts, changes=changes, unused=unused)

    def _basis_use(self) -> BasisUse:
        from app.rendering.basis_use import BasisUse  # noqa: PLC0415 - the engine is there by now

        if self._use is None:
            self._use = BasisUse()
        return self._use


def _share(report: Report) -> float:
    """Return how much of a frame is foreground."""
    import numpy as np  # noqa: PLC0415 - the engine is there by now

    return float(np.count_nonzero(report.mask) / report.mask.size)


def _confidence_of(session: Session) -> Shown:
    from core.export.pictures import confidence_picture  # noqa: PLC0415 - needs OpenCV and encoders

    return Shown(confidence=confidence_picture(session.confidence()))
