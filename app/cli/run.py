"""A job of the command ``run``: its progress and its figures."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import msgspec
from rich.console import Console

from app.cli.progress import duration, shown
from app.cli.run_options import Telling
from app.cli.stop import Stop, stop_on_signals
from app.cli.told_lines import ToldLines, telling_of_no_room
from app.count_words import counted
from app.event_words import totals_words
from app.rate_words import rate_told
from app.system.printable import printable
from core.errors import CancelledError, FullError
from core.export.job import run_job
from core.export.job_spec import Job
from core.export.pieces.join import join_pieces
from core.export.summary import Summary
from core.io.remote.staging import Staging
from core.methods.content import IMAGES, SCENE

TAKEN_FOR = {
    SCENE: ("Taken for one scene, as its frames are alike; if it is an image set, say so: --set content=images.",),
    IMAGES: ("Taken for an image set, as its frames differ; if it is one scene, say so: --set content=scene.",),
}
"""What is said of an input whose frames decided what it was taken for."""


def run_and_tell(job: Job, staging: Staging, telling: Telling, *, key: str = "", join: Path | None = None) -> None:
    """Run a job with its progress on standard error and its figures on standard output.

    Parameters
    ----------
    job : Job
        Its input and its results lie where ``staging`` says.
    staging : Staging
    telling : Telling
        With ``lines`` progress and figures are lines of JSON on standard output instead.
    key : str
        See `core.io.remote.manifest.Manifest`.
    join : Path, optional
        Put together what the pieces of the job wrote there, instead of running it.
    """
    lines = telling.lines
    console, told = Console(stderr=True), ToldLines() if lines else None
    with (
        stop_on_signals(job.input.is_live) as stop,
        telling_of_no_room(lines),
        shown(console, telling.quiet or lines) as show,
    ):
        check, tell = partial(_check_wanted, stop, told), told.progress if told else show
        staging.begin(check)
        if join is None:
            summary = run_job(job, tell, stop.cancelled, stop.enough, stop.hold)
        else:
            summary = join_pieces(job, join, tell, stop.cancelled, stop.hold)
        if staging.uploads:
            stop.hold(False)
        files = [_name(file, job.output) for file in summary.files]
        notes = [printable(note) for note in (*summary.warnings, *TAKEN_FOR.get(summary.taken_for, ()))]
        told_figures = {**figures(summary), "files": files, "notes": notes}
        staging.end(told_figures, key, check)
    if stop.came_too_late:
        print("Note: The results were complete already when the run was interrupted.", file=sys.stderr)
    for note in notes:
        print(f"Note: {note}", file=sys.stderr)
    if told:
        told.done(told_figures)
    elif telling.as_json:
        print(json.dumps(figures(summary)))
    elif not telling.quiet:
        results = printable(staging.said(", ".join(str(path) for path in summary.files)))
        print(
            f"{counted(summary.frames)} of {summary.width}×{summary.height} "
            f"in {duration(summary.seconds)} ({rate_told(summary.fps, many='processed a second')}): {results}"
        )
        if summary.events is not None:
            print(totals_words(summary.events))
    if summary.cut_short:
        raise FullError(summary.cut_short)


def _check_wanted(stop: Stop, told: ToldLines | None) -> None:
    """Raise an error where nobody wants the run to go on while it fetches or uploads."""
    if told:
        told.still_here()
    if stop.cancelled():
        raise CancelledError("Nothing was written.")


def _name(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()


def figures(summary: Summary) -> dict[str, object]:
    """Return what ``--json`` prints."""
    events = {} if summary.events is None else msgspec.to_builtins(summary.events)
    scenes = {"scenes": list(summary.scenes)} if len(summary.scenes) > 1 else {}
    return {
        "method": summary.method,
        "frames": summary.frames,
        "width": summary.width,
        "height": summary.height,
        "seconds": round(summary.seconds, 3),
        "fps": round(summary.fps, 2),
        "stages_ms": {stage: round(spent, 3) for stage, spent in summary.stages_ms.items()},
        "peak_mib": round(summary.peak_mib, 1),
        **scenes,
        **events,
    }
