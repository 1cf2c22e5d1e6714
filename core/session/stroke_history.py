"""Strokes that people paint on frames while a session runs: the last of them can be taken back, and painted again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame
from core.scene.masks.recoloured_strokes import can_recolour, recoloured
from core.scene.masks.strokes import Pixels, Span
from core.session.iterating_thread import IteratingThread
from core.session.painted import Painted
from core.session.remembered_strokes import RememberedStrokes
from core.session.report import Report
from core.session.scene_parts import SceneParts
from core.session.stroke_feedback import StrokeFeedback
from core.session.stroke_painter import StrokePainter
from core.session.strokes import Strokes

MOST_UNDOABLE = 5
"""Strokes that can be taken back; each holds the report that was shown."""


class StrokeHistory:
    """Has strokes painted, takes them back, and comes back to what was painted at another time.

    Any thread may read `painted` and `now`; the rest is for the thread that iterates, between two frames, and checked.

    Parameters
    ----------
    thread : IteratingThread
    feedback : StrokeFeedback
        Passes on what strokes say of the scene.
    parts : SceneParts
    """

    def __init__(self, thread: IteratingThread, feedback: StrokeFeedback, parts: SceneParts) -> None:
        self._thread, self._feedback = thread, feedback
        self._scenes, self._last, self._layout = parts.scenes, parts.last, parts.source.info.layout
        self._remembered = RememberedStrokes(parts)
        self._painter = StrokePainter(parts, feedback, self._remembered)
        self._done: list[Painted] = []
        self._undone: list[Painted] = []

    @property
    def now(self) -> Strokes:
        """What was painted by hand and is remembered: as it was before what is painted this moment, or after it."""
        return self._remembered.now

    @property
    def painted(self) -> Mapping[str, NDArray[np.generic]]:
        """What was painted by hand and is remembered, as arrays for `core.session.settings.Settings.painted`."""
        return self.now.arrays

    def paint(
        self,
        frame: Frame,
        background: Pixels | None = None,
        foreground: Pixels | None = None,
        *,
        frames: Span | None = None,
    ) -> Report | None:
        """Take what a person painted on a frame for true, and remember it (`core.scene.masks.corrections`).

        After the first frames it also teaches what is like it, in all frames from now on (`core.scene.masks.lessons`).
        The background is taken from the frame where that agrees (`core.scene.masks.agreement`), else stays as it is.

        Parameters
        ----------
        frame : Frame
            As a report had it.
        background, foreground : (H, W) bool, optional
            What was painted as either, at the working size.
        frames : Span, optional
            These are corrected and no others, and nothing is learnt from it.

        Returns
        -------
        Report or None
            The last report corrected, where it is of this frame.

        Raises
        ------
        CleanplateError
            As much is painted as can be remembered: the stroke is left out, and all else stays as it was.
        """
        self._thread.check()
        stroke = self._painter.on_frame(frame, background, foreground, frames)
        painted = self._painter.take(stroke)
        self._done, self._undone = [*self._done[1 - MOST_UNDOABLE :], painted], []
        return self._painter.show(stroke, taught=painted.taught)

    def undo(self) -> Report | None:
        """Forget what was painted last; what it said of the background stays where another scene is shown by now.

        Returns
        -------
        Report or None
            As it was, where its frame is still the last one; else the last one, looked at again. None where there was
            nothing to take back, or nothing to show.
        """
        self._thread.check()
        if not self._done:
            return None
        painted = self._done.pop()
        self._undone.append(painted)
        self._remembered.restore(painted.before)
        plate = self._scenes.now.plate
        since = plate.hidden()
        if painted.background is not None and self._is_of_scene(painted):
            self._feedback.overwrite_background(painted.scene, painted.background)
        for hidden in (since, painted.hidden):  # Frames from after the stroke count as they do; those before as before.
            plate.restore(hidden, painted.where)
        return self._painter.show_as(painted.report)

    def restore(self, strokes: Strokes) -> Report | None:
        """Remember what was painted at another time, and nothing else.

        One stroke less or more is taken back, or painted again, with what it said of the background, while that is
        still known (`MOST_UNDOABLE`) and its scene is shown. Strokes on frames of another size are left alone; of
        those in other planes only the strokes are remembered, not what they taught.

        Returns
        -------
        Report or None
            The last one, looked at again.
        """
        self._thread.check()
        if strokes.layout.shapes != self._layout.shapes:
            if not can_recolour(strokes.layout, self._layout):
                return None
            carried = tuple(recoloured(one, strokes.layout, self._layout) for one in strokes.strokes)
            strokes = Strokes(self._layout, carried)
        if self._done and self._done[-1].before.is_same(strokes):
            return self.undo()
        again = self._undone.pop() if self._undone and self._undone[-1].after.is_same(strokes) else None
        self._remembered.restore(strokes)
        if again is None:
            self._done, self._undone = [], []
            return self._last.look_again(split_anew=True)
        self._done.append(again)
        if again.told is not None and self._is_of_scene(again):
            self._feedback.overwrite_background(again.seen, again.told)
        self._feedback.hide_painted()
        return self._last.look_again(split_anew=True)

    def _is_of_scene(self, painted: Painted) -> bool:
        """Tell whether it was painted on the scene that is shown now."""
        return painted.scene_began == self._scenes.now.first

    def forget(self) -> Report | None:
        """Remember nothing of what was painted any more; what the background learnt from it stays.

        Returns
        -------
        Report or None
            The last one, looked at again.
        """
        self._thread.check()
        self._remembered.restore(Strokes(self._layout))
        self._done, self._undone = [], []
        return self._last.look_again()

    def move(self, down: int, right: int) -> None:
        """Remember all strokes so many pixels (even) lower and further right; what was done so far stays done."""
        self._thread.check()
        self._remembered.move(down, right)
        self._done, self._undone = [], []
