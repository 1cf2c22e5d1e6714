"""Where one scene ends and another goes on: what is remembered of each, and what all who learn are told then."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.frames.motion import NO_SHIFT, Shift
from core.methods.base import Method
from core.runtime import stopping
from core.scene.clean_plate import BUDGET_BYTES, LEAN_BYTES, CleanPlate
from core.scene.masks.cells import Cells
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.scene.plate_frame import PlateFrame
from core.scene.stillest_samples import StillestSamples
from core.scene.surroundings import MAJORITY
from core.session.changed_parts import pieced_together
from core.session.other_scene import OtherScene
from core.session.phase import Phase
from core.session.plan import Stage
from core.session.scene_in_progress import FoundChange, SceneInProgress
from core.session.scene_notes import SceneNotes
from core.session.scene_plate import ScenePlate, working_out
from core.session.scenes import Scene, Scenes
from core.session.sudden_changes import Change


class SceneFollower:
    """Keeps the scene that is shown and those of earlier passes; lets method and foreground go on in another one.

    Parameters
    ----------
    layout : Layout
        Of the frames, aligned with the scene.
    method : Method
    foreground : Foreground
    corrections : Corrections
        What people painted; it goes before what the foreground finds.
    makes_masks : bool
        The method makes its own masks: its own background is the plate.
    goes_on : bool
        The method has learnt the scene before: what stands still now was not seen as it was then, and is no better.
    can_follow : bool
        The method takes over what others have found of the background; else a part that changes is foreground.
    n_photographs : int
        See `CleanPlate`.

    Attributes
    ----------
    now : SceneInProgress
        The scene that is shown.
    remembered : Scenes
        As passes have left them; a pass that another follows adds to them.
    notes : SceneNotes
        Where scenes began that were not known before, and where a part of one changed at once.
    cut_at : int
        First frame of the scene that is shown, whatever part of it has changed since.
    on_end : callable, or None
        Given the plate of each scene that another follows in the last pass, if that has plates.
    """

    def __init__(
        self, layout: Layout, method: Method, foreground: Foreground, corrections: Corrections, *, makes_masks: bool,
        goes_on: bool = False, can_follow: bool = True, n_photographs: int = 0,
    ) -> None:  # fmt: skip
        self._layout, self._method, self._foreground, self._corrections = layout, method, foreground, corrections
        self._makes_masks, self._goes_on, self._n_photographs = makes_masks, goes_on, n_photographs
        self._can_follow = can_follow
        self._stage, self._begins_at = Stage(Phase.LEARNING, 0, 1), 0
        self.on_end: Callable[[ScenePlate], None] | None = None
        self.remembered, self._knows_scenes = Scenes(layout), False
        self._left, self._firsts, self._seen = Scenes(layout), set[int](), (0, -1)
        self.cut_at = 0
        self.now = self._new_scene(0, NO_SHIFT)
        self.notes = SceneNotes()

    def _new_scene(
        self, first: int, origin: Shift, known: Scene | None = None, plate: CleanPlate | None = None
    ) -> SceneInProgress:
        """Return a scene of which nothing was seen in this pass, but for what a plate holds."""
        still = None if self._goes_on or known is not None else StillestSamples(self._layout)
        scene = SceneInProgress(
            self._layout, first, origin, plate or self._new_plate(), self._keeps_plate, still,
            change=None if known is None else known.change,
        )  # fmt: skip
        if known is not None:
            scene.go_on_as(known)
        return scene

    def _new_plate(self) -> CleanPlate:
        budget = BUDGET_BYTES if self._stage.plate == "full" else LEAN_BYTES
        return CleanPlate(self._layout, budget, self._n_photographs)

    @property
    def _keeps_plate(self) -> bool:
        return self._stage.plate != "none"

    # -- passes

    def begin_pass(self, stage: Stage, first: int = 0, *, goes_on: bool = False) -> None:
        """Begin with a new plate: each pass has one of its own.

        Parameters
        ----------
        stage : Stage
        first : int
            Frame that it begins with.
        goes_on : bool
            A pass was cut short, of this session or another, and it goes on from there: in the scene that was shown,
            with the plate that there is of it.
        """
        self._stage, self._begins_at = stage, first
        if self._foreground.follows_changes is False:  # That was said since.
            self.remembered.replace_all(scene for scene in self.remembered.in_order() if scene.change is None)
            self.notes.set_parts(())
        self._knows_scenes = len(self.remembered) > 0
        if not goes_on and not self._knows_scenes:
            self._left.replace_all(())
            self._firsts.clear()
        if goes_on:
            self.now.go_on_with_pass(keeps_plate=self._keeps_plate)
        else:
            if not self._knows_scenes and self.now.first:  # Another run, and the one before has ended in another scene.
                self.now, self.cut_at = self._new_scene(0, self.now.origin), 0
            self.now.begin_pass(self._new_plate(), keeps_plate=self._keeps_plate)
            self._foreground.begin_pass()
        self._corrections.begin_pass()

    def end_pass(self, background: Values, first: int = 0, never: NDArray[np.bool_] | None = None) -> Scene:
        """Remember the scene that is shown; return that which the next pass begins in.

        Parameters
        ----------
        background : (F,) samples
            As it was last recovered.
        first : int
            Frame that the next pass begins with.
        never : (H, W) bool, optional
            Where nothing is foreground, as of the last frame.
        """
        self._remember(background, never, looks_again=True)
        scenes = pieced_together(self.remembered.in_order(), self._layout, self._foreground.at_pixels)
        self.remembered.replace_all(scenes)
        self.notes.set_parts(scene.first for scene in scenes if scene.change is not None)
        return self.remembered.at(first) or self.now.as_learnt(background)

    # -- scenes

    def another_scene(self, index: int) -> Scene | None:
        """Return the scene that a frame shows, as it is known of an earlier pass; None: the one that is learnt now.

        One that was found since the last that is known goes on until the next that is.
        """
        scene, now = self.remembered.at(index) if self._knows_scenes else None, self.now.first
        if scene is None or scene.first > index:  # Nothing is known of what comes before all that are.
            return None
        return None if scene.first == now or scene.first < now <= index else scene

    def see(self, index: int) -> None:
        """Take note of the index of the next frame of the run: all that come in a row count as seen."""
        first, last = self._seen
        self._seen = (first if index == last + 1 else index), index

    def looked_at(self, index: int) -> OtherScene | None:
        """Return the scene that a frame out of its turn shows; None: that which is shown now, as far as is known."""
        begun = {self.now.first, *self._firsts, *self.remembered.firsts()}
        first = max((one for one in begun if one <= index), default=self.now.first)
        if first == self.now.first:
            return None
        return OtherScene(self.remembered.of(first) or self._left.of(first))

    def may_be_new(self, index: int) -> bool:
        """Tell whether a frame may show a scene of which this run has seen nothing yet."""
        first, last = self._seen
        return self._can_follow and self._stage.method_learns and not self._knows_scenes and not first <= index <= last

    def end_scene(self, background: Values, never: NDArray[np.bool_] | None = None, end: int | None = None) -> None:
        """Remember the scene that has been shown: the next frame shows another that is known.

        Parameters
        ----------
        background : (F,) samples
            As it was last recovered.
        never : (H, W) bool, optional
            Where nothing is foreground, as of the last frame.
        end : int, optional
            The next frame.
        """
        self._tell_end(background, end)
        self._remember(background, never, looks_again=True)

    def begin_scene(self, first: int, background: Values | None, *, n_before: int, is_cut: bool = True) -> None:
        """Take note that another scene is shown, of which nothing is known; the one before is remembered.

        Parameters
        ----------
        first : int
            Its first frame.
        background : (F,) samples, or None
            Of the scene before, as it was last recovered; None: nothing was to be seen in it, as films begin in black,
            and this one has begun with it.
        n_before : int
            Its frames that have come before this was known: they were taken for the scene before.
        is_cut : bool
            The input was cut there; else it was sought.
        """
        before = self.now
        if background is None:
            self.now = self._new_scene(before.first, before.origin)
            self._foreground.begin_scene()
            return
        before.plate.forget_last(n_before)
        if before.change is None or before.first < first:  # Else the cut was taken for one of a part of the picture.
            self._remember(background)
        if is_cut and before.known is None:
            self.notes.add_cut(first)
        self._tell_end(background, first)
        self.now, self.cut_at = self._new_scene(first, before.origin), first
        self._foreground.begin_scene()

    def go_on_in(self, scene: Scene) -> Shift:
        """Go on in a scene of an earlier pass; return by how much all lies lower and further right in it."""
        before = self.now
        by = Shift(scene.origin.down - before.origin.down, scene.origin.right - before.origin.right)
        is_other = by != NO_SHIFT or scene.first != before.first
        if is_other:
            self._foreground.move(round(by.down), round(by.right))
            plate = None
            if scene.change is not None and before.known is self.remembered.at(scene.first - 1):
                plate = before.plate
                plate.forget_before(scene.first, self._foreground.at_pixels(scene.change.box))
            self.now = self._new_scene(scene.first, scene.origin, scene, plate)
            self.cut_at = self.remembered.cut_before(scene)
            self._method.exclude_pixels(self.now.covered)
        else:
            before.go_on_as(scene)
        if scene.noise is not None or is_other:
            self._overwrite_background(scene.plate)
        if scene.noise is not None:
            self._foreground.begin_noise(scene.noise, scene.sways)
        elif is_other:
            self._foreground.begin_scene()
        return by

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
        if self._stage.is_last:
            self.notes.set_view(self._seen[1])
        else:
            self._remember(before)
        scene = self.now
        self._foreground.move(down, right)
        self._overwrite_background(background)
        origin = Shift(scene.origin.down + down, scene.origin.right + right)
        self.now = self._new_scene(scene.first, origin)
        self.now.go_on_moved(scene, down, right, is_remembered=not self._stage.is_last)
        self._method.exclude_pixels(self.now.covered)

    def _overwrite_background(self, background: Values) -> None:
        self._method.overwrite_background(background, np.ones(self._layout.n_values, np.bool_))

    def note_changes(
        self, frame: Frame, cells: Cells, background: Values, never: NDArray[np.bool_] | None = None
    ) -> None:
        """Take note of a frame whose mask was learnt from; where a part has changed, go on in what is another scene.

        Only where a pass follows, which can know from the first frame on that all of it belongs to the scene.

        Parameters
        ----------
        frame : Frame
        cells : Cells
            Of the frame, see `core.session.sudden_changes.SuddenChanges.offer`.
        background : (F,) samples
            As it was recovered.
        never : (H, W) bool, optional
            Where nothing is foreground.
        """
        change = self.now.changes.offer(self._foreground.ages, cells, frame.index)
        if change is None:
            taken = None if self.now.in_doubt is None else self.now.in_doubt.offer(self._foreground.ages)
            if taken is not None:
                self._take_as_background(taken, frame.values, background)
        elif never is not None and never[self._foreground.at_pixels(change.cells)].mean() > MAJORITY:
            pass  # People have said what it is.
        elif self._stage.is_last or not self._can_follow or self._foreground.follows_changes is False:
            if change.differs:
                self.notes.add_change(change.first)
        else:
            self._follow(change, frame.values, background, never)

    def _follow(self, change: Change, values: Values, background: Values, never: NDArray[np.bool_] | None) -> None:
        """Go on in what is another scene where a part of it has changed, or hold that back until it is known.

        A thing that comes has an outline where the scene had none, and one that leaves had one. Where much the same
        outline was there before, or the same part changes once more, and not back, it belongs to the scene.
        """
        held, last = self.now.held_back, self.now.change
        if self.now.is_remembered or not self.remembered.has_room(self.now.first):
            return
        if held is not None and held.change.goes_on_in(change):
            if held.change.loses_outline and not change.loses_outline:  # One thing has left, and another has come.
                return
            box, cells = (
                self._layout.spread(self._foreground.at_pixels(x)) for x in (held.change.box, held.change.cells)
            )
            self._method.overwrite_background(held.background, box)  # What is there now may have been learnt since.
            self._go_on_changed(held, never)
            background, last = np.where(cells, held.values, background), held.change
        found = FoundChange(change, self.now.until(change.first), values, background)
        if self._foreground.follows_changes or change.keeps_outline or (last is not None and last.goes_on_in(change)):
            self._go_on_changed(found, never)
        else:
            self.now.hold_back(found)

    def _go_on_changed(self, found: FoundChange, never: NDArray[np.bool_] | None) -> None:
        """Remember the scene as it was before a part has changed, and go on in it as it is now."""
        change = found.change
        before = self._known(found.before, found.background, never, looks_again=True)
        if before is None:
            return
        self.remembered.add(before)
        self.now.go_on_changed(change, self._foreground.at_pixels(change.box))
        self._take_as_background(change.cells, found.values, found.background)

    def _take_as_background(self, cells: NDArray[np.bool_], values: Values, background: Values) -> None:
        """Let cells (h, w) show the scene as a frame (F,) does."""
        where = self._foreground.take_as_background(cells)
        where = self._corrections.allowed(values, background, where, self._foreground.noise)
        self._method.overwrite_background(values, self._layout.spread(where))

    # -- what is remembered

    def _remember(
        self, background: Values, never: NDArray[np.bool_] | None = None, *, looks_again: bool = False
    ) -> None:
        """Remember the scene that is shown as it is best known: see `_known`.

        In the last pass only for whoever looks at a frame of it later: an export has its plate, and nobody looks.
        """
        now, scenes = self.now, self.remembered
        self._firsts.add(now.first)
        if self._stage.is_last:
            if not self._keeps_plate or self.on_end is not None or scenes.of(now.first) is not None:
                return
            scenes, looks_again = self._left, False
        if not (scenes.has_room(now.first) and self.remembered.has_room(now.first)):
            return
        known = self._known(now, background, never, looks_again=looks_again)
        if known is not None:
            scenes.add(known)

    def _known(
        self, now: SceneInProgress, background: Values, never: NDArray[np.bool_] | None, *, looks_again: bool
    ) -> Scene | None:
        """Return a scene as it is best known; None where it was known better.

        In the coordinates in which the pass has first seen it: a camera that drifts is followed again from there.

        Parameters
        ----------
        now : SceneInProgress
        background : (F,) samples
            As it was last recovered.
        never : (H, W) bool, or None
            Where nothing is foreground, as of the last frame.
        looks_again : bool
            Let the masks of the frames of the plate be those that are found now.
        """
        if now.is_remembered:
            return None
        if self._makes_masks or now.was_better_learnt:
            return now.as_learnt(background)
        if now.was_better_known:
            return None
        with working_out(now.plate.n_frames):
            if looks_again:
                self._look_again(now.plate, never)
            return now.as_known(background)

    def _look_again(self, plate: CleanPlate, never: NDArray[np.bool_] | None) -> None:
        """Let the masks of the frames that a plate is made of be those that are found now, at the end of a pass.

        Those of its beginning were made when little was known of the scene. Where a pass ends in another light, or in
        none, as films do, most of a frame may seem to be hidden that was not: then what was found in its time holds.
        """

        def covered(seen: PlateFrame) -> NDArray[np.uint8]:
            stopping.check()
            frame = Frame(seen.index, 0.0, seen.values, self._layout)
            samples = self._method.transform(seen.values).samples(self._layout)
            found = self._foreground.detect(frame, samples, is_alone=True)
            marks = self._corrections.preview(frame, found.marks, self._foreground.noise, is_alone=True)
            now, then = marks.without(never).covered, seen.hidden.rows()
            return then if np.count_nonzero(now) > MAJORITY * now.size > np.count_nonzero(then) else now

        plate.look_again(covered)

    # -- plates

    def plate(self, background: Values, end: int | None = None) -> ScenePlate:
        """Return the clean plate of the scene that is shown, as this pass has seen it."""
        first = max(self.now.first, self._begins_at)
        return ScenePlate(self.now, background, first, end, is_background=self._makes_masks)

    def _tell_end(self, background: Values, end: int | None) -> None:
        """Give on the plate of the scene that ends; one whose frames all turned out to be of the next has none."""
        if self.on_end is None or not self._stage.is_last or not self._keeps_plate:
            return
        plate = self.plate(background, end)
        if plate.n_kept and (end is None or plate.first < end):
            self.on_end(plate)
