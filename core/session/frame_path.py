"""The path of one frame: aligned with the scene, split by the method, masked; and what was found, as a report."""

from __future__ import annotations

import time
from collections import deque

import numpy as np

from core.frames.frame import Frame, Vector
from core.frames.motion import NO_SHIFT
from core.frames.split import Split
from core.scene.masks.marks import Marks
from core.session.alignment import Aligned, unseen
from core.session.batch_set import BatchSet
from core.session.feedback import MaskedFrame, MaskFeedback
from core.session.groups import Groups
from core.session.phase import Phase
from core.session.plan import Stage
from core.session.report import Report
from core.session.scene_parts import SceneParts
from core.session.scenes import Scene
from core.session.stroke_history import StrokeHistory

SHOWN_BEFORE = -1
"""Before all frames: something of the scene was seen before somebody has sought."""

MOST_BACK = 64
"""Vectors after which methods have told of another scene, at most."""


class FramePath:
    """Takes frames down the path, one after another.

    Parameters
    ----------
    parts : SceneParts
    strokes : StrokeHistory
        Moves along where the scene is given other coordinates.
    batch : BatchSet or None
        Of a batch method that learns.
    groups : Groups
        Lets the method learn from frames.
    """

    def __init__(self, parts: SceneParts, strokes: StrokeHistory, batch: BatchSet | None, groups: Groups) -> None:
        self._strokes, self._batch, self._groups = strokes, batch, groups
        self._method, self._scenes, self._as_shown = parts.method, parts.scenes, parts.as_shown
        self._aligner, self._last, self._cleaning, self._areas = parts.aligner, parts.last, parts.cleaning, parts.areas
        self._feedback = MaskFeedback(
            parts.source.info.layout, parts.method, parts.foreground, parts.corrections, parts.scenes
        )
        self._began: deque[int] = deque(maxlen=MOST_BACK)
        self._lost_from: int | None = None
        self._index: int | None = None
        self._shown_from: int | None = None  # Frame of the run from which on something was to be seen.

    def take(
        self, frame: Frame, stage: Stage, n_done: int, n_frames: int | None, decode_ms: float
    ) -> tuple[Report, Frame]:
        """Return the report of the next frame in coordinates of the scene, and the frame as it came with its motion.

        Parameters
        ----------
        frame : Frame
        stage : Stage
            What is done with it.
        n_done, n_frames : int
            As the report has them.
        decode_ms : float
            Spent on waiting for the frame.
        """
        started = time.perf_counter()
        self._scenes.see(frame.index)
        scene, background = self._scenes.another_scene(frame.index), self._last.background
        if scene is not None and background is not None:
            self._scenes.end_scene(background, self._last.never, frame.index)
            self._go_on_in(scene)
        found = self._align(frame, stage)
        align_ms = 1e3 * (time.perf_counter() - started)
        values = found.scene.values
        learns = stage.method_learns and not found.is_lost
        split, step_ms = self._groups.step(values) if learns else self._transform(values)
        if stage.pass_index == 0:
            self._scenes.notes.see(frame.index, is_blank=found.is_blank)
        if stage.method_learns:
            self._watch_for_scene(frame, is_lost=found.is_lost)
        stepped = time.perf_counter()
        masked = self._mask(found, split, stage)
        marks = masked.marks
        mask_ms = 1e3 * (time.perf_counter() - stepped)
        stages_ms = {"decode": decode_ms, "step": align_ms + step_ms, "mask": mask_ms}
        warming = self._method.warming if stage.method_learns else None
        report = Report(
            found.scene, split, marks.mask, stage.pass_index, stage.n_passes, n_done, n_frames, stages_ms=stages_ms,
            phase=stage.phase, warming=warming, may_hide=marks.may_hide, logits=masked.logits, painted=marks.painted,
            lit=masked.lit, **self._as_shown(),
        )  # fmt: skip
        return report, found.camera

    def _watch_for_scene(self, frame: Frame, *, is_lost: bool) -> None:
        """Begin another scene where the method has found one: with the frames that were lost just before its first."""
        index = frame.index
        if self._index is not None and index != self._index + 1:  # Somebody has sought, or another pass has begun.
            self._began.clear()
            self._lost_from, self._shown_from = None, SHOWN_BEFORE
        self._index = index
        if self._shown_from is None and not frame.layout.is_blank(frame.values):
            self._shown_from = index
        if is_lost:
            self._lost_from = index if self._lost_from is None else self._lost_from
            return
        self._began.append(index if self._lost_from is None else self._lost_from)
        self._lost_from, back = None, self._method.scene_began
        background = self._last.background
        if back is not None and background is not None:
            place = max(len(self._began) - 1 - back, 0)
            first, is_cut = self._began[place], place > 0 or len(self._began) == MOST_BACK
            has_shown = self._shown_from is not None and self._shown_from < first
            before = background if has_shown else None
            self._scenes.begin_scene(first, before, n_before=index - first, is_cut=is_cut)
            self._cleaning.forget_plate()

    def begin_again(self, first: int) -> bool:
        """Begin a pass from a frame on with what the pass before has learnt of its scene; return whether it has."""
        background = self._last.background
        if background is None:
            return False
        self._go_on_in(self._scenes.end_pass(background, first, self._last.never))
        return True

    def _go_on_in(self, scene: Scene) -> None:
        by = self._scenes.go_on_in(scene)
        if by != NO_SHIFT:
            self._strokes.move(round(by.down), round(by.right))
        self._cleaning.take_plate(scene.plate, scene.seen)

    def _transform(self, values: Vector) -> tuple[Split, float]:
        started = time.perf_counter()
        split = self._method.transform(values)
        return split, 1e3 * (time.perf_counter() - started)

    def _align(self, frame: Frame, stage: Stage) -> Aligned:
        now = self._scenes.now
        found = self._aligner.align(
            frame, self._last.split, learns=stage.method_learns, begun=now.begun, is_known=now.known is not None
        )
        if found.rebased is not None:
            by = found.rebased.by
            self._scenes.rebase(found.rebased.background, by, found.rebased.before)
            self._strokes.move(round(by.down), round(by.right))
            self._cleaning.rebase(found.camera, by)
        return found

    def _mask(self, found: Aligned, split: Split, stage: Stage) -> MaskedFrame:
        """Return the mask of a frame; an empty one while a batch method gathers, as nothing is known yet."""
        if stage.phase is not Phase.GATHERING:
            hidden = unseen(found.camera, all_of_it=found.is_lost)
            never = self._areas.never(found.camera)
            learns = stage.mask_learns and not found.is_lost
            return self._feedback.mask(found.scene, split, hidden, never, learns=learns)
        if self._batch is not None:
            self._batch.offer(found.camera)
        empty = np.zeros(found.camera.layout.shapes[0], np.uint8)
        return MaskedFrame(Marks.of_mask(empty))
