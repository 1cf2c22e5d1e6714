"""The command ``bench faces``: the papers' experiments, ours beside their figures."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.options import Json, Seed
from app.system.bundle import is_bundle
from core.errors import CleanplateError

if TYPE_CHECKING:
    from rich.console import Console

    from core.bench.experiments.base import Progress, Result
    from core.bench.experiments.registry import Experiment
    from core.bench.experiments.side_by_side import Measured

NAMES = (
    "outlier-density, denoising, shadows, separation, divergences, laplace, salt-pepper, occlusion, line, detection, "
    "patches, topics"
)  # fmt: skip
"""As `core.bench.experiments.registry` has them, which would bring numpy along at every start."""

ALL = "all"

LINE_S = 15.0
"""Time between two lines of progress where there is no terminal, seconds."""


def faces(
    name: Annotated[str, typer.Option("--experiment", metavar="NAME", help=f"One of {NAMES}; or all.")],
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder with faces/ and sequences/; else drawn faces serve.")
    ] = None,
    as_json: Json = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw it: .png, .svg or .pdf; a contact sheet: .png.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write tables and what holds into a page, a section each.")
    ] = None,
    seed: Seed = 0,
    quick: Annotated[bool, typer.Option("--quick", help="A first look in seconds, on few samples.")] = False,
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, help="Experiments, or parts of them, at a time, a core each.")
    ] = 1,
) -> None:
    """Run the papers' experiments: our figures beside theirs, and which of their claims hold."""
    if is_bundle():
        raise CleanplateError(
            "The papers' experiments need all of SciPy, which is not here; install Cleanplate's wheel."
        )
    from rich.console import Console  # noqa: PLC0415

    from app.cli.bench import tables  # noqa: PLC0415
    from core.bench.experiments.page import check_page, section, update_page  # noqa: PLC0415

    chosen = _chosen(name, data, plot)
    check_page(markdown)
    out, told = Console(stderr=as_json), Console(stderr=True)
    results: dict[str, Result] = {}
    missing: dict[str, str] = {}
    seconds: dict[str, float] = {}
    for measured in _measured(chosen, data, seed, quick, jobs, told):
        key, outcome = measured.name, measured.outcome
        if isinstance(outcome, CleanplateError):
            if name != ALL:
                raise outcome
            missing[key] = str(outcome)
            told.print(f"{key}: {outcome}", highlight=False, soft_wrap=True)
            continue
        results[key], seconds[key] = outcome, measured.seconds
        tables.print_result(out, outcome, measured.seconds)
        if plot is not None:
            _draw(plot, outcome, told)
        if markdown is not None:  # At once: what was measured is kept where a later one is interrupted.
            update_page(markdown, {key: section(key, outcome, measured.seconds, quick=quick)})
    if as_json:
        found = [
            {"experiment": e.name, "seed": seed, "quick": quick, "seconds": round(seconds[e.name], 2),
             **results[e.name].as_data()}
            for e in chosen if e.name in results
        ]  # fmt: skip
        print(json.dumps({"experiments": found, "missing": missing} if name == ALL else found[0]))


def _chosen(name: str, data: Path | None, plot: Path | None) -> list[Experiment]:
    """Return the experiments of a name; raises a `CleanplateError` where data or plot are of no use to them."""
    from core.bench.experiments.registry import EXPERIMENTS, experiment  # noqa: PLC0415

    chosen = list(EXPERIMENTS.values()) if name == ALL else [experiment(name)]
    if data is not None and not data.is_dir():
        raise CleanplateError(f"There is no folder {data}; --data names the folder that holds faces/ and sequences/.")
    if plot is not None and name == ALL:
        raise CleanplateError("All experiments do not fit in one plot; name one of them with --experiment.")
    if plot is not None:
        _check_drawn(plot, chosen[0])
    return chosen


def _measured(
    chosen: list[Experiment], data: Path | None, seed: int, quick: bool, jobs: int, console: Console
) -> Iterator[Measured]:
    """Give what became of each experiment, as they end."""
    from core.bench.experiments.side_by_side import measure, measure_side_by_side  # noqa: PLC0415

    if jobs > 1 and (len(chosen) > 1 or chosen[0].divided):
        console.print(f"Measuring {', '.join(one.name for one in chosen)}", highlight=False, soft_wrap=True)
        yield from measure_side_by_side([one.name for one in chosen], data, seed, quick, jobs)
        return
    for one in chosen:
        with _progress(console, one.name) as tell:
            found = measure(one.name, data, seed, quick, tell)
        yield found


def _check_drawn(plot: Path, one: Experiment) -> None:
    """Raise a `CleanplateError` where what an experiment gives cannot be drawn to a file."""
    from core.bench import plots  # noqa: PLC0415

    if not one.sheet:
        plots.check_drawn(plot)
        return
    plots.check(plot)
    if plot.suffix.lower() != ".png":
        raise CleanplateError(f"The contact sheet cannot be saved as {plot.name!r}; end its name in .png.")


def _draw(path: Path, result: Result, console: Console) -> None:
    from core.bench import plots  # noqa: PLC0415
    from core.bench.contact_sheet import write_picture  # noqa: PLC0415

    if result.sheet is not None:
        write_picture(result.sheet, path)
    elif result.charts:
        plots.charts(path, result.charts)
    else:
        console.print("No plot: this experiment gives tables only.")


@contextlib.contextmanager
def _progress(console: Console, title: str) -> Iterator[Callable[[Progress], None]]:
    """Show a bar with the time left in a terminal, and a line now and then elsewhere."""
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    if console.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        with Bar(*columns, console=console, transient=True) as bar:
            task = bar.add_task(title, total=None)
            yield lambda step: bar.update(
                task, description=f"{title}: {step.what}", completed=step.done, total=step.total
            )
        return
    console.print(f"Measuring {title}", highlight=False, soft_wrap=True)
    last = time.monotonic()

    def line(step: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_S:
            last = time.monotonic()
            console.print(f"{title}: {step.done} of {step.total}, {step.what}", highlight=False, soft_wrap=True)

    yield line
