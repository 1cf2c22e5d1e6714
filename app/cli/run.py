"""The command ``run``: from options to a job, its progress and its figures."""

from __future__ import annotations

import contextlib
import json
import math
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from rich.console import Console

from app.cli import options
from app.cli.counting import note_counting
from app.cli.idle_options import note_idle
from app.cli.progress import duration, shown
from app.cli.told_lines import ToldLines, telling_of_no_room
from app.command_words import input_spec, parse_frames, parse_settings
from app.interrupts import ENDING
from app.rate_words import rate_told
from app.system.printable import printable
from core import catalogue
from core.errors import CancelledError, CleanplateError
from core.events.rules import Rules
from core.export.job import run_job
from core.export.job_spec import Job, chosen_passes
from core.export.pieces.join import join_pieces
from core.export.preset import find_preset
from core.export.summary import Summary
from core.io.input_spec import ALL_FRAMES, FrameRange, InputSpec
from core.io.remote.staging import Staging
from core.methods.content import IMAGES, SCENE
from core.parameter import Value
from core.session.areas_file import read_areas
from core.session.model import Model
from core.session.settings import Settings

TAKEN_FOR = {
    SCENE: ("Taken for one scene, as its frames are alike; if it is an image set, say so: --set content=images.",),
    IMAGES: ("Taken for an image set, as its frames differ; if it is one scene, say so: --set content=scene.",),
}
"""What is said of an input whose frames decided what it was taken for."""


def job_said(source: str, said: Mapping[str, Any]) -> Job:
    """Return the job of ``run`` on an input that is no project.

    Parameters
    ----------
    source : str
    said : mapping
        The options of ``run``, by the names of their parameters.

    Raises
    ------
    CleanplateError
        An option cannot be so.
    """
    if said["output"] is None:
        raise CleanplateError("Missing option '--output' / '-o'; see cleanplate run --help.")
    if said["moved_to"] is not None:
        raise CleanplateError(f"--input says where the input of a project is; {source} is no project: leave it out.")
    folder, products = options.folder(said["output"]), options.products(said["save"])
    chosen = parse_settings(said["values"] or [])
    view = {name: said[name] for name in ("seed", "grey", "size", "roi", "frames", "corrupt")}
    view["follow_min"] = math.inf if said["follow"] and said["follow_until"] is None else said["follow_until"]
    plain = {name: said[name] for name in ("method", "preset", "passes", "form", "quality", "speed", "fps", "names")}
    return job_of(
        input_spec(source, **view), folder, products, values=chosen, **plain, overwrite=said["overwrite"],
        model=None if said["model"] is None else Path(said["model"]),
        rules=options.rules(said),
        written=ALL_FRAMES if said["write"] is None else parse_frames(said["write"], "--write"),
        areas=None if said["areas"] is None else Path(said["areas"]),
        start=None if said["start"] is None else Path(said["start"]), run_in=said["run_in"], spread=said["spread"],
    )  # fmt: skip


def job_of(
    spec: InputSpec,
    output: Path,
    save: tuple[str, ...],
    *,
    method: str | None,
    values: Mapping[str, Value],
    preset: str | None,
    model: Path | None,
    passes: int | None,
    form: str,
    quality: str,
    speed: str,
    fps: float | None,
    names: str,
    overwrite: bool,
    rules: Rules,
    written: FrameRange,
    areas: Path | None,
    start: Path | None,
    run_in: int | None,
    spread: int | None,
) -> Job:
    """Return the job that the options describe: defaults, then the preset or model, then what was set by name.

    Where ``passes`` is None, it is read as often as the preset says, and as such an input usually is where that says
    nothing.
    """
    settings = Settings(seed=spec.seed)
    if preset:
        found = find_preset(preset)
        settings = found.settings(spec.seed)
        passes = found.passes if passes is None else passes
    if (learnt := model or start) is not None:
        of_model = Model.load(learnt).method
        if method not in (None, of_model):
            raise CleanplateError(f"{learnt.name} was learnt by {of_model}, which goes on; leave out --method.")
        if "rank" in values:
            print(f"Note: rank has no effect: {learnt.name} has the basis images that it has.", file=sys.stderr)
        method = of_model
    if method is not None:
        settings = replace(settings, method=method)
    passes = chosen_passes(passes, settings.passes, spec, model=model is not None)
    settings = replace(settings, passes=passes)
    chosen = {**settings.values, **values}
    row = catalogue.row(settings.method)
    parameters = catalogue.parameters(row)
    if preset and any(name not in parameters for name in settings.values):
        raise CleanplateError(
            f"The preset {preset} sets what {settings.method} does not have; leave out --method or --preset."
        )
    checked = catalogue.complete(row, chosen)
    settings = replace(settings, values={name: checked[name] for name in chosen})
    for name in values:
        if not parameters[name].acts(checked):
            print(f"Note: {name} has no effect unless {parameters[name].condition()}.", file=sys.stderr)
    if areas is not None:
        settings = replace(settings, areas=read_areas(areas))
    job = Job(
        spec, output, save, settings, format=form, quality=quality, speed=speed, fps=fps, model=model,
        overwrite=overwrite, rules=rules, written=written, names=names, start=start, run_in=run_in, spread=spread,
    )  # fmt: skip
    note_idle(job)
    note_counting(job)
    return job


def run_and_tell(
    job: Job,
    staging: Staging,
    *,
    key: str = "",
    as_json: bool,
    quiet: bool,
    lines: bool = False,
    join: Path | None = None,
) -> None:
    """Run a job with its progress on standard error and its figures on standard output.

    Parameters
    ----------
    job : Job
        Its input and its results lie where ``staging`` says.
    staging : Staging
    key : str
        See `core.io.remote.manifest.Manifest`.
    as_json, quiet : bool
    lines : bool
        Instead progress and figures are lines of JSON on standard output.
    join : Path, optional
        Put together what the pieces of the job wrote there, instead of running it.
    """
    console, told = Console(stderr=True), ToldLines() if lines else None
    with interrupts(job.input.is_live) as stop, telling_of_no_room(lines), shown(console, quiet or lines) as show:
        check, tell = partial(_check_wanted, stop, told), told.progress if told else show
        staging.begin(check)
        if join is None:
            summary = run_job(job, tell, stop.cancelled, stop.enough, stop.hold)
        else:
            summary = join_pieces(job, join, tell, stop.cancelled, stop.hold)
        if staging.uploads:
            stop.hold(False)
        files = [_name(file, job.output) for file in summary.files]
        notes = [*summary.warnings, *TAKEN_FOR.get(summary.taken_for, ())]
        told_figures = {**figures(summary), "files": files, "notes": notes}
        staging.end(told_figures, key, check)
    if stop.came_too_late:
        print("Note: The results were complete already when the run was interrupted.", file=sys.stderr)
    for note in notes:
        print(f"Note: {printable(note)}", file=sys.stderr)
    if told:
        told.done(told_figures)
    elif as_json:
        print(json.dumps(figures(summary)))
    elif not quiet:
        results = printable(staging.said(", ".join(str(path) for path in summary.files)))
        print(
            f"{summary.frames} frame{'' if summary.frames == 1 else 's'} of {summary.width}×{summary.height} "
            f"in {duration(summary.seconds)} ({rate_told(summary.fps, many='processed a second')}): {results}"
        )


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
    return {
        "method": summary.method,
        "frames": summary.frames,
        "width": summary.width,
        "height": summary.height,
        "seconds": round(summary.seconds, 3),
        "fps": round(summary.fps, 2),
        "stages_ms": {stage: round(spent, 3) for stage, spent in summary.stages_ms.items()},
        "peak_mib": round(summary.peak_mib, 1),
    }


class Stop:
    """What Ctrl+C asks for: the first ends a camera's input and completes the results, otherwise it gives up.

    Attributes
    ----------
    came_too_late : bool
        It was asked for while results got their names, or after that.
    """

    def __init__(self, live: bool) -> None:
        self._live = live
        self._count = 0
        self._held = False
        self.came_too_late = False

    def cancelled(self) -> bool:
        """Tell whether to give up."""
        return self._count > (1 if self._live else 0)

    def enough(self) -> bool:
        """Tell whether to complete what there is."""
        return self._live and self._count == 1

    def hold(self, on: bool) -> None:
        """Interrupt nothing from now on, or again; once results have their names this stays on."""
        self._held = on

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Count; what does not answer at the next frame is interrupted by the next signal."""
        self.came_too_late = self._held
        self._count += 1
        if not self._held and self._count > (2 if self._live else 1):
            raise KeyboardInterrupt


@contextlib.contextmanager
def interrupts(live: bool) -> Iterator[Stop]:
    """Take over Ctrl+C, a request to terminate and a hang-up while a run goes on.

    After a run that is complete they are ignored to the end of the process, whose status is to tell the truth.
    """
    stop = Stop(live)
    hang_up = getattr(signal, "SIGHUP", None)
    # A hang-up that is ignored stays so: nohup asks for that.
    caught = [number for number in ENDING if number != hang_up or signal.getsignal(number) != signal.SIG_IGN]
    before = [signal.signal(number, stop.on_signal) for number in caught]
    try:
        yield stop
    except BaseException:
        for number, handler in zip(caught, before, strict=True):
            signal.signal(number, handler)
        raise
    for number in caught:
        signal.signal(number, signal.SIG_IGN)
