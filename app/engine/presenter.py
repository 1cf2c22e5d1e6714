"""Decides which reports the window gets to see, and makes their pictures on the worker's thread."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.engine.mailbox import NewestSlot, PlotPoint, Shown
from core.session.phase import Phase

if TYPE_CHECKING:
    import numpy as np

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

    Attributes
    ----------
    enlarged : frozenset of int
        Numbers of the basis images whose pictures are as large as the frames.
    halvings : int
        How often the size of the pictures may be halved for the screen.
    confidence : bool
        Is the plate's confidence shown?
    n_changes : int
        Changes of parameters that were made so far.
    """

    def __init__(self, slot: NewestSlot[Shown]) -> None:
        self.enlarged: frozenset[int] = frozenset()
        self.halvings = 0
        self.confidence = False
        self.n_changes = 0
        self._slot = slot
        self._held: Report | None = None
        self._h: np.ndarray | None = None
        self._behind: Session | None = None
        self._iterated = False
        self._thumbnails_at = self._shown_at = self._confidence_at = 0.0

    def show(self, report: Report, session: Session, n_learnt: int, fps: float, *, at_once: bool) -> None:
        """Put what a frame gave into the slot.

        Parameters
        ----------
        at_once
            Show this frame whatever the time: the first one, a step, the frame at which it stops.
        """
        split, now = report.split, time.perf_counter()
        items: dict = {"fps": fps, "n_learnt": n_learnt, "values": session.control.values, "n_changes": self.n_changes}
        self._h = None if report.phase is Phase.GATHERING else split.h
        self._behind = session
        if at_once or now - self._thumbnails_at > THUMBNAILS_S:
            self._thumbnails_at = now
            self._behind = None
            items.update(self._thumbnails(session))
        if self.confidence and (at_once or now - self._confidence_at > CONFIDENCE_S):
            self._confidence_at = now
            items["confidence"] = self._confidence_of(session)
        if at_once or (now - self._shown_at > DISPLAY_S and self._slot.is_empty):
            self._shown_at = now
            self._held = None
            items.update(self._drawn(report))
        else:
            self._held = report
        self._slot.put(self._point(report, n_learnt, fps), **items)

    def show_confidence(self, session: Session) -> None:
        """Show how often each pixel of the plate was seen so far."""
        self._slot.put(confidence=self._confidence_of(session))

    def show_basis(self, session: Session) -> None:
        """Show the basis as it is now, though no frame has come."""
        self._slot.put(**self._thumbnails(session))

    def show_values(self, session: Session) -> None:
        """Tell of the parameters in force, though no frame has come."""
        self._slot.put(values=session.control.values, n_changes=self.n_changes)

    def show_again(self, report: Report) -> None:
        """Show a frame anew: something of it was corrected."""
        self._held = None
        self._slot.put(**self._drawn(report))

    def flush(self) -> None:
        """Show the last frame that was processed but not shown, and what was learnt from it: playing stops here."""
        if self._held is not None:
            report, self._held = self._held, None
            self._slot.put(**self._drawn(report))
        if self._behind is not None:
            session, self._behind = self._behind, None
            confidence = {"confidence": self._confidence_of(session)} if self.confidence else {}
            self._slot.put(**self._thumbnails(session), **confidence)

    def clear(self) -> None:
        """Begin anew; nothing of the former run is shown any more."""
        self._held = self._h = self._behind = None
        self._iterated = False
        self._slot.clear()

    def _point(self, report: Report, n_learnt: int, fps: float) -> PlotPoint | None:
        """Return what the plots get: of a batch method the objective of each iteration, then the rest of each frame."""
        from core.session.comparison import residual_rms  # noqa: PLC0415 - the engine is there by now

        if report.iteration is not None:
            self._iterated = True
            return PlotPoint(report.iteration.number, report.iteration.objective)
        if report.phase is Phase.GATHERING:
            return None
        objective = None if self._iterated else report.split.objective
        return PlotPoint(n_learnt, objective, residual_rms(report), report.split.h, fps)

    def _drawn(self, report: Report) -> dict:
        """Make the pictures that the panes show, here and not on the window's thread."""
        from app.rendering.report_images import Pictures  # noqa: PLC0415 - needs OpenCV

        pictures = Pictures(report, self.halvings)
        pictures.draw()
        return {"report": report, "pictures": pictures}

    def _confidence_of(self, session: Session) -> np.ndarray:
        from core.export.products import confidence_picture  # noqa: PLC0415 - needs OpenCV and encoders

        return confidence_picture(session.confidence())

    def _thumbnails(self, session: Session) -> dict:
        from app.rendering.basis_thumbnails import basis_pictures, shares  # noqa: PLC0415 - needs OpenCV and numba

        h = self._h
        if h is None:
            # Before anything is learnt it is noise, and at a high rank drawing it takes longer than gathering.
            return {"basis": [], "shares": []}
        W = session.method.W
        # Of another rank than the last frame had, nothing is known before the next one.
        parts = shares(W, h) if h.size == W.shape[1] else [None] * W.shape[1]
        return {"basis": basis_pictures(W, session.layout, self.enlarged), "shares": parts}
