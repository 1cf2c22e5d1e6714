"""What a session knows of the scene, and what learns it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from core.frames.colour import ColourStandard
from core.io.sources.base import Source
from core.methods.base import Method
from core.scene.area_maps import AreaMaps
from core.scene.areas import Areas
from core.scene.cleaning import Cleaning
from core.scene.masks.corrections import Corrections
from core.scene.masks.finish import MaskFinish
from core.scene.masks.foreground import Foreground
from core.scene.stabiliser import STEADY
from core.session.alignment import Aligner
from core.session.area_state import AreaState
from core.session.cleaning_state import CleaningState
from core.session.last_frame import LastFrame
from core.session.scene_follower import SceneFollower
from core.session.start import Start


class AsShown(TypedDict):
    """How all frames of a session are shown at some time: attributes of `core.session.report.Report`."""

    noise: float
    cleaning: Cleaning
    finish: MaskFinish
    areas: AreaMaps
    is_image_set: bool
    standard: ColourStandard | None
    scene_first: int


@dataclass(frozen=True)
class SceneParts:
    """All that the path of a frame, and looking at others beside it, has in common: the same as long as a session.

    Attributes
    ----------
    source : Source
        As the method sees it.
    method : Method
    foreground : Foreground
    corrections : Corrections
        What people painted.
    areas : AreaState
        What they exclude.
    aligner : Aligner
        Brings frames into the coordinates of the scene.
    scenes : SceneFollower
        Knows which scene is shown, and its plate.
    cleaning : CleaningState
        How frames are cleaned.
    last : LastFrame
        The report that is shown.
    is_image_set : bool
        What frames are taken for.
    """

    source: Source
    method: Method
    foreground: Foreground
    corrections: Corrections
    areas: AreaState
    aligner: Aligner
    scenes: SceneFollower
    cleaning: CleaningState
    last: LastFrame
    is_image_set: bool

    def as_shown(self) -> AsShown:
        """Return how frames are shown from now on."""
        return {
            "noise": self.foreground.noise, "cleaning": self.cleaning.now, "finish": self.foreground.finish,
            "areas": self.areas.maps, "is_image_set": self.is_image_set, "standard": self.source.info.standard,
            "scene_first": self.scenes.cut_at,
        }  # fmt: skip


def parts_of(start: Start, excluded: Areas, *, goes_on: bool) -> SceneParts:
    """Return the parts of a session.

    Parameters
    ----------
    start : Start
    excluded : Areas
        To begin with.
    goes_on : bool
        It goes on learning from a model: see `SceneFollower`.
    """
    source, row, method, foreground = start.source, start.row, start.method, start.foreground
    corrections, layout = start.corrections, source.info.layout
    areas, is_film = AreaState(source.info, excluded), row.aligned and not start.image_set.is_set
    return SceneParts(
        source, method, foreground, corrections, areas,
        Aligner(layout, float(start.values[STEADY.name] or 0) if row.aligned else 0.0, is_film=is_film),
        SceneFollower(
            layout, method, foreground, corrections, makes_masks=row.makes_masks, goes_on=goes_on,
            can_follow=is_film,
            n_photographs=0 if source.info.is_timed else source.info.n_frames or 0,
        ),
        CleaningState(layout, start.values), LastFrame(method, foreground, corrections, areas),
        start.image_set.is_set,
    )  # fmt: skip
