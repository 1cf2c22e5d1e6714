"""The commands ``bench …``: measurements that anyone can repeat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app import interrupts
from app.cli.bench.activity import activity
from app.cli.bench.faces import faces
from app.cli.bench.methods import methods
from app.cli.bench.pieces import pieces
from app.cli.bench.sequences import cleaned, events, masks, plates, short, strokes
from app.cli.bench.shared import BRING, check_plot, output

if TYPE_CHECKING:
    from core.bench.speed import Timing

bench = typer.Typer(rich_markup_mode=None, help="Measure on this machine.")


@bench.callback(invoke_without_command=True)
def _list(context: typer.Context) -> None:
    interrupts.begin_work()
    if context.invoked_subcommand is None:
        print(context.get_help())


bench.command()(masks)
bench.command()(plates)
bench.command()(cleaned)
bench.command()(short)
bench.command()(strokes)
bench.command()(events)
bench.command()(pieces)
bench.command()(activity)
bench.command()(faces)
bench.command()(methods)

Json = Annotated[bool, typer.Option("--json", help="One line of JSON on standard output.")]
Plot = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it too: .png, .svg or .pdf.")]


@bench.command()
def speed(
    as_json: Json = False,
    quick: Annotated[bool, typer.Option("--quick", help="Only up to 640×480.")] = False,
    plot: Plot = None,
) -> None:
    """Milliseconds a frame beside OpenCV's MOG2 and KNN, 320×240 to 4K."""
    from app.cli.bench import tables  # noqa: PLC0415
    from core.bench import plots  # noqa: PLC0415
    from core.bench import speed as measure  # noqa: PLC0415

    check_plot(plot)
    console = output(as_json)
    chosen = measure.cases(measure.SIZES[:2] if quick else measure.SIZES)
    timings = []
    with console.status("Measuring…") as status:
        for timing in measure.run(chosen):
            timings.append(timing)
            status.update(f"Measuring… {len(timings)} of {len(chosen)} cases")
    exponents = _exponents(timings)
    console.print(tables.speed(timings))
    console.print(f"Time grows with pixels to the power {exponents['pixels']:.2f}, with rank {exponents['rank']:.2f}.")
    if plot:
        plots.speed(plot, timings)
    if as_json:
        print(json.dumps({"cases": [t.as_data() for t in timings], "exponents": exponents}))


@bench.command()
def convergence(
    as_json: Json = False,
    plot: Plot = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder with faces/cbcl.mat; else drawn faces serve.")
    ] = None,
) -> None:
    """Objective against time: this program's methods beside scikit-learn's and hyperspy's."""
    from app.cli.bench import tables  # noqa: PLC0415
    from core.bench import convergence as measure  # noqa: PLC0415
    from core.bench import faces as samples  # noqa: PLC0415
    from core.bench import plots  # noqa: PLC0415
    from core.bench.competitors import CONTENDERS  # noqa: PLC0415

    check_plot(plot)
    console = output(as_json)
    problem = samples.faces(data)
    present = [c for c in CONTENDERS if c.present]
    absent = {c.package for c in CONTENDERS} - {c.package for c in present}
    if absent:
        packages = " ".join(sorted("scikit-learn" if name == "sklearn" else name for name in absent))
        console.print(f"Left out, as not installed: {packages}; {BRING} {packages} brings them.", soft_wrap=True)
    traces = []
    with console.status("Measuring…") as status:
        for contender, trace in zip(present, measure.run(problem, present), strict=True):
            traces.append(trace)
            status.update(f"Measuring… {contender.name} is done, {len(traces)} of {len(present)}")
    n, size = problem.V.shape
    console.print(f"{problem.title}: {n} of {size} pixels, rank {problem.W.shape[0]}, λ {problem.lam:.4f}.")
    console.print(tables.convergence(traces))
    race = measure.race(traces)
    if race:
        console.print(tables.race(race), soft_wrap=True)
    if plot:
        plots.convergence(plot, problem.title, traces)
    if as_json:
        settings = {"data": problem.title, "samples": n, "values": size, "rank": len(problem.W), "lam": problem.lam}
        print(json.dumps({
            **settings, "methods": [t.as_data() for t in traces], "race": race.as_data() if race else None,
        }))  # fmt: skip


def _exponents(timings: list[Timing]) -> dict[str, float]:
    """Return the powers of pixels and of rank with which the time of the fast method grows, in colour."""
    from core.bench.speed import fitted_exponent  # noqa: PLC0415

    colour = [t for t in timings if t.colour]
    by_size = [t for t in colour if t.rank == 3]
    by_rank = [t for t in colour if (t.width, t.height) == (colour[-1].width, colour[-1].height)]
    return {
        "pixels": fitted_exponent([t.width * t.height for t in by_size], [t.fast_ms for t in by_size]),
        "rank": fitted_exponent([t.rank for t in by_rank], [t.fast_ms for t in by_rank]),
    }
