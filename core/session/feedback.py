"""What a mask taught, passed on: to the method, to the plate, to what is remembered of the stillest samples."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import NO_SHIFT, Frame, Layout, Shift, Values
from core.frames.shift import moved
from core.frames.split import Split
from core.methods.base import Method
from core.runtime import stopping
from core.runtime.announcing import announced
from core.scene.clean_plate import BUDGET_BYTES, LEAN_BYTES, CleanPlate, Hidden
from core.scene.illumination import LightChange
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.masks.head import Verdict
from core.scene.masks.marks import Marks
from core.scene.stillest_samples import StillestSamples
from core.scene.surroundings import MAJORITY
from core.session.scenes import Cuts, Scene, SceneInProgress, Scenes


class MaskFeedback:
    """Makes the mask of each frame, and tells all who learn from it what hides the background and what belongs to it.

    Parameters
    ----------
    layout : Layout
        Of the frames, aligned with the scene.
    method : Method
    foreground : Foreground
        Makes the masks of methods that make none.
    corrections : Corrections
        What people painted; it goes before what the foreground finds.
    learning : bool
        Without it a model is applied, and nothing teaches the method.
    makes_masks : bool
        The method makes its own masks: nothing found here then touches what it learns.
    goes_on : bool
        The method has learnt the scene before: what stands still now was not seen as it was then, and is no better.

    Attributes
    ----------
    covered : (H, W) uint8
        Not 0 where foreground or shadow hides the scene in the frame whose mask was made last; not written again.
    may_hide : (H, W) uint8
        Not 0 where they may; see `core.scene.masks.detection.Detection`.
    cuts : Cuts
        Where scenes began that were not known before.
    begun : (F,) samples, or None
        The background where the next frame is the first with it: no split shows it yet.
    verdict : Verdict, or None
        What the head said of the cells of that frame; None where the method made the mask. Its activations hold until
        the head is asked again, by whomever; the rest is not written again.
    """

    def __init__(
        self,
        layout: Layout,
        method: Method,
        foreground: Foreground,
        corrections: Corrections,
        *,
        learning: bool,
        makes_masks: bool,
        goes_on: bool = False,
    ) -> None:
        self._layout, self._method, self._foreground, self._corrections = layout, method, foreground, corrections
        self._learning, self._makes_masks = learning, makes_masks
        self._goes_on = goes_on
        self._plate_bytes, self._keeps_plate, self._precedes = BUDGET_BYTES, True, False
        self._scenes, self._knows_scenes = Scenes(layout), False
        self._scene = self._new_scene(0, NO_SHIFT)
        self.cuts = Cuts()
        self.begun: Values | None = None
        self.covered = self.may_hide = np.zeros(layout.shapes[0], np.uint8)
        self.painted: NDArray[np.uint8] | None = None
        self.verdict: Verdict | None = None

    def _new_scene(self, first: int, origin: Shift, known: Scene | None = None) -> SceneInProgress:
        """Return a scene of which nothing was seen in this pass."""
        still = self._new_samples(is_known=known is not None)
        plate = CleanPlate(self._layout, self._plate_bytes)
        return SceneInProgress(first, origin, plate, LightChange(self._layout), still, known)

    def _new_samples(self, *, is_known: bool) -> StillestSamples | None:
        return None if self._goes_on or is_known else StillestSamples(self._layout)

    def begin_pass(self, *, keeps_plate: bool = True, is_lean: bool = False, precedes: bool = False) -> None:
        """Begin with a new plate: each pass has one of its own.

        Parameters
        ----------
        keeps_plate : bool
            Without it, the plate takes no note of frames.
        is_lean : bool
            Nobody sees the plate; it takes less memory.
        precedes : bool
            Another pass follows, which begins with what is known of each scene.
        """
        self._precedes, self._keeps_plate = precedes, keeps_plate
        self._plate_bytes = LEAN_BYTES if is_lean else BUDGET_BYTES
        self._knows_scenes = len(self._scenes) > 0
        if not self._knows_scenes and self._scene.first:  # Another run, and the one before has ended in another scene.
            self._scene = self._new_scene(0, self._scene.origin)
        plate = CleanPlate(self._layout, self._plate_bytes)
        self._scene = replace(self._scene, plate=plate, is_remembered=False)
        self._foreground.begin_pass()
        self._corrections.begin_pass()

    def mask(
        self,
        frame: Frame,
        split: Split,
        unseen: NDArray[np.uint8] | None = None,
        never: NDArray[np.bool_] | None = None,
        *,
        learns: bool,
    ) -> NDArray[np.uint8]:
        """Return the mask of a frame (H, W), 255 and 0, and let all who learn from it know.

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
        self.verdict = self.begun = None
        if split.mask is not None:
            marks = self._corrections.apply(frame, Marks(split.mask, split.mask, split.mask), self._foreground.noise)
            marks = marks.without(never)
            self._offer_to_plate(frame, split, marks.covered, None)
            self.covered, self.may_hide, self.painted = marks.covered, marks.may_hide, marks.painted
            return marks.mask
        found = self._foreground.detect(frame, split)
        self.verdict, revealed, known = found.verdict, None, self._scene.known
        if learns:
            revealed = self._foreground.update(found, frame.index, unseen, None if known is None else known.sure)
        elif self._foreground.lacks_noise:
            self._foreground.update(found, frame.index, unseen)
        marks = Marks(found.mask, found.covered, found.may_hide, revealed)
        marks = self._corrections.apply(frame, marks, self._foreground.noise).without(never)
        self.covered, self.may_hide, self.painted = marks.covered, marks.may_hide, marks.painted
        covered = marks.covered if unseen is None else marks.covered | unseen
        # What a plate was begun with is no ghost: what then stands still must not outvote all frames before it.
        self._offer_to_plate(frame, split, covered, marks.revealed if known is None else None, unseen)
        if learns:
            self._pass_on(frame, split.samples(self._layout), marks)
        return marks.mask

    def _offer_to_plate(
        self,
        frame: Frame,
        split: Split,
        covered: NDArray[np.uint8],
        revealed: NDArray[np.bool_] | None,
        unseen: NDArray[np.uint8] | None = None,
    ) -> None:
        if self._keeps_plate:
            self._scene.plate.offer(
                frame.values, covered, revealed, unseen, frame.index, lambda: split.samples(self._layout)
            )

    def _pass_on(self, frame: Frame, background: Values, marks: Marks) -> None:
        """Let the method know what hides the background, and what turned out to belong to it."""
        self._method.exclude_pixels(marks.covered)
        scene = self._scene
        lit = scene.light.offer(frame.values, background, marks.covered)
        if lit is not None:
            self._method.overwrite_background(lit, np.ones(self._layout.n_values, np.bool_))
            scene.still = self._new_samples(is_known=scene.known is not None)  # It kept samples in another light.
        if marks.revealed is not None:
            self._method.overwrite_background(frame.values, self._layout.spread(marks.revealed))
        if scene.still is not None and scene.still.offer(frame.values):
            self.take_stillest_samples(background)

    def take_stillest_samples(self, background: Values) -> None:
        """Replace what is in doubt of the background (F,) by what its pixels show when all is still."""
        still = self._scene.still
        if self._makes_masks or still is None:
            return
        better = still.better(background, self._foreground.cover())
        if better is None:
            return
        values, where = better
        where = self._corrections.allowed(values, background, where, self._foreground.noise)
        self._method.overwrite_background(values, self._layout.spread(where))
        self._scene.plate.discard(where)

    # -- scenes

    @property
    def scene_began(self) -> int:
        """First frame of the scene that is shown, which tells scenes apart."""
        return self._scene.first

    def end_pass(self, background: Values, first: int = 0, never: NDArray[np.bool_] | None = None) -> Scene:
        """Remember the scene, as its plate and the noise about that show it; return that which the next pass begins in.

        Parameters
        ----------
        background : (F,) samples
            As it was last recovered.
        first : int
            Frame that the next pass begins with.
        never : (H, W) bool, optional
            Where nothing is foreground, as of the last frame.
        """
        if self._has_to_be_remembered:
            if self._makes_masks:
                self._scenes.add(Scene(self._scene.first, background, None, self._scene.origin))
            else:
                self._remember_as_now_known(background, never)
        scene = self._scenes.at(first)
        assert scene is not None  # This one, or one that was remembered before it.
        return scene

    def end_scene(self, background: Values, never: NDArray[np.bool_] | None = None) -> None:
        """Remember the scene that has been shown, if a pass follows: the next frame shows another that is known.

        Parameters
        ----------
        background : (F,) samples
            As it was last recovered.
        never : (H, W) bool, optional
            Where nothing is foreground, as of the last frame.
        """
        if self._precedes and self._has_to_be_remembered and not self._scene.is_better_known:
            self._remember_as_now_known(background, never)

    @property
    def _has_to_be_remembered(self) -> bool:
        """The scene is not remembered yet as this pass has seen it, and there is room."""
        return not self._scene.is_remembered and self._scenes.has_room(self._scene.first)

    def _remember_as_now_known(self, background: Values, never: NDArray[np.bool_] | None) -> None:
        """Remember the scene, after a look at its frames by what is known of it now."""
        with self._announced():
            self._look_again(never)
            self._remember(background)

    def _remember(self, background: Values) -> None:
        scene = self._scene
        plate, noise = scene.plate.samples_and_noise(background)
        sure = scene.plate.confidence() > MAJORITY
        n, sways = scene.plate.n_frames, scene.plate.sways(plate)
        self._scenes.add(Scene(scene.first, plate, noise, scene.origin, sure, n, sways))

    def _remember_for_next_pass(self, background: Values) -> None:
        """Remember the scene as it was first seen, if a pass follows: a camera that drifts is followed again there."""
        if self._precedes and self._has_to_be_remembered:
            with self._announced():
                self._remember(background)

    def begin_scene(self, first: int, background: Values, *, n_before: int, is_cut: bool = True) -> None:
        """Take note that another scene is shown, of which nothing is known; the one before is remembered.

        Parameters
        ----------
        first : int
            Its first frame.
        background : (F,) samples
            Of the scene before, as it was last recovered.
        n_before : int
            Its frames that have come before this was known: they were taken for the scene before.
        is_cut : bool
            The input was cut there; else it was sought.
        """
        scene = self._scene
        scene.plate.forget_last(n_before)
        if not scene.is_better_known:
            self._remember_for_next_pass(background)
        if is_cut and scene.known is None:
            self.cuts.add(first)
        self._scene = self._new_scene(first, scene.origin)
        self._foreground.begin_scene()

    def another_scene(self, index: int) -> Scene | None:
        """Return the scene that a frame shows, as it is known of an earlier pass; None: the one that is learnt now.

        One that was found since the last that is known goes on until the next that is.
        """
        scene, now = self._scenes.at(index) if self._knows_scenes else None, self._scene.first
        return None if scene is None or scene.first == now or scene.first < now <= index else scene

    def go_on_in(self, scene: Scene) -> Shift:
        """Go on in a scene of an earlier pass; return by how much all lies lower and further right in it."""
        before = self._scene
        by = Shift(scene.origin.down - before.origin.down, scene.origin.right - before.origin.right)
        if by != NO_SHIFT or scene.first != before.first:
            self._foreground.move(round(by.down), round(by.right))
            self.covered = self.may_hide = np.zeros_like(self.covered)
            self._method.exclude_pixels(self.covered)
            self._scene = self._new_scene(scene.first, scene.origin, scene)
        else:
            self._scene = replace(before, known=scene, still=None, is_remembered=False)
        self.begun = scene.plate
        if scene.noise is not None:
            self._method.overwrite_background(scene.plate, np.ones(self._layout.n_values, np.bool_))
            self._foreground.begin_noise(scene.noise, scene.sways)
        return by

    def _look_again(self, never: NDArray[np.bool_] | None) -> None:
        """Let the masks of the frames that a plate is made of be those that are found now, at the end of a pass.

        Those of its beginning were made when little was known of the scene.
        """

        def covered(index: int, values: Values) -> NDArray[np.uint8]:
            stopping.check()
            frame = Frame(index, 0.0, values, self._layout)
            found = self._foreground.detect(frame, self._method.transform(values), is_alone=True)
            marks = Marks(found.mask, found.covered, found.may_hide)
            marks = self._corrections.preview(frame, marks, self._foreground.noise, is_alone=True)
            return marks.without(never).covered

        self._scene.plate.look_again(covered)

    def rebase(self, background: Values, by: Shift, before: Values) -> None:
        """Go on in the coordinates of another frame, as the camera has drifted; strokes are moved by their owner.

        Parameters
        ----------
        background : (F,) samples
            In these coordinates.
        by : Shift
            Whole pixels, even, by which all now lies lower and further right.
        before : (F,) samples
            The background in the coordinates so far: these are where the next pass begins.
        """
        down, right = round(by.down), round(by.right)
        self._remember_for_next_pass(before)
        origin = Shift(self._scene.origin.down + down, self._scene.origin.right + right)
        self._foreground.move(down, right)
        self._method.overwrite_background(background, np.ones(self._layout.n_values, np.bool_))
        self.covered, self.may_hide = (moved(x, -down, -right) for x in (self.covered, self.may_hide))
        self._method.exclude_pixels(self.covered)
        self._scene = replace(self._new_scene(self._scene.first, origin), is_remembered=True)

    def overwrite_background(self, values: Values, where: NDArray[np.bool_]) -> None:
        """Take samples (F,) for the background at pixels (H, W) that were painted; nothing where a model is applied."""
        if self._learning:
            self._method.overwrite_background(values, self._layout.spread(where))
            self._scene.plate.discard(where)

    def hide_painted(self) -> None:
        """Let earlier frames not count to the plate where they show what was painted as foreground."""
        noise = self._foreground.noise
        self._scene.plate.hide(lambda values: self._corrections.shown_as_foreground(values, noise))

    def hidden(self) -> Hidden:
        """Return what hides the scene in the plate of the pass, for `restore`."""
        return self._scene.plate.hidden()

    def restore(self, then: Hidden, where: NDArray[np.bool_]) -> None:
        """Let frames count to the plate at pixels (H, W) as they did ``then``; nothing where that was another plate."""
        self._scene.plate.restore(then, where)

    def plate(self, background: Values) -> Values:
        """Return the clean plate (F,) of the pass; see `core.session.session.Session.plate`."""
        if self._makes_masks:
            return background
        with self._announced():
            return self._scene.plate.samples(background)

    def _announced(self) -> AbstractContextManager[None]:
        """Announce that the plate is worked out, which takes seconds, and minutes of the largest frames."""
        n_frames = self._scene.plate.n_frames
        return announced(f"Working out the plate from {n_frames} frame{'' if n_frames == 1 else 's'}…")

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of the `n_kept` frames each pixel (H, W) of the plate was seen, 0 to 1."""
        return self._scene.plate.confidence()

    @property
    def n_kept(self) -> int:
        """Frames that the plate is made of."""
        return self._scene.plate.n_frames
