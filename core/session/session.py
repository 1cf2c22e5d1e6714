"""A method that runs over a source: a generator of reports, which others may hold, steer and ask.

::

    idle ──run()──▶ running ⇄ paused
                      │  └── the mailbox (`Control`) is read between frames
                      └──▶ finished (input ended, or stop())

A run goes through stages (`core.session.plan`); the loop over the frames of one is in `core.session.stage_loop`. A
batch method gathers frames in a first pass, iterates over them with a report for each iteration, and is applied to all
frames in a second pass.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.errors import CleanplateError
from core.frames.frame import Layout, Values
from core.io.sources.base import Source
from core.scene.masks.head_weights import Weights
from core.session.basis_images import BasisImages
from core.session.batch_set import BatchSet
from core.session.browser import Browser
from core.session.content import SeenContent
from core.session.control import Control
from core.session.frame_path import FramePath
from core.session.groups import Groups
from core.session.iterating_thread import IteratingThread
from core.session.live_areas import LiveAreas
from core.session.live_values import LiveValues
from core.session.model import Model
from core.session.particles import particle_notes
from core.session.phase import Phase
from core.session.plan import (
    Stage,
    check_passes,
    stages_of_batch,
    stages_of_model,
    stages_of_passes,
    without_plate,
)
from core.session.reader import Reader
from core.session.report import Report
from core.session.scene_parts import parts_of
from core.session.scene_plate import ScenePlate
from core.session.settings import Settings
from core.session.stage_loop import StageLoop
from core.session.standing import Standing, kept_of
from core.session.standing_again import StandingAgain
from core.session.start import begin
from core.session.stroke_feedback import StrokeFeedback
from core.session.stroke_history import StrokeHistory


class Session:
    """Runs one method over one source, as a generator of reports.

    One thread iterates `run`, once at a time. While it does, other threads may use `control` as it says, call `seek`,
    and read `StrokeHistory.painted` and what never changes (`source`, `settings`, `learning`, `layout`, `row`,
    `is_image_set`, `control`, `strokes`, `areas`). Every other method, and those of `strokes` and `areas`, raise
    RuntimeError there.
    `method`, `foreground` and `scenes` are bare objects that check nothing: they are for the thread that iterates,
    between two frames.

    Parameters
    ----------
    source : Source
    settings : Settings
    model : Model, optional
        Apply this instead of learning: one pass, nothing learnt. Its method and rank hold, not those of ``settings``.
    goes_on : bool
        Go on learning from the model instead.
    keeps_plate : bool
        The last pass has a clean plate too; else `plate` and `confidence` are not to be asked for, and passes begin
        with plates of fewer frames where these are large.
    weights : Weights, optional
        Of the mask's head; those that come with the program unless others are tried.

    Attributes
    ----------
    source : Source
        As the method sees it.
    settings : Settings
        As it was made; `set_passes` changes how often the input is read from then on, not these.
    learning : bool
        It learns; else it applies a model.
    begins_anew : bool
        Nothing was learnt before its first frame.
    layout : Layout
        Of its frames.
    row : MethodRow
    decided : mapping
        Values of parameters that were left to the input to decide, by name.
    is_image_set : bool
        Its frames are taken for an image set, as chosen or as decided.
    seen : SeenContent
        What its frames seem to show.
    method : Method
    foreground : Foreground
    scenes : SceneFollower
        Which scene is shown, and what is known of it and of others.
    control : Control
        Parameters, pause, stop and seek, for any thread.
    strokes : StrokeHistory
        What people paint on frames.
    areas : LiveAreas
        What they exclude.
    """

    def __init__(
        self, source: Source, settings: Settings, model: Model | None = None, *, goes_on: bool = False,
        keeps_plate: bool = True, weights: Weights | None = None,
    ) -> None:  # fmt: skip
        check_passes(settings.passes, live=source.info.live)
        self.settings, self._passes, self._keeps_plate = settings, settings.passes, keeps_plate
        self.begins_anew, self.learning = model is None, model is None or goes_on
        start = begin(source, settings, model, weights, learning=self.learning)
        self._parts = parts = parts_of(start, settings.areas, goes_on=goes_on)
        self.source, self.row, self.method, self.foreground = parts.source, start.row, parts.method, parts.foreground
        self.scenes = parts.scenes
        self.layout: Layout = parts.source.info.layout
        self.decided, self.is_image_set = start.decided, parts.is_image_set
        self._as_read, self._notes = start.as_read, start.notes
        of_what = parts.source.info, settings.method, settings.values
        self._of_particles = particle_notes(*of_what) if self.begins_anew else []
        self.seen = SeenContent(parts.source.info)
        self._thread = IteratingThread()
        self.control = Control(self._thread, self.row, start.values, learning=self.learning, live=self.source.info.live)
        self._basis = BasisImages(self.row, self.method, self.control, learning=self.learning)
        # What is shown of the scene, and said of it, beside the run.
        self._live = LiveValues(self.control, self.row, parts)
        self._browser = Browser(self.control, self._live, parts)
        self._again = StandingAgain(parts)
        self._resumed: Standing | None = None
        of_strokes = StrokeFeedback(
            self.layout, parts.method, parts.foreground, parts.corrections, parts.scenes, learning=self.learning
        )
        self.strokes, self.areas = StrokeHistory(self._thread, of_strokes, parts), LiveAreas(self._thread, parts)
        # What the frames of a run go through.
        as_batch = self.method.as_batch if self.learning else None
        self._batch = None if as_batch is None else BatchSet(as_batch, parts)
        self._groups = Groups(self.method, Reader(parts.source), parts.source.info)
        path = FramePath(parts, self.strokes, self._batch, self._groups)
        self._loop = StageLoop(
            self.control, self._live, parts, start.image_set, self._groups, path, self._batch, self.seen
        )

    def run(self, first: int = 0) -> Generator[Report, None, None]:
        """Yield a report for each frame, from frame ``first`` of the source on, and for each iteration."""
        with self._thread.iterating():
            try:
                resumed, self._resumed = self._resumed, None
                n_before = self._n_before(resumed)
                for stage in self._stages() if resumed is None else self._stages_from(resumed.pass_index):
                    if self.control.is_stopped:
                        return  # What comes next would begin all the same, and forget what this was about.
                    yield from self._loop.reports(stage, first, n_before)
                    n_before = None
            finally:
                self._groups.close()

    @property
    def warnings(self) -> list[str]:
        """What was skipped or mended while reading, what of the model is ignored, and where scenes were cut or changed.

        Different pictures are no scenes: of them it is said what they are. Of a stack it is said what is missed there.
        """
        self._thread.check()
        of_content = self.seen.notes if self.row.for_video else []
        has_areas = not self._parts.areas.areas.are_none
        info = self.source.info
        n_passes = self._passes if self.row.aligned and not info.live else 0  # Else no other pass would know more.
        of_scenes = self.scenes.notes.sentences(info, has_areas=has_areas, n_passes=n_passes)
        return [*self.source.warnings, *self._notes, *(of_content or [*self._of_particles, *of_scenes])]

    @property
    def learns_first(self) -> bool:
        """True where the next run has stages before the one that gives the results."""
        self._thread.check()
        return len(self._stages()) > 1

    @property
    def has_own_passes(self) -> bool:
        """True where the method itself decides how often the input is read: a batch method."""
        return self.method.as_batch is not None

    def set_passes(self, passes: int) -> None:
        """Read the input ``passes`` times from the next run on; see `core.session.plan.check_passes`."""
        self._thread.check()
        check_passes(passes, live=self.source.info.live)
        self._passes, self._resumed = passes, None

    def seek(self, index: int) -> None:
        """Go on from frame ``index``: see `Control.seek`."""
        self.control.seek(index)

    def go_on(self, index: int) -> None:
        """Let the next run go on with frame ``index``, in the pass of the one before, which was cut short.

        Where that has shown no frame, and where the input cannot be wound back, it begins anew.
        """
        standing = self.standing(is_over=False)
        if standing is not None and not self.source.info.live:
            self._resumed = standing
            self.seek(index)

    def go_on_at(self, standing: Standing) -> Report | None:
        """Stand where a run of an earlier session stood, whose model this one has; learn nothing.

        The next `run` goes on behind that frame, in its pass; where that run was over, it begins anew.

        Returns
        -------
        Report or None
            What was shown there; None where the input has no such frame, or a set has to be gathered first: nothing has
            changed then.
        """
        self._thread.check()
        stages = self._stages_from(standing.pass_index)
        if stages[0].phase is Phase.GATHERING:
            return None
        report = self.control.unless_stopped(self._again.report, standing, stages[0])
        if report is not None and not standing.is_over:
            self._resumed = standing
            self.seek(standing.index + 1)
        return report

    def _n_before(self, resumed: Standing | None) -> int | None:
        """Return how many frames of its first pass were done before a run; None where that begins anew.

        Where passes have begun anew in the middle of the input, none were.
        """
        last = self._parts.last.of_run
        if last is None:
            return None
        if resumed is not None:
            return last[0].n_done
        return 0 if self.control.is_sought else None

    def _stages(self) -> list[Stage]:
        """Return the stages of a run from the beginning."""
        if not self.learning:
            stages = stages_of_model()
        elif self._batch is not None:
            stages = stages_of_batch(
                live=self.source.info.live, finished=self._batch.finished, complete=self._batch.is_complete
            )
        else:
            stages = stages_of_passes(
                self._passes, learns_in_last=self.row.for_video, shows_scene=not self.is_image_set
            )
        return stages if self._keeps_plate else without_plate(stages)

    def _stages_from(self, pass_index: int) -> list[Stage]:
        """Return the stages of a run that goes on in the middle of a pass: of the last one, where there are fewer."""
        stages = self._stages()
        left = [stage for stage in stages if stage.pass_index >= pass_index] or stages[-1:]
        return [replace(left[0], refines=False), *left[1:]]

    def standing(self, *, is_over: bool) -> Standing | None:
        """Return where the run stands, for `go_on_at` of another; None where nothing is known of its last frame."""
        self._thread.check()
        if self._parts.last.of_run is None:
            return None
        report, frame = self._parts.last.of_run
        if report.phase not in (Phase.LEARNING, Phase.APPLYING):
            return None
        return Standing(frame.index, report.pass_index, is_over, kept_of(report, frame.motion))

    def browse(self, first: int) -> Generator[Report, None, None]:
        """Yield a report for each frame from frame ``first`` on, by what is learnt so far; learn nothing.

        For the thread that iterates, between two frames or after the end. The run goes on where it is, as if nobody
        had looked. Nothing is yielded before the run has given its first report. Raises CleanplateError for a camera.
        """
        self._thread.check()
        return self._browser.reports(first)

    # -- between frames

    def preview(self) -> Report | None:
        """Show on the last frame what parameters do that were set since; nothing is learnt.

        Return the last report with another mask or cleaned otherwise; None where nothing of that was set, or can be.
        """
        return self._parts.last.look_again(cleaning=self._parts.cleaning.now) if self._live.take() else None

    def drop_basis(self, k: int, *, replace: bool = False) -> None:
        """Go on without basis image ``k``.

        With ``replace`` a new one takes its place, made of what the others do not explain. Raises CleanplateError, and
        drops nothing, where a model is applied, it is the last basis image, or none can be made anew while this runs.
        """
        self._thread.check()
        self._basis.drop(k, replace=replace)

    def plate(self) -> Values:
        """Return the clean plate as a picture of the working size: of each pixel the look that comes back.

        Pixels that were never seen show the background as it was last recovered. The plate of a method that makes its
        own masks is its own background.
        """
        return self.scene_plate().picture()

    def scene_plate(self) -> ScenePlate:
        """Return the plate of the scene that is shown, to be worked out."""
        self._thread.check()
        background = self._parts.last.background
        if background is None:
            raise CleanplateError("There is no plate yet, as no frame has been read; run on by a frame at least.")
        return self.scenes.plate(background)

    def when_scene_ends(self, take: Callable[[ScenePlate], None]) -> None:
        """Give the plate of each scene that another follows to ``take``, in the last pass, before it is forgotten."""
        self._thread.check()
        self.scenes.on_end = take

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of this pass's frames in the plate each pixel (H, W) was seen, 0 to 1."""
        self._thread.check()
        return self.scenes.now.plate.confidence()

    def basis(self) -> list[NDArray[np.float32]]:
        """Return the basis as vectors (F,), each of norm 1 at most, in the order of the coefficients."""
        self._thread.check()
        return self._basis.vectors()

    def model(self) -> Model:
        """Return a copy of what was learnt, and with which values, to be saved or applied elsewhere."""
        self._thread.check()
        values = catalogue.without_finish({**self.control.values, **self.method.values})
        mask_state = {**self.foreground.state(), **self.strokes.painted}
        return Model(self.row.key, self._as_read.where_unchanged(values), self.layout, self.method.state(), mask_state)
