"""Shows again what a run showed that another session goes on from: nothing is learnt from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.frames.frame import Frame
from core.frames.split import Split
from core.session.alignment import aligned
from core.session.plan import Stage
from core.session.reader import Reader
from core.session.report import Report
from core.session.scene_parts import SceneParts
from core.session.standing import Kept, Standing, fits, masked_by, motion_of, samples_of, seen_of, split_of


class StandingAgain:
    """Makes the report of the frame where a run stood.

    Parameters
    ----------
    parts : SceneParts
        Method and foreground are as they were when the run stood there. ``last`` holds the report from then on, and
        ``cleaning`` the plate of the pass before.
    """

    def __init__(self, parts: SceneParts) -> None:
        self._source, self._method, self._foreground = parts.source, parts.method, parts.foreground
        self._aligner, self._last, self._cleaning = parts.aligner, parts.last, parts.cleaning
        self._as_shown = parts.as_shown

    def report(self, standing: Standing, stage: Stage) -> Report | None:
        """Return the report of the frame where a run stood in a stage; None where the input has no such frame."""
        frame = self._frame(standing.index)
        if frame is None:
            return None
        kept = standing.kept
        if kept is not None and not fits(kept, frame.layout, self._foreground.cells):
            kept = None
        return self._anew(frame, stage) if kept is None else self._as_kept(frame, stage, kept)

    def _frame(self, index: int) -> Frame | None:
        reader = Reader(self._source)
        try:
            reader.start(index)
            return reader.next_frame()
        finally:
            reader.close()

    def _as_kept(self, frame: Frame, stage: Stage, kept: Kept) -> Report:
        layout = frame.layout
        plate = samples_of(kept, "plate", layout)
        if plate is not None:
            self._cleaning.take_plate(plate, seen_of(kept))
        frame = replace(frame, motion=motion_of(kept))
        scene = aligned(frame, samples_of(kept, "background", layout))
        report = self._bare(scene, split_of(kept, scene, self._method.look(scene.values)), stage)
        return self._last.put(masked_by(report, kept, self._foreground.cell_side), frame)

    def _anew(self, frame: Frame, stage: Stage) -> Report | None:
        """Return what is found in a frame of which nothing was kept: as one that is looked at out of its turn."""
        found = self._aligner.look(frame, self._method.look(frame.values))
        bare = self._bare(found.scene, self._method.look(found.scene.values), stage)
        self._last.put(bare, found.camera)
        return self._last.look_again(is_alone=True)

    def _bare(self, scene: Frame, split: Split, stage: Stage) -> Report:
        """Return a report without a mask."""
        nothing = np.zeros(scene.layout.shapes[0], np.uint8)
        return Report(
            scene, split, nothing, stage.pass_index, stage.n_passes, scene.index + 1, self._source.info.n_frames,
            stages_ms=dict.fromkeys(("decode", "step", "mask"), 0.0), phase=stage.phase, **self._as_shown(),
        )  # fmt: skip
