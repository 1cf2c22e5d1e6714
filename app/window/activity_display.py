"""The activity strip of the timeline: filled from what plays, and from a look through the whole clip."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QDeadlineTimer, QObject, QTimer

from app.engine.look_through import LookThrough
from app.engine.threads import SHORT_PATIENCE_MS, Background
from core.events.activity import Activity, ActivityCurve

if TYPE_CHECKING:
    from app.engine.snapshot import PlotPoint
    from app.views.activity import ActivityStrip
    from app.window.choice import RunChoice
    from app.window.commands.input import InputCommands
    from core.scene.areas import Areas

START_MS = 3000
"""Time that an input is open, and areas are as they are, before it is looked through, milliseconds: first frames come
first, and areas are drawn in several steps."""

TICK_MS = 500
"""Time between two pictures of the strip, milliseconds."""


class ActivityDisplay(QObject):
    """Shows the activity of what is open.

    Parameters
    ----------
    input_ : InputCommands
        Whose ``changed`` this follows.
    choice : RunChoice
        Knows the areas: what moves where nothing is ever foreground does not count.
    strip : ActivityStrip
    parent : QObject
    """

    def __init__(self, input_: InputCommands, choice: RunChoice, strip: ActivityStrip, parent: QObject) -> None:
        super().__init__(parent)
        self._input, self._choice, self._strip = input_, choice, strip
        self._played = Activity()
        self._looked: ActivityCurve | None = None
        self._seen: tuple[object, ...] = ()
        self._dirty = False
        self._background: Background[LookThrough] | None = None
        self._ending: list[Background[LookThrough]] = []
        self._start = QTimer(self, singleShot=True, interval=START_MS)
        self._start.timeout.connect(self._look_through)
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self.tick)
        self._timer.start()
        input_.changed.connect(self.follow)
        self.follow()

    def add(self, point: PlotPoint) -> None:
        """Take what a frame that was played gave."""
        if not point.iterates:
            self._played.add(point.index, point.share, point.scene_first)
            self._dirty = True

    def tick(self) -> None:
        """Show what is new."""
        curve = None if self._background is None else self._background.worker.take()
        if curve is not None:
            self._looked = curve
        if curve is not None or self._dirty:
            self._dirty = False
            played = self._played.curve()
            self._strip.show_curve(played if self._looked is None else joined(self._looked, played))

    def stop(self) -> None:
        """Tell what runs to end: the window is closing."""
        self._start.stop()
        self._timer.stop()
        self._end()

    def wait(self) -> None:
        """Wait a moment for the end of what was told to."""
        deadline = QDeadlineTimer(SHORT_PATIENCE_MS)
        for background in self._ending:
            background.wait(deadline)

    def follow(self) -> None:
        """Begin anew where something else is open, or other areas are never foreground."""
        info, request = self._input.info, self._input.request
        if info is None:
            return
        what = (request.path, request.roi, request.frames, request.seed, self._areas)
        if what == self._seen:
            return  # Seen in another way, the same things move.
        self._seen = what
        self._end()
        self._played, self._looked, self._dirty = Activity(info.n_frames), None, False
        self._strip.clear()
        if not info.live and info.n_frames and info.fps:
            self._start.start()

    def _look_through(self) -> None:
        look = LookThrough(self._input.request, self._input.original, self._areas)
        self._background = Background(look, "activity")
        self._background.start()

    @property
    def _areas(self) -> Areas | None:
        areas = self._choice.areas
        return areas if areas is not None and areas.may_hide else None

    def _end(self) -> None:
        """Tell the look to end, and wait for nothing: a drive that hangs would hold the window."""
        self._ending = [one for one in self._ending if one.thread.isRunning()]
        if self._background is not None:
            self._background.worker.cancel()
            self._ending.append(self._background)
            self._background = None


def joined(looked: ActivityCurve, played: ActivityCurve) -> ActivityCurve:
    """Return what was played, at the larger size, where nothing was looked at yet, and else what was looked at."""
    if looked.frames_a_bin != played.frames_a_bin:
        return looked if len(looked.mean) * looked.frames_a_bin >= len(played.mean) * played.frames_a_bin else played
    n = max(len(looked.mean), len(played.mean))
    parts = []
    for first, second in ((looked.low, played.low), (looked.mean, played.mean), (looked.high, played.high)):
        a, b = (np.concatenate([values, np.full(n - len(values), np.nan)]) for values in (first, second))
        parts.append(np.where(np.isfinite(a), a, b))
    return ActivityCurve(looked.frames_a_bin, *parts)
