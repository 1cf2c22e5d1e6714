"""The mask of each frame; and what it taught, passed on: to the method, to the plate, to the stillest samples."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.frames.split import Split
from core.methods.base import Method
from core.scene.illumination import OtherLight
from core.scene.masks.cell_logits import CellLogits
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.marks import Marks
from core.session.scene_follower import SceneFollower


@dataclass(frozen=True)
class MaskedFrame:
    """The mask of a frame, and what else is known of its pixels. Nothing in it is written again.

    Attributes
    ----------
    marks : Marks
        As people corrected them.
    logits : CellLogits or None
        What the head said of the cells; None where it was not asked.
    lit : (F,) samples, or None
        The background in the light of the frame, see `core.scene.illumination`; None: it is as it was recovered.
    """

    marks: Marks
    logits: CellLogits | None = None
    lit: Values | None = None


class MaskFeedback:
    """Makes the mask of each frame, and tells all who learn from it what hides the background and what belongs to it.

    Parameters
    ----------
    layout : Layout
        Of the frames, aligned with the scene.
    method : Method
    foreground : Foreground
        Makes the masks of methods that make none: nothing found then touches what those learn that make their own.
    corrections : Corrections
        What people painted; it goes before what the foreground finds.
    scenes : SceneFollower
        Has the scene that is shown.
    """

    def __init__(
        self, layout: Layout, method: Method, foreground: Foreground, corrections: Corrections, scenes: SceneFollower
    ) -> None:
        self._layout, self._method, self._foreground, self._corrections = layout, method, foreground, corrections
        self._scenes = scenes

    def mask(
        self,
        frame: Frame,
        split: Split,
        unseen: NDArray[np.uint8] | None = None,
        never: NDArray[np.bool_] | None = None,
        *,
        learns: bool,
    ) -> MaskedFrame:
        """Return the mask of a frame, and let all who learn from it know.

        Parameters
        ----------
        frame : Frame
            Aligned with the scene.
        split : Split
            What the method made of it.
        unseen : (H, W) uint8, optional
            Not 0 where the frame shows nothing of the scene.
        never : (H, W) bool, optional
            Where nothing is foreground.
        learns : bool
            Without it only the plate takes note, and the mask of its noise where the model that is applied lacks it.
        """
        scene = self._scenes.now
        if split.mask is not None:
            marks = self._corrected(frame, Marks.of_mask(split.mask), never)
            scene.take(frame, split, marks.covered)
            return MaskedFrame(marks)
        background = split.samples(self._layout)
        found, revealed = self._foreground.detect(frame, background), None
        if learns:
            lit = scene.light.offer(frame.values, background, found.covered)
            if lit is not None:
                return self._mask_in_light(frame, split, lit, never)
            sure = None if scene.known is None else scene.known.sure
            revealed = self._foreground.update(found, frame.index, unseen, sure)
        elif self._foreground.lacks_noise:
            self._foreground.update(found, frame.index, unseen)
        marks = self._corrected(frame, replace(found.marks, revealed=revealed), never)
        scene.take(frame, split, marks.covered, marks.revealed, unseen)
        if learns:
            self._pass_on(frame, background, marks)
            self._scenes.note_changes(frame, found.cells, background, never)
        return MaskedFrame(marks, found.logits)

    def _mask_in_light(
        self, frame: Frame, split: Split, lit: OtherLight, never: NDArray[np.bool_] | None
    ) -> MaskedFrame:
        """Return the mask of a frame in other light, before the background in it; it teaches nothing but that light."""
        scene = self._scenes.now
        found = self._foreground.detect(frame, lit.background)
        marks = self._corrected(frame, found.marks, never)
        scene.take(frame, split, marks.covered, counts=False)
        self._method.exclude_pixels(np.full(self._layout.shapes[0], 255, np.uint8))
        if lit.stays:
            self._method.overwrite_background(lit.background, np.ones(self._layout.n_values, np.bool_))
            scene.forget_samples()
        return MaskedFrame(marks, found.logits, lit.background)

    def _corrected(self, frame: Frame, marks: Marks, never: NDArray[np.bool_] | None) -> Marks:
        """Return what was found of a frame, corrected by what people painted and exclude."""
        return self._corrections.apply(frame, marks, self._foreground.noise).without(never)

    def _pass_on(self, frame: Frame, background: Values, marks: Marks) -> None:
        """Let the method know what hides the background, and what turned out to belong to it."""
        self._method.exclude_pixels(marks.covered)
        scene = self._scenes.now
        if marks.revealed is not None:
            self._method.overwrite_background(frame.values, self._layout.spread(marks.revealed))
        if scene.still is not None and scene.still.offer(frame.values):
            better = scene.still.better(background, self._foreground.cover())
            if better is not None:
                self._take_stillest_samples(*better, background)

    def _take_stillest_samples(self, values: Values, where: NDArray[np.bool_], background: Values) -> None:
        """Replace what is in doubt (H, W) of the background (F,) by what its pixels show when all is still (F,)."""
        where = self._corrections.allowed(values, background, where, self._foreground.noise)
        self._method.overwrite_background(values, self._layout.spread(where))
        self._scenes.now.plate.discard(where)
