"""The command ``bench methods``: what methods cost and give on one input."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.bench.shared import Input, check_plot, output, progress
from app.cli.options import Corrupt, Json, ViewOptions, listed
from app.cli.records import with_records
from app.command_words import parse_settings

if TYPE_CHECKING:
    from rich.table import Table

    from core.bench.methods import MethodResult

TRUTH = {
    "psnr_db": ("PSNR\ndB", "{:.2f}"),
    "relative_error": ("error\n%", "{:.2%}"),
    "precision": ("prec-\nision", "{:.3f}"),
    "recall": ("recall", "{:.3f}"),
    "f_measure": ("F", "{:.3f}"),
    "age": ("AGE", "{:.2f}"),
}
"""Figures that need the truth: heading and form; each has a column where it is known."""

CAPTION = {
    "relative_error": "error: ‖X̂ − X‖ / ‖X‖ of the backgrounds against the clean images.",
    "age": "AGE: mean error of the plate, grey levels.",
}


@with_records
def methods(
    source: Input,
    *,
    keys: Annotated[
        list[str] | None,
        typer.Option(
            "--methods",
            metavar="KEY,…",
            help="Which, in this order; may be given again; see cleanplate methods. Else fast,opgd,median,mog2,knn.",
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="[KEY.]NAME=VALUE", help="For all that have it, or for one; may be given again."),
    ] = None,
    passes: Annotated[int, typer.Option(min=1, help="Read N times; the last time is scored.")] = 1,
    view: ViewOptions,
    corrupt: Corrupt = None,
    as_json: Json = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw backgrounds, masks and residuals too: .png, .svg or .pdf."),
    ] = None,
) -> None:
    """Run methods on one input: time, memory, and quality where the truth is known."""
    from rich.console import Console  # noqa: PLC0415

    from core.bench import methods as bench  # noqa: PLC0415
    from core.bench import plots  # noqa: PLC0415
    from core.io.sources import open_source  # noqa: PLC0415

    check_plot(plot)
    wanted = listed(keys or ["fast,opgd,median,mog2,knn"])
    chosen = bench.settings_for(wanted, parse_settings(values or []), passes, view.seed)
    spec = view.input(source, corrupt=corrupt)
    open_input = partial(open_source, spec)
    told = Console(stderr=True)
    results, truth = [], bench.TruePlate()
    for settings in chosen:
        with progress(told, settings.method) as tell:
            results.append(bench.measure(open_input, settings, truth, tell))
    output(as_json).print(table(results))
    if plot:
        plots.methods(plot, Path(source).name, results)
    if as_json:
        found = [{**r.as_data(), "set": s.values} for r, s in zip(results, chosen, strict=True)]
        print(json.dumps({"input": source, "passes": passes, "seed": view.seed, "methods": found}))


def table(results: Sequence[MethodResult]) -> Table:
    """Return one row a method, with a column for each figure that is known."""
    from rich.table import Table  # noqa: PLC0415

    known = [key for key in TRUTH if any(key in result.figures for result in results)]
    caption = " ".join(CAPTION[key] for key in known if key in CAPTION)
    found = Table(box=None, padding=(0, 1, 0, 0), caption=caption or None)
    found.add_column("method", no_wrap=True)
    for heading in ("step\nms", "mask\nms", "total\ns", "MiB", *(TRUTH[key][0] for key in known)):
        found.add_column(heading, justify="right", no_wrap=True)
    for result in results:
        figures = [TRUTH[k][1].format(result.figures[k]).rstrip("%") if k in result.figures else "" for k in known]
        found.add_row(
            result.key, f"{result.step_ms:.2f}", f"{result.mask_ms:.2f}", f"{result.seconds:.2f}", f"{result.mib:.0f}",
            *figures,
        )  # fmt: skip
    return found
