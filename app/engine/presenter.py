"""Decides which reports the window gets to see, and makes their pictures on the worker's thread."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from app.engine.basis_news import BasisNews
from app.engine.slot import NewestSlot
from app.engine.snapshot import PlotPoint, Shown
from core.session.phase import Phase

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import ArrayLike

    from core.export.progress import ProgressMeter
    from core.io.input_spec import Region
    from core.session.report import Report
    from core.session.session import Session

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
        self._basis = BasisNews()
        self._halvings = 0
        self._shows_confidence = False
        self._kinds: frozenset[str] = frozenset()
        self._region: Region | None = None
        self._shown: Report | None = None
        self._n_learnt, self._n_missed, self._fps, self._looks = 0, 0, 0.0, False
        self._meter: ProgressMeter | None = None
        self._frame_s = 0.0
        self._n_changes = 0
        self._held: Report | None = None
        self._iterated = False
        self._shown_at = self._confidence_at = 0.0
        # By their ids, as they have no hash; weakly, as only those that a window still has can come back.
        self._of_input: WeakValueDictionary[int, Report] = WeakValueDictionary()

    def begin_input(self) -> None:
        """Take note that another input is open: nothing that was shown before is of it."""
        self._of_input.clear()

    def has_shown(self, report: Report) -> bool:
        """Tell whether a report was shown of what is open, by this run of it or an earlier one."""
        return self._of_input.get(id(report)) is report

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures for the screen so often from now on."""
        self._halvings = halvings

    def set_enlarged(self, numbers: frozenset[int]) -> None:
        """Make the pictures of these basis images as large as the frames from now on."""
        self._basis.set_enlarged(numbers)

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
            point = _point_of(report, self._n_learnt, {"profile": measured})
            self._slot.put(Shown(points=[point]))

    def count_changes(self, n: int) -> None:
        """Take note that the values in force know of ``n`` changes of parameters or of the run, or of more."""
        self._n_changes = max(self._n_changes, n)

    def show(self, report: Report, session: Session, /, n_learnt: int, fps: float, *, at_once: bool) -> None:
        """Put what a frame gave into the slot; see `app.engine.playable.Shower`."""
        now = time.perf_counter()
        self._shown, self._n_learnt, self._fps, self._looks = report, n_learnt, fps, False
        self._n_missed += self._missed_by(report)
        self._frame_s = self._measured(report)
        point = self._point(report, n_learnt, fps)
        news = replace(
            self._in_force(session, n_learnt, fps), points=[] if point is None else [point], frame_s=self._frame_s
        )
        self._basis.see(report, n_learnt)
        if at_once or self._basis.is_due:
            news = news.updated(self._basis.brought_up_to_date(session))
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
        self._shown_at = time.perf_counter()
        self._basis.stand_at(report)
        news = self._in_force(session, 0, 0.0).updated(self._basis.brought_up_to_date(session))
        self._slot.put(news.updated(self._drawn(report)).updated(self._confidence(session)))

    def recall_unused(self, unused: Collection[int]) -> None:
        """Take note of the basis images, from 0, that an earlier run has not used, which is gone on with."""
        self._basis.recall_unused(unused)

    def unused(self, session: Session) -> tuple[int, ...] | None:
        """Return the basis images, from 0, that were not used so far; None where that is not known."""
        return self._basis.unused(session)

    def look(self, report: Report, session: Session, /, *, at_once: bool) -> None:
        """Put a frame that teaches nothing into the slot: no points, as nothing goes on."""
        self._held = self._shown = report
        self._looks = True
        if self._is_wanted(at_once=at_once):
            self._slot.put(self._drawn(report).updated(self._confidence(session)))

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
        self._slot.put(self._basis.drawn(session))

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
            counts = Shown(
                fps=self._fps, frame_s=self._frame_s, n_learnt=self._n_learnt, n_missed=self._n_missed
            )  # fmt: skip
            counts = Shown() if self._looks else counts
            self._slot.put(self._drawn(report).updated(counts))
        if self._basis.is_behind and session is not None:
            self._slot.put(self._basis.brought_up_to_date(session).updated(self._confidence(session)))
        self._meter = None  # What comes until it goes on is the time that a person takes.

    def clear(self) -> None:
        """Begin anew; nothing of the former run is shown any more."""
        self._held = self._shown = self._meter = None
        self._n_learnt, self._n_missed, self._looks, self._iterated = 0, 0, False, False
        self._basis.clear()
        self._slot.clear()

    def _missed_by(self, report: Report) -> int:
        """Return how many frames were left out just before one that has come now; in a pause nobody waits for any."""
        is_new = report.iteration is None and report.pass_index == 0
        return report.frame.n_missed if is_new and self._meter is not None else 0

    def _measured(self, report: Report) -> float:
        """Return how long a frame takes, seconds, with one that has come now; 0 where that is not known."""
        from core.export.progress import ProgressMeter  # noqa: PLC0415 - the engine is there by now

        if self._meter is None:
            self._meter = ProgressMeter()
        return self._meter.measure(report).frame_s or 0.0

    def _point(self, report: Report, n_learnt: int, fps: float) -> PlotPoint | None:
        """Return what the plots get: of a batch method the objective of each iteration, then the rest of each frame."""
        from core.frames.residual import residual_rms  # noqa: PLC0415 - needs OpenCV

        if report.iteration is not None:
            self._iterated = True
            return PlotPoint(report.iteration.number, {"objective": report.iteration.objective}, iterates=True)
        if report.phase is Phase.GATHERING:
            return None
        residual = residual_rms(report.frame, report.split)
        values: dict[str, ArrayLike] = {"residual": residual, "h": report.split.h, "fps": fps}
        if not self._iterated:
            values["objective"] = report.split.objective
        if (measured := self._profile(report)) is not None:
            values["profile"] = measured
        return _point_of(report, n_learnt, values)

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
        self._of_input[id(report)] = report
        return Shown(report=report, pictures=pictures)

    def _in_force(self, session: Session, n_learnt: int, fps: float) -> Shown:
        """Return what holds for a run now."""
        return Shown(
            values=session.control.values, automatic={**session.method.automatic, **session.foreground.automatic},
            has_own_passes=session.has_own_passes, fps=fps, n_learnt=n_learnt, n_missed=self._n_missed,
            n_changes=self._n_changes,
        )  # fmt: skip

    def _confidence(self, session: Session) -> Shown:
        """Return how often each pixel of the plate was seen so far, where that is shown."""
        return _confidence_of(session) if self._shows_confidence else Shown()


def _point_of(report: Report, n: int, values: dict[str, ArrayLike]) -> PlotPoint:
    """Return the figures of a frame, with how much of it is foreground."""
    share = report.foreground_share
    return PlotPoint(n, values, index=report.frame.index, share=share, scene_first=report.scene_first)


def _confidence_of(session: Session) -> Shown:
    from core.export.pictures import confidence_picture  # noqa: PLC0415 - needs OpenCV and encoders

    return Shown(confidence=confidence_picture(session.confidence()))
