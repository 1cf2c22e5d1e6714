"""The scene that is shown, and what the pass has seen of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.frames.motion import Shift
from core.frames.moved import moved
from core.frames.split import Split
from core.scene.clean_plate import CleanPlate
from core.scene.illumination import LightChange
from core.scene.stillest_samples import StillestSamples
from core.scene.surroundings import MAJORITY
from core.scene.tuning import SETTLED_FRAMES
from core.session.part_in_doubt import PartInDoubt
from core.session.scenes import Scene
from core.session.sudden_changes import Change, SuddenChanges


@dataclass(frozen=True)
class FoundChange:
    """A part of a scene that has changed at once.

    Attributes
    ----------
    change : Change
    before : SceneInProgress
        The scene as the pass had seen it until then.
    values, background : (F,) samples
        Of the frame in which the change was found; the background as it was recovered for it.
    """

    change: Change
    before: SceneInProgress
    values: Values
    background: Values


@dataclass
class SceneInProgress:
    """What this pass has seen of a scene: where another is shown, another one takes its place.

    Others read it, and tell it what happens; none of them sets an attribute.

    Attributes
    ----------
    layout : Layout
        Of its frames.
    first : int
        Its first frame.
    origin : Shift
        Where its coordinates lie in those of the first frame of the run, whole pixels.
    plate : CleanPlate
    keeps_plate : bool
        Without it, the plate takes no note of frames.
    still : StillestSamples, or None
        None where what stands still now is no better than what was known of the scene before.
    known : Scene, or None
        As an earlier pass has left it; None: it is new.
    is_remembered : bool
        It was first seen in other coordinates, and is remembered in these.
    was_learnt : bool
        The method had learnt it before the plate took note of a frame: another session has cut a pass short.
    begun : (F,) samples, or None
        The background where the next frame is the first with it: no split shows it yet.
    change : Change, or None
        As `Scene` has it.
    in_doubt : PartInDoubt, or None
        What somebody hid at that change.
    held_back : FoundChange, or None
        The last one that may be of something that came or left.
    changes : SuddenChanges
    light : LightChange
    covered : (H, W) uint8
        Not 0 where foreground or shadow hides the scene in the frame whose mask was made last; not written again.
    """

    layout: Layout
    first: int
    origin: Shift
    plate: CleanPlate
    keeps_plate: bool
    still: StillestSamples | None = None
    known: Scene | None = None
    is_remembered: bool = False
    was_learnt: bool = False
    begun: Values | None = None
    change: Change | None = None
    in_doubt: PartInDoubt | None = None
    held_back: FoundChange | None = None
    changes: SuddenChanges = field(default_factory=SuddenChanges)
    light: LightChange = field(init=False)
    covered: NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        """Begin with nothing seen."""
        self.light = LightChange(self.layout)
        self.covered = np.zeros(self.layout.shapes[0], np.uint8)

    # -- passes

    def begin_pass(self, plate: CleanPlate, *, keeps_plate: bool) -> None:
        """Begin another pass over it with a new plate: nothing of it was seen so far."""
        self.plate, self.keeps_plate, self.is_remembered, self.was_learnt = plate, keeps_plate, False, False
        self.changes, self.in_doubt, self.held_back = SuddenChanges(), None, None

    def go_on_with_pass(self, *, keeps_plate: bool) -> None:
        """Go on with a pass that was cut short, of this session or another: with the plate that there is."""
        self.keeps_plate = keeps_plate
        if not self.plate.n_frames:
            self.was_learnt = True

    # -- where it becomes another scene, or another is known

    def go_on_as(self, known: Scene) -> None:
        """Go on with what an earlier pass has left of it: what stands still now is no better."""
        self.known, self.still, self.begun = known, None, known.plate

    def go_on_moved(self, before: SceneInProgress, down: int, right: int, *, is_remembered: bool) -> None:
        """Go on as what was shown ``before``, all of which now lies so many pixels lower and further right."""
        self.covered, self.is_remembered = moved(before.covered, -down, -right), is_remembered

    def go_on_changed(self, change: Change, box: NDArray[np.bool_]) -> None:
        """Go on as another scene, in which a part alone is new: the pixels (H, W) of its box."""
        self.plate.forget_before(change.first, box)
        self.first, self.known, self.change = change.first, None, change
        self.in_doubt, self.held_back = PartInDoubt(change.hidden), None
        self.forget_samples()

    def hold_back(self, found: FoundChange) -> None:
        """Take note of a change that may be of something that came or left."""
        self.held_back = found

    def forget_samples(self) -> None:
        """Forget the stillest samples so far: they were in another light, or of what was there before."""
        if self.still is not None:
            self.still = StillestSamples(self.layout)

    # -- frames

    def take(
        self,
        frame: Frame,
        split: Split,
        covered: NDArray[np.uint8],
        revealed: NDArray[np.bool_] | None = None,
        unseen: NDArray[np.uint8] | None = None,
        *,
        counts: bool = True,
    ) -> None:
        """Take note of the next frame.

        Parameters
        ----------
        frame : Frame
            Aligned with the scene.
        split : Split
            What the method made of it.
        covered, revealed, unseen
            See `core.scene.clean_plate.CleanPlate.offer`.
        counts : bool
            Without it the plate takes all of it for hidden.
        """
        self.begun, self.covered = None, covered
        if not self.keeps_plate:
            return
        hidden = covered if unseen is None else covered | unseen
        if not counts:
            hidden = np.full_like(covered, 255)
        # What a plate was begun with is no ghost: what then stands still must not outvote all frames before it.
        if self.known is not None:
            revealed = None
        self.plate.offer(frame.values, hidden, revealed, unseen, frame.index, lambda: split.samples(self.layout))

    # -- what is known of it

    @property
    def was_better_known(self) -> bool:
        """True where it was seen in this pass for less long than in the one before, or not at all."""
        return self.plate.n_frames < max(1, 0 if self.known is None else self.known.n_frames)

    @property
    def was_better_learnt(self) -> bool:
        """True where the plate is of so few frames that the background is better, which was learnt from more."""
        return self.was_learnt and self.known is None and self.plate.n_frames < SETTLED_FRAMES

    def until(self, first: int) -> SceneInProgress:
        """Return the scene as the pass has seen it before a frame."""
        return replace(self, plate=self.plate.until(first), still=None, held_back=None)

    def as_known(self, background: Values) -> Scene:
        """Return what the pass has learnt of it.

        Parameters
        ----------
        background : (F,) samples
            As it was last recovered.
        """
        plate, noise = self.plate.samples_and_noise(background)
        confidence = self.plate.confidence()
        return Scene(
            self.first, plate, noise, self.origin, confidence > MAJORITY, self.plate.n_frames, self.plate.sways(plate),
            seen=confidence > 0, change=self.change,
        )  # fmt: skip

    def as_learnt(self, background: Values) -> Scene:
        """Return what the method has learnt of it, whatever the pass has seen; ``background`` as in `as_known`."""
        return Scene(self.first, background, None, self.origin, change=self.change)
