"""The commands ``bench …``: measurements that anyone can repeat."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from app.bench_sequences import masks, plates

bench = typer.Typer(rich_markup_mode=None, help="Measure on this machine.", no_args_is_help=True)
bench.command()(masks)
bench.command()(plates)


@bench.command()
def speed(
    as_json: Annotated[bool, typer.Option("--json", help="One line of JSON on standard output.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Only up to 640×480.")] = False,
) -> None:
    """Milliseconds a frame beside OpenCV's MOG2 and KNN, 320×240 to 4K."""
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    from core.bench import speed as measure  # noqa: PLC0415

    console = Console(stderr=as_json)
    chosen = measure.cases(measure.SIZES[:2] if quick else measure.SIZES)
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("size", "", "rank", "fast ms", "MOG2 ms", "KNN ms", "MOG2/fast", "KNN/fast", "copy %", "MiB"):
        table.add_column(heading, justify="right")
    timings = []
    with console.status("Measuring…") as status:
        for timing in measure.run(chosen):
            timings.append(timing)
            status.update(f"Measuring… {len(timings)} of {len(chosen)} cases")
            table.add_row(
                f"{timing.width}×{timing.height}", "colour" if timing.colour else "grey", str(timing.rank),
                f"{timing.fast_ms:.2f}", f"{timing.mog2_ms:.2f}", f"{timing.knn_ms:.2f}",
                f"{timing.mog2_ms / timing.fast_ms:.2f}", f"{timing.knn_ms / timing.fast_ms:.2f}",
                f"{100 * timing.bandwidth_share:.0f}", f"{timing.peak_mib:.0f}",
            )  # fmt: skip
    colour = [t for t in timings if t.colour]
    by_size = [t for t in colour if t.rank == 3]
    by_rank = [t for t in colour if (t.width, t.height) == (colour[-1].width, colour[-1].height)]
    exponents = {
        "pixels": measure.fitted_exponent([t.width * t.height for t in by_size], [t.fast_ms for t in by_size]),
        "rank": measure.fitted_exponent([t.rank for t in by_rank], [t.fast_ms for t in by_rank]),
    }
    console.print(table)
    console.print(f"Time grows with pixels to the power {exponents['pixels']:.2f}, with rank {exponents['rank']:.2f}.")
    if as_json:
        print(json.dumps({"cases": [t.as_data() for t in timings], "exponents": exponents}))
