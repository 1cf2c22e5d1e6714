"""One stage of a run: frames go down the path once, and a report comes out for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from core.frames import metrics
from core.runtime import heap
from core.session.batch_set import BatchSet
from core.session.camera_frame import to_camera_frame
from core.session.content import SeenContent
from core.session.control import Control
from core.session.frame_path import FramePath
from core.session.groups import Groups
from core.session.image_set import ImageSet
from core.session.live_values import LiveValues
from core.session.phase import Phase
from core.session.plan import Stage
from core.session.report import Report
from core.session.scene_parts import SceneParts


class StageLoop:
    """Does what a stage says with each frame, and reads the mailbox before it.

    Parameters
    ----------
    control : Control
        The mailbox.
    live : LiveValues
        Hands on what was set.
    parts : SceneParts
        The scenes begin each pass, and ``last`` holds each report.
    image_set : ImageSet
        In which order.
    groups : Groups
        Reads.
    path : FramePath
        Takes the frames of a pass.
    batch : BatchSet or None
        The frames that are iterated over, of a batch method that learns.
    seen : SeenContent
        Takes note of each frame.
    """

    def __init__(
        self, control: Control, live: LiveValues, parts: SceneParts, image_set: ImageSet, groups: Groups,
        path: FramePath, batch: BatchSet | None, seen: SeenContent,
    ) -> None:  # fmt: skip
        self._control, self._live, self._image_set, self._groups = control, live, image_set, groups
        self._path, self._batch, self._seen = path, batch, seen
        self._source, self._scenes, self._last = parts.source, parts.scenes, parts.last

    def reports(self, stage: Stage, first: int, n_before: int | None = None) -> Iterator[Report]:
        """Yield a report for each frame, or for each iteration.

        Parameters
        ----------
        stage : Stage
        first : int
            Frame of the source that it begins with.
        n_before : int, optional
            Frames of its pass that were done before, where it goes on in the middle of one.
        """
        if stage.refines and self._control.unless_stopped(self._path.begin_again, first) is None:
            return
        if stage.reopens:
            self._groups.start(first, self._image_set.order(stage, first))
        yield from self._iterate() if stage.phase is Phase.ITERATING else self._read(stage, first, n_before)

    def _read(self, stage: Stage, first: int, n_before: int | None) -> Iterator[Report]:
        """Yield a report for each frame of one pass."""
        score, n_done = metrics.RunningScore(), n_before or 0
        total = self._source.info.n_frames  # A pass before it may have found fewer than the file declares.
        n_frames = None if total is None else total - first
        is_warming = False
        self._groups.clear()
        self._scenes.begin_pass(stage, first, goes_on=n_before is not None)
        heap.give_back()  # The plate of the pass before lay all over it.
        while not self._control.is_stopped and not (stage.until_full and self._batch and self._batch.is_full):
            self._control.wait()
            sought = self._control.take_seek()
            if sought is not None and total is not None:
                n_frames = n_done + total - sought
            arrived = self._control.unless_stopped(
                self._groups.next_frame, sought, learns=stage.phase is Phase.LEARNING
            )
            if arrived is None:
                break
            frame, decode_ms = arrived
            if frame is None and stage.phase is Phase.LEARNING:
                self._control.unless_stopped(self._groups.end_pass)
            if frame is None or self._control.is_stopped:
                break
            self._live.take()
            n_done += 1
            n_frames = None if n_frames is None else max(n_done, n_frames)
            taken = self._control.unless_stopped(self._path.take, frame, stage, n_done, n_frames, decode_ms)
            if taken is None:
                break
            report, frame = taken
            self._seen.see(report.frame)
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
            self._control.wait()
            if self._control.is_stopped:
                return
            self._live.take()
            sought = self._control.take_seek()
            index = index if sought is None else sought
            report = self._control.unless_stopped(self._batch.improve, index)
            if report is None:
                return  # It was stopped, or there was no frame.
            yield self._last.put(report, report.frame)
