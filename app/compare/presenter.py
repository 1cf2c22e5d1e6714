"""Decides which turns of a comparison its window gets to see, and makes their pictures on the engine's thread."""

from __future__ import annotations

import math
import time
from collections import deque
from statistics import median
from typing import TYPE_CHECKING

from app.compare.snapshot import ColumnShown, Compared, ComparePoint
from app.engine.presenter import DISPLAY_S
from app.engine.slot import NewestSlot
from app.rendering.picture_kinds import draw
from app.rendering.report_images import Pictures
from core.session.comparison import FIGURES, Comparison, Turn, figures

if TYPE_CHECKING:
    from core.session.report import Report

TIMED_FRAMES = 30
"""Frames that the times shown are medians of: single ones cannot be read."""


class ComparePresenter:
    """Fills the slot: a point for each frame, pictures only as often as the window takes them.

    Parameters
    ----------
    slot : NewestSlot of Compared
    kinds : frozenset of str
        Keys of `app.rendering.picture_kinds.KINDS`: the pictures that are made.
    """

    def __init__(self, slot: NewestSlot[Compared], kinds: frozenset[str]) -> None:
        self._slot, self._kinds = slot, kinds
        self._halvings = 0
        self._latest: list[Report | None] = []
        self._waits: dict[int, bool] = {}
        self._times: list[deque[tuple[float, float]]] = []
        self._drawn: dict[int, Pictures] = {}
        self._held = False
        self._n_together = 0
        self._shown_at = self._fps = 0.0

    def set_detail(self, halvings: int) -> None:
        """Halve the size of the pictures for the screen so often from now on."""
        self._halvings = halvings

    def set_kinds(self, kinds: frozenset[str]) -> None:
        """Make pictures of these kinds from now on, also of what is shown."""
        self._kinds = kinds
        self._drawn.clear()
        if self._latest:
            self._draw()

    def show(self, turn: Turn, _comparison: Comparison, /, n_learnt: int, fps: float, *, at_once: bool) -> None:
        """Put what a turn gave into the slot; see `app.engine.playable.Shower`."""
        if not self._latest:
            self._latest = [None] * len(turn.reports)
            self._times = [deque(maxlen=TIMED_FRAMES) for _ in turn.reports]
        for i, report in enumerate(turn.reports):
            self._waits[i] = report is None
            if report is not None:
                self._latest[i] = report
                self._times[i].append((report.stages_ms["step"], report.stages_ms["mask"]))
        if turn.together:
            self._n_together += 1
            self._slot.put(Compared(points=[_point(self._n_together, turn)]))
        self._fps = fps if turn.together else 0.0
        self._draw_if_due(at_once=at_once)

    def look(self, turn: Turn, _comparison: Comparison, /, *, at_once: bool) -> None:
        """Put a turn that teaches nothing into the slot: no points, as nothing goes on."""
        self._latest = list(turn.reports)
        self._draw_if_due(at_once=at_once)

    def _draw_if_due(self, *, at_once: bool) -> None:
        now = time.perf_counter()
        if at_once or (now - self._shown_at > DISPLAY_S and self._slot.is_empty):
            self._shown_at = now
            self._draw()
        else:
            self._held = True

    def flush(self, _comparison: Comparison | None, /) -> None:
        """Show the last turn that was not shown: playing stops here."""
        if self._held:
            self._draw()

    def clear(self) -> None:
        """Begin anew; nothing of the former run is shown any more."""
        self._latest, self._waits, self._times, self._drawn = [], {}, [], {}
        self._held, self._n_together = False, 0
        self._shown_at = self._fps = 0.0
        self._slot.clear()

    def _draw(self) -> None:
        self._held = False
        columns = [None if report is None else self._column(i, report) for i, report in enumerate(self._latest)]
        self._slot.put(Compared(columns, fps=self._fps))

    def _column(self, i: int, report: Report) -> ColumnShown:
        pictures = self._drawn.get(i)
        if pictures is None or pictures.report is not report or pictures.halvings > self._halvings:
            pictures = self._drawn[i] = Pictures(report, self._halvings)
            draw(pictures, self._kinds)  # Here, and not on the window's thread.
        step, mask = (median(times) for times in zip(*self._times[i], strict=True))
        return ColumnShown(report, pictures, (step, mask), self._waits[i])


def _point(n: int, turn: Turn) -> ComparePoint:
    reports = [report for report in turn.reports if report is not None]
    known = [figures(report) for report in reports]
    keys = [key for key in FIGURES if any(key in one for one in known)]
    values = {key: [one.get(key, math.nan) for one in known] for key in keys}
    values["ms"] = [report.stages_ms["step"] + report.stages_ms["mask"] for report in reports]
    return ComparePoint(n, values)
