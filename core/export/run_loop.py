"""The frames of a run on their way into files, and what it comes to in the end."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.errors import CleanplateError, FullError
from core.export.cover_notes import CoverNotes
from core.export.frame_writer import KEPT_TIMES
from core.export.full_disk import NOTHING_FITS
from core.export.job_spec import Job
from core.export.live_notes import LeftOut
from core.export.pictures import PICTURES
from core.export.plate_notes import SHOWS_PLATE
from core.export.progress import Progress, ProgressMeter, Writing
from core.export.range_notes import range_notes
from core.export.run_plates import RunPlates
from core.export.summary import Summary
from core.export.writer import ResultWriter
from core.io.hours import hours_words
from core.methods.content import CONTENT
from core.runtime import stopping
from core.runtime.memory import peak_mib
from core.session.content import is_film
from core.session.report import Report
from core.session.scene_plate import ScenePlate
from core.session.session import Session


class RunLoop:
    """Iterates a session, and keeps the figures of the run.

    Parameters
    ----------
    session : Session
    writer : ResultWriter
        Takes the reports of the last pass.
    job : Job
        Says which of them.
    progress, enough : callable, optional
        As `core.export.job.run_job` calls them.
    """

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
        self._ends_written = writer.saved <= PICTURES.keys()  # What is saved once a run is of all frames.
        last = None if self._last is None else self._last - self._n_skipped
        self._meter = ProgressMeter(Writing((self._first or 1) - self._n_skipped, last, self._ends_written))
        self._stages: dict[str, deque[float]] = {}
        self._n_written = self._n_read = self._n_seen = self._n_before = 0
        self._n_shown = self._place = 0  # The number of the last frame that was applied, and its place in what is read.
        self._reached = 0  # The largest number of all passes.
        self._left_out = LeftOut()
        self._is_cut = False
        self._plates, self._cover = RunPlates(session, writer, job), CoverNotes()
        self._seconds = self._recorded_s = 0.0
        self._began_s: float | None = None

    def run(self) -> None:
        """Iterate to the end of the input, or as long as is asked for.

        Raises
        ------
        CleanplateError
            There is no frame to write, or the last pass was given fewer than one before it.
        """
        started = time.perf_counter()
        info = self._session.source.info
        if info.is_counted:
            self._refuse_beyond(info.n_frames or 0)
        with contextlib.closing(self._session.run(self._n_skipped)) as reports:
            for report in reports:
                stopping.check()
                self._take(report)
                if self._progress:
                    self._progress(self._with_left_out(self._meter.measure(report)))
                if self._enough and self._enough():
                    self._session.control.stop()
        self._seconds = time.perf_counter() - started
        self._refuse_if_lost()
        if not self._n_written and self._writer.is_full:
            raise FullError(NOTHING_FITS)
        if not self._n_written:
            self._refuse_beyond(self._n_shown)
        if self._n_read and not self._n_written:
            raise CleanplateError("The run was ended before anything was applied; let it go on, or keep fewer frames.")
        if not self._n_written:
            raise CleanplateError(f"{self._session.source.info.title} holds no frames to read; choose another input.")

    def last_plate(self) -> ScenePlate | None:
        """Return the plate that is still to be written at the end, where one is wanted."""
        return self._plates.last()

    def ends_waiting(self) -> bool:
        """End the input, where it is to end while a frame is waited for; never a reason to stop by itself."""
        if self._enough and self._enough():
            self._session.control.stop()
        return False

    def tell_work(self, work: str) -> None:
        """Tell of long work between two frames as it begins; the next frame tells that it is done."""
        if self._progress and work:
            self._progress(self._with_left_out(self._meter.at_work(work)))

    def _with_left_out(self, step: Progress) -> Progress:
        return replace(step, n_missed=self._left_out.n)

    def _take(self, report: Report) -> None:
        was_read, number = report.pass_index > 0 or report.iteration is not None, self._number_of(report)
        if was_read and self._n_before and not self._session.source.info.live:
            self._refuse_beyond(self._reached)
        if report.pass_index == report.n_passes - 1:
            self._n_seen, self._n_shown, self._place = report.n_done, number, report.frame.index + 1
            if (self._first or 1) <= number <= (self._last or number):
                self._write(report if number == report.n_done else replace(report, n_done=number))
            if number == self._last and self._ends_written:
                self._session.control.stop()
                self._is_cut = report.pass_index > 0
        elif report.iteration is None:
            self._n_before = max(self._n_before, report.n_done)
        if report.iteration is None:
            self._n_read, self._reached = self._n_read + 1, max(self._reached, number)
            if report.pass_index == 0:
                self._left_out.add(report.frame.n_missed, report.frame.time_s)
            for stage, spent in report.stages_ms.items():
                self._stages.setdefault(stage, deque(maxlen=KEPT_TIMES)).append(spent)

    def _number_of(self, report: Report) -> int:
        """Return the number of a frame, from 1, by which it is written or not.

        Frames are counted as they come. A piece of a long run does not know how many are damaged before those that it
        reads: it counts these, too, and so begins where the one before has ended.
        """
        return report.n_done if self._job.run_in is None else report.frame.index + 1

    def _write(self, report: Report) -> None:
        self._writer.write(report)
        if self._writer.is_full:
            self._session.control.stop()
            return
        self._n_written += 1
        if not report.is_image_set:
            self._cover.add(self._session.source.info.number_of(report.frame.index), report.mask)
        self._began_s = report.frame.time_s if self._began_s is None else self._began_s
        self._recorded_s = report.frame.time_s - self._began_s

    def _refuse_beyond(self, n_frames: int) -> None:
        """Raise an error where the first frame to write is none of so many; other errors say that there is none."""
        if 0 < n_frames < (self._first or 1):
            raise CleanplateError(
                f"{self._session.source.info.title} has {n_frames} frames to read and no frame {self._first}; "
                f"write frames from an earlier one on."
            )

    def _refuse_if_lost(self) -> None:
        """Raise an error where frames that were there are not any more: sources may miss what was changed or went."""
        info = self._session.source.info
        # A live input is read once: a set is learnt from first, and what is left is shown.
        if self._n_seen < self._n_before and not self._session.control.is_stopped and not info.live:
            raise CleanplateError(
                f"{info.title} gave {self._n_before} frames and then {self._n_seen}: it was changed or went away while "
                f"it was read, and nothing was written; run again when it is whole."
            )

    @property
    def _came_to_the_end(self) -> bool:
        """Whether frames ended because there are no more of them to read."""
        job, info = self._job, self._session.source.info
        n_there = (info.n_frames or 0) if info.is_counted else self._n_shown  # The last of them may be damaged.
        is_piece = job.run_in is not None and n_there == job.written[1]
        return not self._session.control.is_stopped and job.spread is None and not is_piece

    @property
    def _cut_short(self) -> str:
        if not self._writer.is_full:
            return ""
        return (
            f"The disk is full: recorded until {hours_words(self._recorded_s)}; free some space or choose another "
            "folder before you go on."
        )

    @property
    def _taken_for(self) -> str:
        info = self._session.source.info
        is_known = is_film(info) or info.n_frames == 1  # A single picture was not compared with any.
        return "" if is_known else str(self._session.decided.get(CONTENT.name, ""))

    def summary(self, seconds: float, files: list[Path]) -> Summary:
        """Return what the run did in so many seconds, and what a person should know of its results.

        Parameters
        ----------
        seconds : float
        files : list of Path
            The results.
        """
        stages = {**self._stages, "write": self._writer.write_ms}
        notes = self._writer.notes
        # A single picture hides nothing for a while; what a last pass cut short has not seen, the one before has.
        if self._n_seen > 1 and not self._is_cut and SHOWS_PLATE & self._writer.saved:
            notes += self._plates.notes()
        notes += self._cover.notes()
        notes += self._left_out.notes()
        if self._came_to_the_end:
            notes += range_notes(self._job, self._session.source.info, self._place, self._n_shown)
        full = self._session.source.info.full
        return Summary(
            self._session.row.key, self._n_written, full.width, full.height, seconds,
            self._n_read / max(self._seconds, 1e-9),
            {stage: statistics.median(spent) if spent else 0.0 for stage, spent in stages.items()},
            peak_mib(), [*self._session.warnings, *notes], files, self._taken_for,
            self._writer.events, tuple(self._writer.scenes), self._cut_short,
        )  # fmt: skip
