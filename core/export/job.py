"""One whole run from input to files: the command line and the window's export both do exactly this."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import CleanplateError
from core.export.frame_writer import KEPT_TIMES
from core.export.job_spec import Job
from core.export.plate_notes import NO_SCENE, SHOWS_PLATE, never_seen
from core.export.products import PICTURES, check_sizes
from core.export.progress import Progress, ProgressMeter
from core.export.range_notes import range_notes
from core.export.writer import ResultWriter
from core.io.publishing.refusals import writing
from core.io.publishing.run_folder import recover
from core.io.sources import Source, open_source
from core.io.sources.ranged import Ranged
from core.io.sources.spread import Spread
from core.methods.content import CONTENT
from core.runtime import announcing, stopping
from core.runtime.memory import peak_mib
from core.session.content import is_film
from core.session.model import Model
from core.session.report import Report
from core.session.session import Session

NEEDS_PLATE = SHOWS_PLATE | {"confidence"}
"""Products for which the last pass keeps what a plate is made of: up to 108 MiB, and nine frames of the largest."""


@dataclass(frozen=True)
class Summary:
    """What a run did.

    Attributes
    ----------
    method : str
    frames : int
        Pictures in each result.
    width, height : int
        Of the results, pixels.
    seconds : float
        From opening the input to the last rename.
    fps : float
        Frames a second while frames were processed, over all passes and the iterations of a batch method.
    stages_ms : dict
        Medians over the last 2000 frames of ``decode`` (waiting for the decoder, which runs ahead), ``step``,
        ``mask`` and ``write`` (work of the writing threads, which run beside).
    peak_mib : float
        Largest resident memory of the process so far.
    warnings : list of str
    files : list of Path
        The results.
    taken_for : str
        What its frames were found to show, of the choices of `core.methods.content.CONTENT`, where they were looked at
        for that; else empty.
    """

    method: str
    frames: int
    width: int
    height: int
    seconds: float
    fps: float
    stages_ms: Mapping[str, float]
    peak_mib: float
    warnings: list[str]
    files: list[Path]
    taken_for: str = ""


def run_job(
    job: Job,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    enough: Callable[[], bool] | None = None,
    hold_signals: Callable[[bool], None] | None = None,
) -> Summary:
    """Run a job to its end.

    Parameters
    ----------
    job : Job
    progress : callable, optional
        Called after every frame and every iteration, and as long work between two of them begins.
    cancelled : callable, optional
        Asked between frames, while one is waited for, between the steps of what takes long, and before results get
        their names; True gives up and leaves nothing behind.
    enough : callable, optional
        Asked between frames; True ends the input here and completes the results (for cameras).
    hold_signals : callable, optional
        As `core.export.writer.ResultWriter` calls it.

    Raises
    ------
    CleanplateError
        Anything that is user-correctable; nothing half-written is left, nothing that was there is lost.
    CancelledError
        ``cancelled`` returned True.
    """
    with writing(job.output):
        recover(job.output)
    job.check()
    started = time.perf_counter()
    learnt = job.model or job.start
    model = Model.load(learnt) if learnt else None
    source = open_source(job.input, cancelled, patient=True)
    try:
        source = _part_of(source, job)
        if job.fps is not None and source.info.fps is not None:
            raise CleanplateError(
                f"{source.info.title} has {source.info.fps:g} frames a second of its own; leave out the rate (--fps)."
            )
        full = source.info.full
        job.settings.areas.check_reach(*(source.info.uncut or (full.width, full.height)))
        check_sizes(job.save, job.format, full.width, full.height)
        keeps_plate = not NEEDS_PLATE.isdisjoint(job.save)
        session = Session(source, job.settings, model, goes_on=job.start is not None, keeps_plate=keeps_plate)
        writer = ResultWriter(
            job.output, job.save, job.stored_as, source.info, coding=job.coding, overwrite=job.overwrite,
            rules=job.rules, names=job.names,
            hold_signals=hold_signals,
        )  # fmt: skip
        try:
            loop = _Loop(session, writer, job, progress, enough)
            with stopping.stops_when(cancelled or stopping.never), announcing.announced_to(loop.tell_work):
                with stopping.stops_when(loop.ends_waiting):
                    loop.run()
                files = writer.finish(session, stopping.check)
        except BaseException:
            writer.abort()
            raise
        return loop.summary(time.perf_counter() - started, files)
    finally:
        source.close()


def _part_of(source: Source, job: Job) -> Source:
    """Return what a job reads of a source: all, frames from places all over it, or none after the last written."""
    if job.spread is not None:
        return Spread(source, job.spread)
    return source if job.run_in is None or job.written[1] is None else Ranged(source, None, job.written[1])


class _Loop:
    """Iterates the session, and keeps the figures of the run."""

    def __init__(
        self,
        session: Session,
        writer: ResultWriter,
        job: Job,
        progress: Callable[[Progress], None] | None,
        enough: Callable[[], bool] | None,
    ) -> None:
        self._session, self._writer, self._job, self._n_skipped = session, writer, job, job.n_skipped
        self._first, self._last = job.written
        self._progress, self._enough = progress, enough
        self._meter = ProgressMeter()
        self._stages: dict[str, deque[float]] = {}
        self._n_written = self._n_shown = self._n_read = self._n_seen = 0
        self._is_cut = False
        self._width = self._height = 0
        self._seconds = 0.0

    def run(self) -> None:
        started = time.perf_counter()
        with contextlib.closing(self._session.run(self._n_skipped)) as reports:
            for report in reports:
                stopping.check()
                self._take(report)
                if self._progress:
                    self._progress(self._meter.measure(report))
                if self._enough and self._enough():
                    self._session.control.stop()
        self._seconds = time.perf_counter() - started
        if self._n_shown and not self._n_written:
            raise CleanplateError(
                f"{self._session.source.info.title} has {self._n_shown} frames to read and no frame {self._first}; "
                f"write frames from an earlier one on."
            )
        if self._n_read and not self._n_written:
            raise CleanplateError("The run was ended before anything was applied; let it go on, or keep fewer frames.")
        if not self._n_written:
            raise CleanplateError(f"{self._session.source.info.title} holds no frames to read; choose another input.")

    def ends_waiting(self) -> bool:
        """End the input, where it is to end while a frame is waited for; never a reason to stop by itself."""
        if self._enough and self._enough():
            self._session.control.stop()
        return False

    def tell_work(self, work: str) -> None:
        """Tell of long work between two frames as it begins; the next frame tells that it is done."""
        if self._progress and work:
            self._progress(self._meter.at_work(work))

    def _take(self, report: Report) -> None:
        if report.pass_index == report.n_passes - 1:
            self._n_seen = report.n_done
            self._n_shown = number = self._n_skipped + report.n_done
            if (self._first or 1) <= number <= (self._last or number):
                self._writer.write(replace(report, n_done=number) if self._n_skipped else report)
                self._n_written += 1
                layout = report.frame.full.layout
                self._width, self._height = layout.width, layout.height
            if number == self._last and self._writer.saved <= PICTURES.keys():
                self._session.control.stop()  # What is saved once a run is of all frames.
                self._is_cut = report.pass_index > 0
        if report.iteration is None:
            self._n_read += 1
            for stage, spent in report.stages_ms.items():
                self._stages.setdefault(stage, deque(maxlen=KEPT_TIMES)).append(spent)

    @property
    def _came_to_the_end(self) -> bool:
        """Whether frames ended because there are no more of them to read."""
        job = self._job
        is_piece = job.run_in is not None and self._n_shown == job.written[1]
        return not self._session.control.is_stopped and job.spread is None and not is_piece

    @property
    def _taken_for(self) -> str:
        is_known = is_film(self._session.source.info)
        return "" if is_known else str(self._session.decided.get(CONTENT.name, ""))

    def summary(self, seconds: float, files: list[Path]) -> Summary:
        stages = {**self._stages, "write": self._writer.write_ms}
        notes = self._writer.notes
        # A single picture hides nothing for a while; what a last pass cut short has not seen, the one before has.
        if self._n_seen > 1 and not self._is_cut and SHOWS_PLATE & self._writer.saved:
            chosen = {**self._session.control.values, **self._session.decided}.get(CONTENT.name)
            is_image_set = self._session.seen.are_images(chosen)
            notes += [NO_SCENE] if is_image_set else []
            has_model = bool(self._job.model or self._job.start)
            notes += never_seen(
                self._session.confidence(), self._session.n_kept, has_model=has_model,
                is_saved="confidence" in self._writer.saved,
            )  # fmt: skip
        if self._came_to_the_end:
            notes += range_notes(self._job, self._n_shown)
        return Summary(
            self._session.row.key, self._n_written, self._width, self._height, seconds,
            self._n_read / max(self._seconds, 1e-9),
            {stage: statistics.median(spent) if spent else 0.0 for stage, spent in stages.items()},
            peak_mib(), [*self._session.warnings, *notes], files, self._taken_for,
        )  # fmt: skip
