"""Tables of what was measured, narrow enough for 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.console import Console
from rich.table import Table
from rich.text import Text

from core.bench.convergence import Race, Trace
from core.bench.experiments.base import Result
from core.bench.speed import Timing

FROM_MEMORY = 1280 * 720
"""Pixels from which on a dictionary is read from memory: below the cache holds it."""


def speed(timings: Sequence[Timing]) -> Table:
    """Return one row a case."""
    headings = ("size", "", "rank", "fast\nms", "MOG2\nms", "KNN\nms", "MOG2\n/fast", "KNN\n/fast", "copy\n%", "MiB")
    table = _table(headings)
    for t in timings:
        table.add_row(
            f"{t.width}×{t.height}", "colour" if t.colour else "grey", str(t.rank),
            f"{t.fast_ms:.2f}", f"{t.mog2_ms:.2f}", f"{t.knn_ms:.2f}",
            f"{t.mog2_ms / t.fast_ms:.2f}", f"{t.knn_ms / t.fast_ms:.2f}",
            f"{100 * t.bandwidth_share:.0f}" if t.width * t.height >= FROM_MEMORY else "", f"{t.peak_mib:.0f}",
        )  # fmt: skip
    return table


def convergence(traces: Sequence[Trace]) -> Table:
    """Return one row a method: the objective after about a tenth of the samples, and at the end, with the seconds."""
    table = _table(("method", "loss", "after", "s", "objective", "after", "s", "objective"), n_left=2)
    for trace in traces:
        early = next(i for i, n in enumerate(trace.samples) if 10 * n >= trace.samples[-1])
        cells = [
            cell for i in (early, -1)
            for cell in (str(trace.samples[i]), f"{trace.seconds[i]:.3g}", f"{trace.objectives[i]:.4f}")
        ]  # fmt: skip
        table.add_row(trace.name, trace.loss, *cells)
    return table


def race(found: Race) -> str:
    """Return the sentence for OPGD against hyperspy's RobustPGD."""
    what = f"OPGD to hyperspy RobustPGD's final objective, {found.objective:.4f}"
    if found.seconds is None:
        return f"{what}: not reached."
    return f"{what}: {found.seconds:.3g} s instead of {found.rival_seconds:.3g} s, {found.ratio:.0f}× as fast."


def print_result(console: Console, result: Result, seconds: float) -> None:
    """Print what an experiment showed: tables, then each claim and whether it holds."""
    say = partial(console.print, highlight=False, markup=False)
    say(f"{result.title} ({result.paper}; {seconds:.0f} s)")
    say(f"{result.data} {result.setting}")
    for figures in result.tables:
        table = _table(figures.headings, n_left=1)
        for row in figures.rows:
            table.add_row(*map(Text, row))
        say(f"\n{figures.title}")
        console.print(table)
    if result.claims:
        say("\nWhat the paper claims:")
    for claim in result.claims:
        say(f"  {claim.verdict}: {claim.text} Here: {claim.ours}.")
    for note in result.notes:
        say(f"\n{note}")


def _table(headings: tuple[str, ...], n_left: int = 0) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0))
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="left" if i < n_left else "right", no_wrap=True)
    return table
