"""The command line. Nothing heavy is imported before it is known what to do, and never Qt but for the window."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from app import interrupts
from app.cli import sentences, standard_output
from app.cli.batch import BatchCommand, batch
from app.cli.bench.commands import bench
from app.cli.one_input import OneInputCommand, refuse_several
from app.cli.records import given_options, with_records
from app.cli.run_options import RunOptions
from app.interrupts import INTERRUPTED, INTERRUPTED_SENTENCE
from app.system.printable import printable
from core.errors import CancelledError, CleanplateError
from core.io.input_spec import is_file, is_remote
from core.project.naming import is_project
from core.runtime.lasting import lasting

HELP = """Separate what moves from what stays, in image sets, videos and cameras.

\b
  cleanplate                          open the window
  cleanplate film.mp4                 open the window with a film
  cleanplate run film.mp4 -o out      separate it and save plate, masks, cleaned frames
  cleanplate run photos/ -o out --save plate
  cleanplate run sample:street -o out --format mkv --passes 2
  cleanplate run rtsp://192.168.0.10/stream -o out --format mkv    until Ctrl+C
  cleanplate run day.cleanplate -o out    what the window's export of this project would write
  cleanplate batch clips/*.mp4 -o out     many inputs, each in a process of its own, two at a time
  cleanplate methods                  every method and what it is for
  cleanplate methods opgd             the parameters of one
  cleanplate bench speed              how fast it is here, beside OpenCV's methods
  cleanplate bench masks --data DIR   how good the masks are on labelled sequences; likewise plates, cleaned
  cleanplate bench methods film.mp4 --methods fast,opgd,mog2   what methods cost and give on it
  cleanplate doctor                   what is missing on this machine; with a folder: tidy up after killed runs
"""

WRITING = frozenset({"run", "batch"})
"""Commands that give up what they do where nobody reads what they print, and say so: the others only print."""

UNREAD = "What read the output went away before the end."

NOT_READ_ON = 141
"""Exit status of those: of tools that the system ends then (SIGPIPE), which is no failure: head has read enough."""

AS_JSON = frozenset({"--json", "--json-progress"})
"""Options of those who read what is printed by a program."""


class Commands(typer.core.TyperGroup):
    """The commands, in none of which a person types: typer would take the end of a file for an interruption."""

    def invoke(self, ctx: Any) -> object:
        """Do what was asked for."""
        try:
            return super().invoke(ctx)
        except EOFError as error:
            raise RuntimeError("a file ended too early") from error


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    subcommand_metavar="[PATH | COMMAND ...]",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help=HELP,
)


@app.callback(invoke_without_command=True)
def _window(
    context: typer.Context,
    show_version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    if show_version:
        print(f"cleanplate {version('cleanplate')}")
    elif context.invoked_subcommand is None:
        raise typer.Exit(open_window(None))


@app.command(cls=OneInputCommand)
@with_records
def run(
    context: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="File, folder, s3://…, sample:NAME, camera:N, rtsp://…, or NAME.cleanplate.",
        ),
    ],
    options: RunOptions,
) -> None:
    """Separate INPUT and save the results in DIR."""
    with lasting():
        from app.cli.counting import note_counting  # noqa: PLC0415
        from app.cli.idle_options import note_idle  # noqa: PLC0415
        from app.cli.job import job_of  # noqa: PLC0415
        from app.cli.run import run_and_tell  # noqa: PLC0415
        from core.io.remote.staging import Staging  # noqa: PLC0415

    if is_project(source) and is_remote(source):
        raise CleanplateError(f"{source} is a project, a file and a folder beside it; copy both to this machine.")
    with Staging(source, options.output, overwrite=options.overwrite) as staging:
        staged = replace(options, output=staging.output)
        if is_project(source):
            from app.cli.project import job_of_project  # noqa: PLC0415

            job = job_of_project(Path(staging.source), staged, given_options(context))
        else:
            job = job_of(staging.source, staged)
            note_idle(job)
            note_counting(job)
        interrupts.begin_work()
        run_and_tell(job, staging, options.telling, key=options.key, join=options.join)


@app.command()
def methods(
    keys: Annotated[list[str] | None, typer.Argument(metavar="KEY…", help="Only these, with their parameters.")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="As one line of JSON: every parameter, with its range.")
    ] = False,
) -> None:
    """List the methods; with a KEY its parameters, their defaults and ranges."""
    from app.cli.methods import as_data, print_methods, print_parameters  # noqa: PLC0415
    from core import catalogue  # noqa: PLC0415

    rows = [catalogue.row(key) for key in keys] if keys else list(catalogue.METHODS.values())
    if as_json:
        print(json.dumps(as_data(rows), ensure_ascii=False))
    elif keys:
        print_parameters(rows)
    else:
        print_methods()


app.command("batch", cls=BatchCommand)(batch)
app.add_typer(bench, name="bench")


@app.command()
def doctor(
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="Tidy up here what killed runs left beside their results."),
    ] = None,
) -> None:
    """Say what is missing on this machine, and how to install it."""
    if folder is not None and not folder.is_dir():
        raise CleanplateError(f"There is no folder {folder}; name the one of a run's results.")
    from rich.console import Console  # noqa: PLC0415

    from app.system.doctor import doctor as examine  # noqa: PLC0415

    raise typer.Exit(examine(Console(), folder))


def open_window(path: str | None) -> int:
    """Open the window, with an input if given; returns the exit status."""
    from app.system.display_check import display_problem, libraries_problem  # noqa: PLC0415

    if problem := display_problem():
        raise CleanplateError(problem)
    try:
        with lasting():
            from app.window.startup import main as window  # noqa: PLC0415
    except ImportError as error:
        raise CleanplateError(libraries_problem()) from error
    return window(path)


@cache
def command_line() -> typer.core.TyperGroup:
    """Return all commands; typer makes them of their signatures, which takes longer than many a command."""
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    return group


def commands() -> set[str]:
    """Return the names of the commands."""
    return set(command_line().commands)


def invoke(arguments: Sequence[str]) -> int:
    """Do what the arguments say and return the exit status; every failure is one sentence on standard error.

    Where lines of JSON were asked for, it is such a line on standard output, too.
    """
    try:
        _check_working_folder()
        if arguments and not arguments[0].startswith("-") and arguments[0] not in commands():
            if len(arguments) > 1:
                refuse_several(arguments, "cleanplate")
                raise CleanplateError(
                    f"There is no command {arguments[0]!r}; the commands are {', '.join(sorted(commands()))}."
                )
            if is_remote(arguments[0]):
                raise CleanplateError(f"{arguments[0]} is elsewhere; cleanplate run {arguments[0]} -o DIR fetches it.")
            if is_file(arguments[0]) and not os.path.exists(arguments[0]):
                raise CleanplateError(
                    f"There is no command and no file or folder {arguments[0]!r}; see cleanplate --help."
                )
            return open_window(arguments[0])
        # Typer answers Ctrl+C with this status and without a word.
        status = command_line()(list(arguments), standalone_mode=False, prog_name="cleanplate") or 0
        return _fail(arguments, INTERRUPTED_SENTENCE, INTERRUPTED) if status == INTERRUPTED else status
    except SystemExit as error:
        if not isinstance(error.__context__, BrokenPipeError):  # So what prints, here or in a library, ends it then.
            raise
        return _fail(arguments, UNREAD) if WRITING.intersection(arguments[:1]) else NOT_READ_ON
    except sentences.LeftUndoneError as error:
        return _fail(arguments, str(error), INTERRUPTED)
    except CancelledError:
        return _fail(arguments, INTERRUPTED_SENTENCE, INTERRUPTED)
    except CleanplateError as error:
        return _fail(arguments, str(error))
    except sentences.ClickException as error:
        return _fail(arguments, sentences.usage(error))
    except KeyboardInterrupt:
        return _fail(arguments, INTERRUPTED_SENTENCE, INTERRUPTED)
    except MemoryError:
        return _fail(arguments, sentences.NO_MEMORY)
    except OSError as error:
        return _fail(arguments, sentences.refusal(error))
    except Exception as error:
        return _fail(arguments, sentences.unexpected(error))


def main() -> None:
    """Run the program; `app.__main__` is the entry of the console script."""
    from app.system.stderr import silence_libraries  # noqa: PLC0415

    silence_libraries()
    standard_output.write_every_sign()
    try:
        status = invoke(sys.argv[1:])
    except KeyboardInterrupt:  # A second one, while the first was told of.
        status = INTERRUPTED
    interrupts.end_work()
    try:
        standard_output.flush()
    except OSError as error:
        unread = isinstance(error, BrokenPipeError) and not WRITING.intersection(sys.argv[1:2])
        status = status or (NOT_READ_ON if unread else _fail((), sentences.refusal(error)))
    if any(thread.daemon for thread in threading.enumerate()):
        # What waits for a drive or a driver has been left behind; Python would end it in the midst of a decoder's code.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)
    sys.exit(status)


def _check_working_folder() -> None:
    """Refuse to begin in a folder that has been removed: libraries ask for it, and know no answer."""
    try:
        os.getcwd()
    except OSError as error:
        raise CleanplateError("The folder that this was started in is gone; change to another one (cd).") from error


def _fail(arguments: Sequence[str], sentence: str, status: int = 2) -> int:
    print(f"cleanplate: {printable(sentence)}", file=sys.stderr)
    if not AS_JSON.isdisjoint(arguments):
        with contextlib.suppress(OSError):
            print(json.dumps({"failed": printable(sentence)}, ensure_ascii=False))
    return status
