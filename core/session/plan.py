"""What a run does in which order: its stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.errors import CleanplateError, quoted
from core.session.phase import Phase

PlateUse = Literal["full", "lean", "none"]
"""Who needs the clean plate of a stage: people see it; the next pass alone begins with it, and it takes less memory;
nobody does, and it takes note of no frames."""


@dataclass(frozen=True)
class Stage:
    """A part of a run in which the same is done with each frame.

    Attributes
    ----------
    phase : Phase
        What is done. `Phase.ITERATING` reads no frames.
    pass_index, n_passes : int
        Of its reports.
    reopens : bool
        The input is read from the first frame on; without it, from where the stage before has ended.
    mask_learns : bool
        What the mask finds is learnt, by the mask and by the method.
    refines : bool
        It begins with the plate of the pass before for the background, and the noise about that.
    until_full : bool
        It ends as soon as the set of a batch method is full.
    plate : PlateUse
    """

    phase: Phase
    pass_index: int
    n_passes: int
    reopens: bool = True
    mask_learns: bool = False
    refines: bool = False
    until_full: bool = False
    plate: PlateUse = "full"

    @property
    def is_last(self) -> bool:
        """True in the last pass, which gives the results: no other begins with what it learns."""
        return self.pass_index + 1 == self.n_passes

    @property
    def method_learns(self) -> bool:
        """True where frames are given to the method to learn from, at once or later."""
        return self.phase in (Phase.LEARNING, Phase.GATHERING)


MOST_PASSES = 1000
"""Far beyond what any method still learns from."""


def check_passes(passes: int, *, live: bool = False) -> None:
    """Raise CleanplateError where an input cannot be read so many times; a camera (``live``) can be read once."""
    if not 1 <= passes <= MOST_PASSES:
        raise CleanplateError(
            f"The number of passes cannot be {quoted(passes)}; it is at least 1, and at most {MOST_PASSES}."
        )
    if live and passes > 1:
        raise CleanplateError("A camera, or a folder that is followed, can be read only once; use one pass.")


def check_comparable(*, live: bool) -> None:
    """Raise CleanplateError for a camera (``live``): each method that is compared reads the input by itself."""
    if live:
        raise CleanplateError("A camera cannot be compared on; record it to a file, and open that.")


def stages_of_passes(n_passes: int, *, learns_in_last: bool, shows_scene: bool = True) -> list[Stage]:
    """Return a stage for each pass of a method that learns from each frame as it comes.

    Parameters
    ----------
    n_passes : int
        How often the input is read.
    learns_in_last : bool
        It learns in the last of several passes too; without it, that one is applied to all frames alike.
    shows_scene : bool
        Frames show one scene, whose plate the next pass begins with; different pictures have none.
    """
    stages = []
    for index in range(n_passes):
        learns = learns_in_last or not 0 < index == n_passes - 1
        phase = Phase.LEARNING if learns else Phase.APPLYING
        stages.append(Stage(phase, index, n_passes, mask_learns=learns, refines=shows_scene and index > 0))
    return stages


def stages_of_batch(*, live: bool, finished: bool, complete: bool = False) -> list[Stage]:
    """Return the stages of a method that learns from a set of frames, or the last of them alone.

    It gathers them, iterates over them, and is applied to all. A camera can be read only once: frames are gathered
    until there are enough, and those that follow are what it is applied to.

    Parameters
    ----------
    live : bool
        The input is a camera.
    finished : bool
        The set was learnt from before: what was learnt is applied.
    complete : bool
        It was learnt from before, and a value has changed since: iterations go on over the set that there is.
    """
    iterating, applying = Stage(Phase.ITERATING, 0, 2, reopens=False), Stage(Phase.APPLYING, 1, 2, mask_learns=True)
    if finished:
        return [applying]
    if complete:
        return [iterating, applying]
    return [Stage(Phase.GATHERING, 0, 2, until_full=live), iterating, replace(applying, reopens=not live)]


def stages_of_model() -> list[Stage]:
    """Return the stage of a model that is applied: one pass, nothing learnt."""
    return [Stage(Phase.APPLYING, 0, 1)]


def without_plate(stages: Sequence[Stage]) -> list[Stage]:
    """Return the stages of a run whose plate nobody sees: each has one only if the next stage begins with it."""
    needed = [*(stage.refines for stage in stages[1:]), False]
    return [replace(stage, plate="lean" if use else "none") for stage, use in zip(stages, needed, strict=True)]
