"""What the commands ``bench …`` share: where they print, how they show progress, what they can draw."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Input = Annotated[str, typer.Argument(metavar="INPUT", help="File, folder or sample:NAME.")]

BRING = "python -m pip install"
"""How a person gets what a measurement can do with and without."""


def output(as_json: bool) -> Console:
    """Return where the table goes: beside JSON, to standard error."""
    from rich.console import Console  # noqa: PLC0415

    return Console(stderr=as_json)


def print_results(shown: Table | str, figures: Mapping[str, object], *, as_json: bool) -> None:
    """Print what a person reads, and after it the figures as one line of JSON where that is wanted."""
    output(as_json).print(shown)
    if as_json:
        print(json.dumps(figures))


def check_plot(plot: Path | None) -> None:
    """Raise a `CleanplateError` where a plot that is wanted cannot be, before anything is measured for it."""
    from core.bench import plots  # noqa: PLC0415

    if plot is not None:
        plots.check_drawn(plot)


@contextlib.contextmanager
def progress(console: Console, title: str) -> Iterator[Callable[[int, int | None], None]]:
    """Show a bar in a terminal, and a line for each thing that is measured elsewhere.

    Yields
    ------
    callable
        To be called with what is done, and how much there is, where known.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    if not console.is_terminal:
        console.print(f"Measuring {title}", highlight=False, soft_wrap=True)
        yield lambda done, total: None
        return
    with Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
