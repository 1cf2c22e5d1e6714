"""The loop: frames go down the path once, and a report comes out for each.

::

    idle ──run()──▶ running ⇄ paused
                      │  └── the mailbox (`Control`) is read between frames
                      └──▶ finished (input ended, or stop())

What a run does in which order is its plan (`core.session.plan`). A batch method gathers frames in a first pass,
iterates over them with a report for each iteration, and is applied to all frames in a second pass.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.errors import CleanplateError
from core.frames import metrics
from core.frames.frame import Layout, Planes, Values
from core.io.sources.base import Source
from core.io.sources.views import Rgb
from core.parameter import Value
from core.runtime import heap
from core.scene.masks.head import Weights
from core.scene.stabiliser import STEADY
from core.session.alignment import Aligner, to_camera_frame
from core.session.area_state import AreaState
from core.session.batch_set import BatchSet
from core.session.browser import Browser
from core.session.cleaning_state import CleaningState
from core.session.content import SeenContent
from core.session.control import Control
from core.session.feedback import MaskFeedback
from core.session.frame_path import FramePath
from core.session.groups import Groups
from core.session.iterating_thread import IteratingThread
from core.session.last_frame import LastFrame
from core.session.live_values import LiveValues
from core.session.model import Model
from core.session.phase import Phase
from core.session.plan import BatchPlan, ModelPlan, PassesPlan, Plan, Stage, check_passes
from core.session.reader import Reader
from core.session.report import Report
from core.session.scene_follower import SceneFollower
from core.session.settings import Settings
from core.session.standing import Standing, kept_of
from core.session.standing_again import StandingAgain
from core.session.start import begin
from core.session.stroke_feedback import StrokeFeedback
from core.session.stroke_history import StrokeHistory


class Session:
    """Runs one method over one source, as a generator of reports.

    One thread iterates `run`, once at a time. While it does, other threads may use `control` as it says, call `seek`,
    and read `StrokeHistory.painted` and what never changes (`source`, `settings`, `learning`, `layout`, `row`,
    `is_image_set`, `control`, `strokes`). Every other method, and those of `strokes`, raise RuntimeError there.
    `method` and `foreground` are bare objects that check nothing: they are for the thread that iterates, between two
    frames.

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
    control : Control
        Parameters, pause, stop and seek, for any thread.
    strokes : StrokeHistory
        What people paint on frames, and which areas they exclude.
    """

    def __init__(
        self, source: Source, settings: Settings, model: Model | None = None, *, goes_on: bool = False,
        keeps_plate: bool = True, weights: Weights | None = None,
    ) -> None:  # fmt: skip
        check_passes(settings.passes, live=source.info.live)
        self.row = row = catalogue.row(model.method if model else settings.method)
        if source.info.layout.planes is Planes.YCC420 and not row.for_video:
            source = Rgb(source)
        if model:
            source = model.with_contrast(source)
            model.check_layout(source.info.layout)
        self.settings, self._passes, self._keeps_plate = settings, settings.passes, keeps_plate
        self.begins_anew = model is None
        self._loaded: Mapping[str, Value] = model.values if model else {}
        self.learning = model is None or goes_on
        start = begin(row, source, settings, model, weights, learning=self.learning)
        self.source = source = start.source
        self.layout: Layout = source.info.layout
        self._image_set, self.is_image_set = start.image_set, start.image_set.is_set
        chosen, corrections, self._notes = start.values, start.corrections, start.notes
        self.decided, self.method, self.foreground = start.decided, start.method, start.foreground
        self._rank_loaded = self.method.values.get("rank") if model else None
        self.seen = SeenContent(source.info)
        self._thread = IteratingThread()
        self._reader = Reader(source)
        batch = self.method.as_batch
        self._aligner = Aligner(self.layout, float(chosen[STEADY.name] or 0) if row.aligned else 0.0)
        self._scenes = SceneFollower(
            self.layout, self.method, self.foreground, corrections, makes_masks=row.makes_masks, goes_on=goes_on
        )
        feedback = MaskFeedback(self.layout, self.method, self.foreground, corrections, self._scenes)
        of_strokes = StrokeFeedback(
            self.layout, self.method, self.foreground, corrections, self._scenes, learning=self.learning
        )
        areas = AreaState(source.info, settings.areas)
        self._last = LastFrame(self.method, self.foreground, corrections, areas)
        self._cleaning = CleaningState(self.layout, chosen)
        self._batch = None
        if batch is not None and self.learning:
            self._batch = BatchSet(batch, areas, self._cleaning, is_image_set=self.is_image_set)
        self.control = Control(self._thread, row, chosen, learning=self.learning, live=source.info.live)
        self.strokes = StrokeHistory(
            self._thread, self.method, of_strokes, corrections, self.foreground, self._aligner, self._last, areas,
            self.layout,
        )  # fmt: skip
        self._live = LiveValues(self.control, row, self.method, self.foreground, self._aligner, self._cleaning)
        self._browser = Browser(source, self.control, self._live, self.method, self._aligner, self._last)
        self._again = StandingAgain(
            source, self.method, self.foreground, self._aligner, self._last, self._cleaning, areas,
            is_image_set=self.is_image_set,
        )  # fmt: skip
        self._resumed: Standing | None = None
        self._groups = Groups(self.method, self._reader, source.info)
        self._path = FramePath(
            self.method, self.foreground, feedback, self._scenes, self._aligner, self.strokes, self._last, self._batch,
            self._cleaning, areas, self._groups, is_image_set=self.is_image_set,
        )  # fmt: skip

    def run(self, first: int = 0) -> Generator[Report, None, None]:
        """Yield a report for each frame, from frame ``first`` of the source on, and for each iteration."""
        with self._thread.iterating():
            try:
                resumed, self._resumed = self._resumed, None
                for stage in self._plan.stages() if resumed is None else self._stages_from(resumed.pass_index):
                    if self.control.is_stopped:
                        return  # What comes next would begin all the same, and forget what this was about.
                    yield from self._run_stage(stage, first)
            finally:
                self._reader.close()

    @property
    def warnings(self) -> list[str]:
        """What was skipped or mended while reading, what of the model is ignored, and where scenes were cut.

        Different pictures are no scenes: of them it is said what they are.
        """
        of_content = self.seen.notes if self.row.for_video else []
        return [*self.source.warnings, *self._notes, *(of_content or self._scenes.cuts.notes(self.source.info))]

    @property
    def learns_first(self) -> bool:
        """True where the next run has stages before the one that gives the results."""
        self._thread.check()
        return len(self._plan.stages()) > 1

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

    def _stages_from(self, pass_index: int) -> list[Stage]:
        """Return the stages of a run that goes on in the middle of a pass: of the last one, where there are fewer."""
        stages = self._plan.stages()
        left = [stage for stage in stages if stage.pass_index >= pass_index] or list(stages[-1:])
        return [replace(left[0], refines=False), *left[1:]]

    def standing(self, *, is_over: bool) -> Standing | None:
        """Return where the run stands, for `go_on_at` of another; None where nothing is known of its last frame."""
        self._thread.check()
        if self._last.of_run is None:
            return None
        report, frame = self._last.of_run
        if report.phase not in (Phase.LEARNING, Phase.APPLYING):
            return None
        return Standing(frame.index, report.pass_index, is_over, kept_of(report, frame.shift))

    def browse(self, first: int) -> Generator[Report, None, None]:
        """Yield a report for each frame from frame ``first`` on, by what is learnt so far; learn nothing.

        For the thread that iterates, between two frames or after the end. The run goes on where it is, as if nobody
        had looked. Nothing is yielded before the run has given its first report. Raises CleanplateError for a camera.
        """
        return self._browser.reports(first)

    @property
    def _plan(self) -> Plan:
        if not self.learning:
            return ModelPlan()
        if self._batch is not None:
            return BatchPlan(self.source.info.live, self._batch.finished, self._batch.is_complete)
        return PassesPlan(self._passes, learns_in_last=self.row.for_video)

    def _run_stage(self, stage: Stage, first: int) -> Iterator[Report]:
        if stage.refines and self.control.unless_stopped(self._path.begin_again, first) is None:
            return
        if stage.reopens:
            order = self._image_set.order(stage, first)
            self._reader.start(first) if order is None else self._reader.start_in_order(order)
        yield from self._iterate() if stage.phase is Phase.ITERATING else self._read(stage, first)

    def _read(self, stage: Stage, first: int) -> Iterator[Report]:
        """Yield a report for each frame of one pass."""
        score, n_done, total = metrics.RunningScore(), 0, self.source.info.n_frames
        is_last, is_warming = stage.pass_index + 1 == stage.n_passes, False
        self._groups.clear()
        self._scenes.begin_pass(
            keeps_plate=self._keeps_plate or not is_last, is_lean=not self._keeps_plate, precedes=not is_last
        )
        heap.give_back()  # The plate of the pass before lay all over it.
        while not self.control.is_stopped and not (stage.until_full and self._batch and self._batch.is_full):
            self.control.wait()
            arrived = self.control.unless_stopped(
                self._groups.next_frame, self.control.take_seek(), learns=stage.phase is Phase.LEARNING
            )
            if arrived is None:
                break
            frame, decode_ms = arrived
            if frame is None and stage.phase is Phase.LEARNING:
                self.control.unless_stopped(self._groups.end_pass)
            if frame is None or self.control.is_stopped:
                break
            self._live.take()
            n_done += 1
            n_frames = None if total is None else max(n_done, total - first)
            taken = self.control.unless_stopped(self._path.take, frame, stage, n_done, n_frames, decode_ms)
            if taken is None:
                break
            report, frame = taken
            self.seen.see(report.frame)
            if is_warming and report.warming is None:
                heap.give_back()  # The frames that the method began with, and what was made of them.
            is_warming = report.warming is not None
            if stage.phase is not Phase.GATHERING and frame.truth is not None:
                shown = to_camera_frame(report, frame)
                report = replace(report, figures=score.update(frame, shown.split, shown.finished_mask))
            yield self._last.put(report, frame)

    def _iterate(self) -> Iterator[Report]:
        """Yield a report for each iteration of a batch method, until it has finished: one of its frames, as it is."""
        index: int | None = None
        while self._batch is not None and not self._batch.finished:
            self.control.wait()
            if self.control.is_stopped:
                return
            self._live.take()
            sought = self.control.take_seek()
            index = index if sought is None else sought
            report = self.control.unless_stopped(self._batch.improve, index, self.foreground)
            if report is None:
                return  # It was stopped, or there was no frame.
            yield self._last.put(report, report.frame)

    # -- between frames

    def preview(self) -> Report | None:
        """Show on the last frame what parameters do that were set since; nothing is learnt.

        Return the last report with another mask or cleaned otherwise; None where nothing of that was set, or can be.
        """
        return self._last.look_again(cleaning=self._cleaning.now) if self._live.take() else None

    def drop_basis(self, k: int, *, replace: bool = False) -> None:
        """Go on without basis image ``k``.

        With ``replace`` a new one takes its place, made of what the others do not explain. Raises CleanplateError, and
        drops nothing, where a model is applied, it is the last basis image, or none can be made anew while this runs.
        """
        self._thread.check()
        rank = self.method.W.shape[1]
        if not self.learning:
            raise CleanplateError("A model that is applied does not change; learn again to change its basis images.")
        if rank == 1 or not 0 <= k < rank:
            raise CleanplateError(f"Basis image {k + 1} of {rank} has to stay; start over to learn anew.")
        is_live = catalogue.parameters(self.row)["rank"].live
        if replace and not is_live:
            raise CleanplateError(f"{self.row.key} makes no basis image anew; drop it, or start over.")
        self.method.drop(k)
        if is_live:
            self.control.set({"rank": rank if replace else rank - 1})
        else:
            self.control.note("rank", rank - 1)

    def plate(self) -> Values:
        """Return the clean plate as a picture of the working size: of each pixel the look that comes back.

        Pixels that were never seen show the background as it was last recovered. The plate of a method that makes its
        own masks is its own background.
        """
        self._thread.check()
        background = self._last.background
        if background is None:
            raise CleanplateError("There is no plate yet: no frame has been read.")
        return self.layout.image(self._scenes.plate(background))

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of the `n_kept` frames each pixel (H, W) of the plate was seen, 0 to 1, in this pass."""
        self._thread.check()
        return self._scenes.now.plate.confidence()

    @property
    def n_kept(self) -> int:
        """Frames of this pass that the plate is made of: all of a short run, some of a long one."""
        self._thread.check()
        return self._scenes.now.plate.n_frames

    def basis(self) -> list[NDArray[np.float32]]:
        """Return the basis as vectors (F,), each of norm 1 at most, in the order of the coefficients."""
        self._thread.check()
        return [self.method.W[:, k].copy() for k in range(self.method.W.shape[1])]

    def model(self) -> Model:
        """Return a copy of what was learnt, and with which values, to be saved or applied elsewhere."""
        self._thread.check()
        values = catalogue.without_finish({**self.control.values, **self.method.values})
        if self._loaded.get("rank", 0) is None and values["rank"] == self._rank_loaded:
            values["rank"] = None  # It was automatic, and is still.
        # What nobody has changed is saved as it was read: 1 stays 1, and is no 1.0.
        values |= {name: was for name, was in self._loaded.items() if name in values and values[name] == was}
        mask_state = {**self.foreground.state(), **self.strokes.painted}
        return Model(self.row.key, values, self.layout, self.method.state(), mask_state)
