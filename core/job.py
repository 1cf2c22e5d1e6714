"""One whole run from input to files: the command line and the window's export both do exactly this."""

from __future__ import annotations

import os
import re
import statistics
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from core import catalogue
from core.corruption import Corruption
from core.errors import CancelledError, CleanplateError
from core.export import KEPT_TIMES, Export
from core.frame import Layout
from core.memory import peak_mib
from core.model import Model
from core.products import FORMATS, PRODUCTS, PlannedFile, place, plan
from core.report import Report
from core.session import Session, Settings
from core.sources import open_source
from core.sources.base import Source

NUMBERED = re.compile(r"\d+\.(png|tif)")
"""Names of the files in a folder that a sequence may replace."""

SPEED_FRAMES = 60
"""Frames over which the shown speed is taken."""


@dataclass(frozen=True)
class Job:
    """What to read, what to do with it, and what to write where.

    Attributes
    ----------
    input : str
        A file, a folder, ``sample:NAME`` or ``camera:N``.
    output : Path
        Folder for the results.
    save : tuple of str
        Keys of `core.products.PRODUCTS`.
    settings : Settings
    grey : bool
        Read in grey.
    size : (width, height), optional
        Working size, pixels. Results have the original size all the same.
    roi : (x, y, width, height), optional
        Region of interest, pixels of the original; results show this region.
    frames : (first, last)
        Frames to read, counted from 1, both included; None: from the start, to the end.
    corruption : Corruption, optional
        Put on the frames before anything else, for demonstrations on clean images.
    format : str
        Key of `core.products.FORMATS`.
    model : Path, optional
        Apply this model and learn nothing.
    overwrite : bool
        Replace results that are there already, once the new ones are complete.
    """

    input: str
    output: Path
    save: tuple[str, ...] = ("plate", "mask", "cleaned")
    settings: Settings = field(default_factory=Settings)
    grey: bool = False
    size: tuple[int, int] | None = None
    roi: tuple[int, int, int, int] | None = None
    frames: tuple[int | None, int | None] = (None, None)
    corruption: Corruption | None = None
    format: str = "png"
    model: Path | None = None
    overwrite: bool = False

    def check(self) -> None:
        """Raise a `CleanplateError` where it is clear before anything is read that the run must fail."""
        if self.format not in FORMATS:
            raise CleanplateError(f"There is no format {self.format!r}; choose one of {', '.join(FORMATS)}.")
        if not self.save:
            raise CleanplateError(f"Nothing would be saved; choose from {', '.join(PRODUCTS)}.")
        for product in self.save:
            if product not in PRODUCTS:
                raise CleanplateError(f"There is no result {product!r}; choose from {', '.join(PRODUCTS)}.")
        if self.settings.passes < 1:
            raise CleanplateError(f"The number of passes cannot be {self.settings.passes}; it is at least 1.")
        catalogue.complete(catalogue.row(self.settings.method), self.settings.values)
        first, last = self.frames
        if (first is not None and first < 1) or (last is not None and last < (first or 1)):
            raise CleanplateError(
                f"Frames {first or ''}:{last or ''} cannot be read; frames count from 1, and FIRST is at most LAST."
            )
        self._check_output()

    def _check_output(self) -> None:
        source = Path(self.input)
        present = []
        for product in self.save:
            final = place(product, self.output, self.format)
            if source.exists() and final.exists() and _inside(source, final):
                raise CleanplateError(
                    f"{final} holds the input, so it cannot be replaced; choose another output folder."
                )
            if final.exists() or final.is_symlink():
                present.append(final)
        if present and not self.overwrite:
            names = ", ".join(str(path) for path in present)
            raise CleanplateError(f"{names} exists already; choose another folder or allow overwriting (--overwrite).")
        for final in present:
            if final.is_dir() and (foreign := _foreign(final)):
                raise CleanplateError(
                    f"{final} holds other things too ({foreign}), so it is not replaced; choose another folder."
                )
        step = self.output
        while not step.exists() and step != step.parent:
            step = step.parent
        if not step.is_dir():
            raise CleanplateError(f"{step} is a file, so results cannot be written below it; choose a folder.")
        if not os.access(step, os.W_OK | os.X_OK):
            raise CleanplateError(f"{step} cannot be written to; choose another folder or change its permissions.")


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    Attributes
    ----------
    pass_number, n_passes : int
        Which pass, from 1, of how many.
    frame : int
        Frames done in this pass.
    total : int or None
        Frames in a pass, where known.
    fps : float
        Frames a second, lately.
    seconds_left : float or None
        Of all passes together, where known.
    """

    pass_number: int
    n_passes: int
    frame: int
    total: int | None
    fps: float
    seconds_left: float | None


@dataclass(frozen=True)
class Summary:
    """What a run did.

    Attributes
    ----------
    method : str
    frames : int
        Frames of the last pass: pictures in each result.
    width, height : int
        Of the results, pixels.
    seconds : float
        From opening the input to the last rename.
    fps : float
        Frames a second while frames were processed, over all passes.
    stages_ms : dict
        Medians over the last 2000 frames of ``decode`` (waiting for the decoder, which runs ahead), ``step``,
        ``mask`` and ``write`` (work of the writing threads, which run beside).
    peak_mib : float
        Largest resident memory of the process so far.
    warnings : list of str
    files : list of Path
        The results.
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


def run_job(
    job: Job,
    progress: Callable[[Progress], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    enough: Callable[[], bool] | None = None,
) -> Summary:
    """Run a job to its end.

    Parameters
    ----------
    job : Job
    progress : callable, optional
        Called after every frame.
    cancelled : callable, optional
        Asked between frames; True gives up and leaves nothing behind.
    enough : callable, optional
        Asked between frames; True ends the input here and completes the results (for cameras).

    Raises
    ------
    CleanplateError
        Anything that the person can mend; nothing half-written is left, nothing that was there is lost.
    CancelledError
        ``cancelled`` returned True.
    """
    job.check()
    started = time.perf_counter()
    model = Model.load(job.model) if job.model else None
    source = open_job_source(job)
    try:
        session = Session(source, job.settings, model)
        export = Export(job.output, job.save, job.format, source.info.fps, overwrite=job.overwrite)
        try:
            loop = _Loop(session, export, progress, cancelled, enough)
            loop.run()
            files = export.finish(session)
        except BaseException:
            export.abort()
            raise
        return loop.summary(time.perf_counter() - started, files)
    finally:
        source.close()


def open_job_source(job: Job) -> Source:
    """Open the input of a job as it asks for it."""
    return open_source(
        job.input, grey=job.grey, size=job.size, roi=job.roi, frames=job.frames, corruption=job.corruption,
        seed=job.settings.seed,
    )  # fmt: skip


def estimate(job: Job, layout: Layout, n_frames: int | None) -> list[PlannedFile]:
    """Return the files that a job will write, and about how large they will be.

    Parameters
    ----------
    job : Job
    layout : Layout
        Of the frames at their original size (``report.frame.full.layout``).
    n_frames : int or None
        Frames that will be written, where known.
    """
    rank = catalogue.complete(catalogue.row(job.settings.method), job.settings.values).get("rank")
    return plan(job.save, job.output, job.format, layout, n_frames, rank=int(rank) if rank is not None else 3)


class _Loop:
    """Iterates the session, and keeps the figures of the run."""

    def __init__(
        self,
        session: Session,
        export: Export,
        progress: Callable[[Progress], None] | None,
        cancelled: Callable[[], bool] | None,
        enough: Callable[[], bool] | None,
    ) -> None:
        self._session, self._export = session, export
        self._progress, self._cancelled, self._enough = progress, cancelled, enough
        self._stages: dict[str, deque[float]] = {}
        self._ticks: deque[float] = deque(maxlen=SPEED_FRAMES)
        self._n_written = self._n_read = 0
        self._width = self._height = 0
        self._seconds = 0.0

    def run(self) -> None:
        started = time.perf_counter()
        reports = cast(Generator[Report, None, None], self._session.run())
        try:
            for report in reports:
                if self._cancelled and self._cancelled():
                    raise CancelledError("Cancelled; nothing was written.")
                if report.pass_index == report.n_passes - 1:
                    self._export.take(report)
                    self._n_written = report.n_done
                    layout = report.frame.full.layout
                    self._width, self._height = layout.width, layout.height
                self._n_read += 1
                for stage, spent in report.stages_ms.items():
                    self._stages.setdefault(stage, deque(maxlen=KEPT_TIMES)).append(spent)
                self._tell(report.pass_index, report.n_passes, report.n_done, report.n_frames)
                if self._enough and self._enough():
                    self._session.stop()
        finally:
            reports.close()
        self._seconds = time.perf_counter() - started
        if not self._n_written:
            raise CleanplateError(f"{self._session.source.info.title} holds no frames to read; choose another input.")

    def summary(self, seconds: float, files: list[Path]) -> Summary:
        stages = {**self._stages, "write": self._export.write_ms}
        odd = any(f.suffix == ".mp4" for f in files) and (self._width % 2 or self._height % 2)
        notes = ["H.264 needs even sizes: the last row or column is repeated in the .mp4 files."] if odd else []
        return Summary(
            self._session.row.key, self._n_written, self._width, self._height, seconds,
            self._n_read / max(self._seconds, 1e-9),
            {stage: statistics.median(spent) if spent else 0.0 for stage, spent in stages.items()},
            peak_mib(), [*self._session.source.warnings, *notes], files,
        )  # fmt: skip

    def _tell(self, pass_index: int, n_passes: int, n_done: int, total: int | None) -> None:
        if self._progress is None:
            return
        self._ticks.append(time.perf_counter())
        elapsed = self._ticks[-1] - self._ticks[0]
        fps = (len(self._ticks) - 1) / elapsed if elapsed > 0 else 0.0
        left = None
        if total is not None and fps > 0:
            left = (total - n_done + (n_passes - 1 - pass_index) * total) / fps
        self._progress(Progress(pass_index + 1, n_passes, n_done, total, fps, left))


def _inside(path: Path, folder: Path) -> bool:
    path, folder = path.resolve(), folder.resolve()
    return path == folder or folder in path.parents


def _foreign(folder: Path) -> str | None:
    """Return the name of something in a folder that no sequence has, if there is any."""
    with os.scandir(folder) as entries:
        return next((e.name for e in entries if not NUMBERED.fullmatch(e.name)), None)


__all__ = ["CancelledError", "Job", "Progress", "Summary", "estimate", "open_job_source", "run_job"]
