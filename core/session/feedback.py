"""What a mask taught, passed on: to the method, to the plate, to what is remembered of the stillest samples."""

from __future__ import annotations

from contextlib import AbstractContextManager

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
from core.scene.masks.corrections import Corrections, Marks
from core.scene.masks.foreground import Foreground
from core.scene.masks.head import Verdict
from core.scene.stillest_samples import StillestSamples
from core.scene.surroundings import MAJORITY
from core.session.scenes import Cuts, Scene, Scenes


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
        self._plate_bytes, self._keeps_plate, self._knows_scene = BUDGET_BYTES, True, False
        self._still, self._light = self._new_samples(), LightChange(layout)
        self._plate = CleanPlate(layout)
        self._scenes, self._scene = Scenes(), Scene(0, np.empty(0, layout.dtype), None, NO_SHIFT)
        self._precedes = self._is_remembered = False
        self.cuts = Cuts()
        self.begun: Values | None = None
        self.covered = self.may_hide = np.zeros(layout.shapes[0], np.uint8)
        self.painted: NDArray[np.uint8] | None = None
        self.verdict: Verdict | None = None

    def _new_samples(self) -> StillestSamples | None:
        return None if self._goes_on or self._knows_scene else StillestSamples(self._layout)

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
        if self.begun is None:  # Nothing is known of scenes: the first frame begins one.
            self._scenes, self._scene = Scenes(), self._scene._replace(first=0)
        self._precedes, self._is_remembered = precedes, False
        self._plate_bytes, self._keeps_plate = LEAN_BYTES if is_lean else BUDGET_BYTES, keeps_plate
        self._plate = CleanPlate(self._layout, self._plate_bytes)
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
        self.verdict, revealed = found.verdict, None
        if learns:
            revealed = self._foreground.update(
                found, frame.index, unseen, self._scene.sure if self._knows_scene else None
            )
        elif self._foreground.lacks_noise:
            self._foreground.update(found, frame.index, unseen)
        marks = Marks(found.mask, found.covered, found.may_hide, revealed)
        marks = self._corrections.apply(frame, marks, self._foreground.noise).without(never)
        self.covered, self.may_hide, self.painted = marks.covered, marks.may_hide, marks.painted
        covered = marks.covered if unseen is None else marks.covered | unseen
        # What a plate was begun with is no ghost: what then stands still must not outvote all frames before it.
        self._offer_to_plate(frame, split, covered, None if self._knows_scene else marks.revealed, unseen)
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
            self._plate.offer(frame.values, covered, revealed, unseen, frame.index, lambda: split.samples(self._layout))

    def _pass_on(self, frame: Frame, background: Values, marks: Marks) -> None:
        """Let the method know what hides the background, and what turned out to belong to it."""
        self._method.exclude_pixels(marks.covered)
        lit = self._light.offer(frame.values, background, marks.covered)
        if lit is not None:
            self._method.overwrite_background(lit, np.ones(self._layout.n_values, np.bool_))
            self._still = self._new_samples()  # It kept samples in another light.
        if marks.revealed is not None:
            self._method.overwrite_background(frame.values, self._layout.spread(marks.revealed))
        if self._still is not None and self._still.offer(frame.values):
            self.take_stillest_samples(background)

    def take_stillest_samples(self, background: Values) -> None:
        """Replace what is in doubt of the background (F,) by what its pixels show when all is still."""
        if self._makes_masks or self._still is None:
            return
        better = self._still.better(background, self._foreground.cover())
        if better is None:
            return
        values, where = better
        where = self._corrections.allowed(values, background, where, self._foreground.noise)
        self._method.overwrite_background(values, self._layout.spread(where))
        self._plate.discard(where)

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
        if self._makes_masks:
            self._scenes.add(self._scene._replace(plate=background))
        elif not self._is_remembered:
            with self._announced():
                self._look_again(never)
                self._remember(background)
        scene = self._scenes.at(first)
        assert scene is not None  # This one, or one that was remembered before it.
        return scene

    def _remember(self, background: Values) -> None:
        known, sure = self._plate.known(background), self._plate.confidence() > MAJORITY
        self._scenes.add(self._scene._replace(**known._asdict(), sure=sure))

    def _remember_for_next_pass(self, background: Values) -> None:
        """Remember the scene as it was first seen, if a pass follows: a camera that drifts is followed again there."""
        if self._precedes and not self._is_remembered:
            with self._announced():
                self._remember(background)

    def begin_scene(self, first: int, background: Values, *, is_cut: bool = True) -> None:
        """Take note that frames show another scene from one of them on; the one before is remembered.

        Parameters
        ----------
        first : int
            Its first frame; those from there on were taken for the scene before.
        background : (F,) samples
            Of the scene before, as it was last recovered.
        is_cut : bool
            The input was cut there; else it was sought.
        """
        self._plate.forget_from(first)
        self._remember_for_next_pass(background)
        if is_cut and not self._knows_scene:
            self.cuts.add(first)
        self._scene, self._is_remembered = self._scene._replace(first=first), False
        self._begin_anew()

    def another_scene(self, index: int) -> Scene | None:
        """Return the scene that a frame shows, as it is known of an earlier pass; None: the one that is learnt now.

        One that was found since the last that is known goes on until the next that is.
        """
        scene, now = self._scenes.at(index), self._scene.first
        return None if scene is None or scene.first == now or scene.first < now <= index else scene

    def go_on_in(self, scene: Scene) -> Shift:
        """Go on in a scene of an earlier pass; return by how much all lies lower and further right in it."""
        by = Shift(scene.origin.down - self._scene.origin.down, scene.origin.right - self._scene.origin.right)
        if by != NO_SHIFT or scene.first != self._scene.first:
            self._foreground.move(round(by.down), round(by.right))
            self.covered = self.may_hide = np.zeros_like(self.covered)
            self._method.exclude_pixels(self.covered)
            self._begin_anew()
        self._scene, self.begun, self._knows_scene, self._is_remembered = scene, scene.plate, True, False
        self._still = self._new_samples()
        if scene.noise is not None:
            self._method.overwrite_background(scene.plate, np.ones(self._layout.n_values, np.bool_))
            self._foreground.begin_noise(scene.noise, scene.sways)
        return by

    def _begin_anew(self) -> None:
        """Forget what was seen of the scene before, but for what is learnt of its places."""
        self._plate, self._knows_scene = CleanPlate(self._layout, self._plate_bytes), False
        self._still, self._light = self._new_samples(), LightChange(self._layout)

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

        self._plate.look_again(covered)

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
        origin = self._scene.origin
        self._scene = self._scene._replace(origin=Shift(origin.down + down, origin.right + right))
        self._foreground.move(down, right)
        self._method.overwrite_background(background, np.ones(self._layout.n_values, np.bool_))
        self.covered, self.may_hide = (moved(x, -down, -right) for x in (self.covered, self.may_hide))
        self._method.exclude_pixels(self.covered)
        self._begin_anew()
        self._is_remembered = True

    def overwrite_background(self, values: Values, where: NDArray[np.bool_]) -> None:
        """Take samples (F,) for the background at pixels (H, W) that were painted; nothing where a model is applied."""
        if self._learning:
            self._method.overwrite_background(values, self._layout.spread(where))
            self._plate.discard(where)

    def hide_painted(self) -> None:
        """Let earlier frames not count to the plate where they show what was painted as foreground."""
        noise = self._foreground.noise
        self._plate.hide(lambda values: self._corrections.shown_as_foreground(values, noise))

    def hidden(self) -> Hidden:
        """Return what hides the scene in the plate of the pass, for `restore`."""
        return self._plate.hidden()

    def restore(self, then: Hidden, where: NDArray[np.bool_]) -> None:
        """Let frames count to the plate at pixels (H, W) as they did ``then``; nothing where that was another plate."""
        self._plate.restore(then, where)

    def plate(self, background: Values) -> Values:
        """Return the clean plate (F,) of the pass; see `core.session.session.Session.plate`."""
        if self._makes_masks:
            return background
        with self._announced():
            return self._plate.samples(background)

    def _announced(self) -> AbstractContextManager[None]:
        """Announce that the plate is worked out, which takes seconds, and minutes of the largest frames."""
        n_frames = self._plate.n_frames
        return announced(f"Working out the plate from {n_frames} frame{'' if n_frames == 1 else 's'}…")

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of the `n_kept` frames each pixel (H, W) of the plate was seen, 0 to 1."""
        return self._plate.confidence()

    @property
    def n_kept(self) -> int:
        """Frames that the plate is made of."""
        return self._plate.n_frames
