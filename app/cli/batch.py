"""The command ``batch``: many runs, each in a process of its own, so many at a time."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app import interrupts
from app.cli import options
from app.cli.one_input import telling_of_dashes
from app.cli.records import gathered
from app.cli.run_options import RunOptions
from core.errors import CleanplateError
from core.project.naming import is_project

if TYPE_CHECKING:
    from core.batch.job_list import JobList
    from core.export.job_spec import Job

NOT_OF_BATCH = frozenset({
    "--output", "-o", "--input", "--json", "--quiet", "--json-progress", "--key", "--join", "--follow",
    "--follow-until",
})  # fmt: skip
"""Options of ``run`` that are the batch's own, or make no sense for many inputs."""

PASSED = "options of run"


class BatchCommand(typer.core.TyperCommand):
    """A command that takes the options of ``run`` beside its own, and passes them on as they are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take out what ``run`` is to have; the rest is parsed as usual."""
        takes_word = {
            name: not parameter.is_flag
            for parameter in _run_command(ctx).params
            if parameter.param_type_name == "option"
            for name in parameter.opts
            if name not in NOT_OF_BATCH
        }
        own, passed, words = [], [], iter(args)
        for word in words:
            name, equals, _ = word.partition("=")
            if name not in takes_word:
                own.append(word)
                continue
            passed.append(word)
            if takes_word[name] and not equals:
                passed += [value for value in [next(words, None)] if value is not None]
        ctx.meta[PASSED] = passed
        with telling_of_dashes(args):
            return super().parse_args(ctx, own)


def _run_command(context: Any) -> Any:
    return context.parent.command.get_command(context.parent, "run")


def batch(
    context: typer.Context,
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUTS…",
            help="Files, folders, patterns, s3://…, sample:NAME, projects, a list of them (.txt, or - for standard "
            "input), a queue (.jobs).",
        ),
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Folder, or s3://…, for the results, in a folder for each input."
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="The workers of this dask scheduler run the jobs, wherever they are."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=256,
            metavar="N",
            help="Jobs at a time; else 2, as memory allows, or what a scheduler has room for.",
        ),
    ] = None,
    retry: Annotated[int, typer.Option(min=0, max=100, metavar="N", help="Run again what fails, N times.")] = 0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Only what is missing: inputs and settings that are done are left out.")
    ] = False,
    pieces: Annotated[
        float | None,
        typer.Option(metavar="MINUTES", help="Cut long films into pieces of this length, and join their results."),
    ] = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run many INPUTS, each in a process of its own, with the options of `cleanplate run`.

    Results of each input are in DIR/NAME, its log is in DIR/logs, and DIR/batch.jobs tells what is done; where DIR is
    an address, logs and list stay on this machine. Exit status 2 if any input failed.
    """
    from app.cli.batch_run import run_jobs, tell, workforce  # noqa: PLC0415 - the engine comes with it
    from app.cli.stop import stop_on_signals  # noqa: PLC0415
    from core.batch.naming import is_job_file  # noqa: PLC0415

    passed = context.meta[PASSED]
    if any(map(is_job_file, inputs)):
        if len(inputs) > 1 or output is not None or passed or pieces is not None:
            raise CleanplateError(f"A queue ({inputs[0]}) knows its inputs, folders and options; give it alone.")
        begin: Callable[[], tuple[JobList, int]] = partial(_queued, Path(inputs[0]))
    else:
        begin = _asked(context, inputs, output, passed, pieces, resume=resume)
    interrupts.begin_work()
    with ExitStack() as held:
        # Before there is a list: one that is interrupted is complete, and let go of.
        with stop_on_signals(live=False) as stop:
            jobs, n_done = begin()
            held.callback(jobs.close)
            force = held.enter_context(workforce(scheduler, workers))
            ran = run_jobs(jobs, force, stop, retries=retry, quiet=quiet)
        status = tell(jobs, ran, force, n_done, as_json=as_json, quiet=quiet)
    raise typer.Exit(status)


def _queued(path: Path) -> tuple[JobList, int]:
    """Return the jobs of a queue, and how many are done."""
    from core.batch.job_list import JobList  # noqa: PLC0415
    from core.batch.pieces import tidy  # noqa: PLC0415
    from core.batch.plan import again  # noqa: PLC0415

    if not os.path.isfile(path):
        raise CleanplateError(f"There is no queue {path}; check the path.")
    with ExitStack() as held:
        jobs = JobList(path)
        held.callback(jobs.close)
        tidy(jobs)
        n_done = again(jobs)
        held.pop_all()
    return jobs, n_done


def _asked(
    context: Any, inputs: Sequence[str], output: str | None, passed: list[str], minutes: float | None, *, resume: bool
) -> Callable[[], tuple[JobList, int]]:
    """Return what makes the list of jobs for inputs, and tells how many are done; wrong options are told of here."""
    from app.cli.counting import note_counting  # noqa: PLC0415 - the engine comes with it
    from app.cli.idle_options import note_idle  # noqa: PLC0415
    from core.batch import pieces  # noqa: PLC0415
    from core.batch.inputs import found_inputs  # noqa: PLC0415
    from core.batch.plan import batch_list  # noqa: PLC0415
    from core.io.input_spec import is_remote  # noqa: PLC0415

    if output is None:
        raise CleanplateError("Missing option '--output' / '-o'; see cleanplate batch --help.")
    folder, address = _results(output)
    found = found_inputs(inputs, None if sys.stdin is None else sys.stdin.buffer)
    plain = next((source for source in found if not is_project(source)), None)
    job = None if plain is None else _job(context, plain, folder / f"checked-{time.time_ns()}", passed)
    if job is not None:
        note_idle(job, in_pieces=minutes is not None)
        note_counting(job)
        job.check()
    if minutes is None:
        return partial(batch_list, folder, found, passed, resume=resume, address=address)
    pieces.check_length(minutes)
    if project := next(filter(is_project, found), None):
        raise CleanplateError(f"{project} is a project, which has no pieces; leave it or --pieces out.")
    if away := next(filter(is_remote, [*found, output]), None):
        raise CleanplateError(f"{away} is elsewhere, and pieces are joined in a folder of this machine; copy it first.")
    if job is not None:
        pieces.check_in_pieces(job)

    def begin() -> tuple[JobList, int]:
        jobs, n_done = batch_list(folder, found, passed, resume=resume, manner=f"--pieces={minutes!r}")
        with ExitStack() as held:
            held.callback(jobs.close)
            pieces.in_pieces(jobs, minutes, passed, lambda listed: _job(context, listed.input, listed.folder, passed))
            held.pop_all()
        return jobs, n_done

    return begin


def _job(context: Any, source: str, output: Path, passed: Sequence[str]) -> Job:
    """Return what ``run`` would do with an input."""
    from app.cli.job import job_of  # noqa: PLC0415 - the engine comes with it

    words = ["./" + source if source.startswith("-") else source, "-o", str(output), *passed]
    params = _run_command(context).make_context("run", words, parent=context.parent).params
    return job_of(source, gathered(RunOptions, params))


def _results(output: str) -> tuple[Path, str | None]:
    """Return the folder for the list of jobs and their results; of results at an address, that too."""
    from core.io.input_spec import is_remote  # noqa: PLC0415
    from core.io.remote.address import check_address  # noqa: PLC0415

    if not is_remote(output):
        return Path(os.path.abspath(options.folder(output))), None
    import platformdirs  # noqa: PLC0415

    check_address(output)
    address = output.rstrip("/")
    name = hashlib.sha256(address.encode()).hexdigest()[:16]
    return Path(platformdirs.user_state_dir("cleanplate", appauthor=False), "batches", name), address
