"""The scene that is shown, and what the pass has seen of it so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.frames.motion import Shift
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

    @property
    def was_better_known(self) -> bool:
        """True where it was seen in this pass for less long than in the one before, or not at all."""
        return self.plate.n_frames < max(1, 0 if self.known is None else self.known.n_frames)

    @property
    def was_better_learnt(self) -> bool:
        """True where the plate is of so few frames that the background is better, which was learnt from more."""
        return self.was_learnt and self.known is None and self.plate.n_frames < SETTLED_FRAMES

    def offer_to_plate(
        self,
        frame: Frame,
        split: Split,
        covered: NDArray[np.uint8],
        revealed: NDArray[np.bool_] | None = None,
        unseen: NDArray[np.uint8] | None = None,
    ) -> None:
        """Let the plate take note of a frame: see `core.scene.clean_plate.CleanPlate.offer`."""
        if self.keeps_plate:
            self.plate.offer(frame.values, covered, revealed, unseen, frame.index, lambda: split.samples(self.layout))

    def forget_samples(self) -> None:
        """Forget the stillest samples so far: they were in another light, or of what was there before."""
        if self.still is not None:
            self.still = StillestSamples(self.layout)

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
