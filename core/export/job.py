"""One whole run from input to files: the command line and the window's export both do exactly this."""

from __future__ import annotations

import time
from collections.abc import Callable

from core.errors import CleanplateError
from core.export.job_spec import Job
from core.export.plate_notes import NEEDS_PLATE
from core.export.product_sinks import check_sizes
from core.export.progress import Progress
from core.export.run_loop import RunLoop
from core.export.summary import Summary
from core.export.writer import ResultWriter
from core.io.publishing.refusals import writing
from core.io.publishing.run_folder import recover
from core.io.sources import Source, open_source
from core.io.sources.ranged import Ranged
from core.io.sources.spread import Spread
from core.runtime import announcing, stopping
from core.session.model import Model
from core.session.session import Session


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
    cancelled = cancelled or stopping.never
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
        with stopping.stops_when(cancelled):  # The first frames are read here, to tell what the input is.
            session = Session(source, job.settings, model, goes_on=job.start is not None, keeps_plate=keeps_plate)
        writer = ResultWriter(job, source.info, hold_signals)
        try:
            loop = RunLoop(session, writer, job, progress, enough)
            with stopping.stops_when(cancelled), announcing.announced_to(loop.tell_work):
                with stopping.stops_when(loop.ends_waiting):
                    loop.run()
                files = writer.finish(session, loop.last_plate(), stopping.check)
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
