"""The commands ``bench masks``, ``short``, ``strokes``, ``plates``, ``cleaned``, ``events``: labelled sequences."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from app.cli.bench.shared import output, print_results, progress
from app.cli.options import Json, listed

if TYPE_CHECKING:
    from rich.table import Table


Result = TypeVar("Result")

Data = Annotated[
    Path, typer.Option("--data", metavar="DIR", help="Folder of sequences: input/, groundtruth/, scored.txt in each.")
]
Passes = Annotated[int, typer.Option(min=1, help="How often the sequence is read.")]
Only = Annotated[list[str] | None, typer.Option(metavar="NAME,…", help="Only these sequences; may be given again.")]


def masks(
    data: Data,
    as_json: Json = False,
    sheet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save input, truth, ours and MOG2 as one PNG.")
    ] = None,
    passes: Passes = 1,
    only: Only = None,
) -> None:
    """F-measure on labelled sequences beside OpenCV's MOG2 and KNN, which read them once: default settings."""
    from core.bench import masks as bench  # noqa: PLC0415
    from core.bench import scores as scoring  # noqa: PLC0415
    from core.bench.contact_sheet import write_sheet  # noqa: PLC0415
    from core.errors import CleanplateError  # noqa: PLC0415

    if sheet is not None and (sheet.suffix.lower() != ".png" or not sheet.absolute().parent.is_dir()):
        raise CleanplateError(f"The sheet cannot be saved as {sheet}; name a PNG file in a folder that exists.")
    results, left_out = _measured(data, only, partial(bench.measure, passes=passes))
    table = _table("F", "precision", "recall", "ms a frame", names=("sequence", "method"), gap=3)
    for name, scores in [*((r.name, r.scores) for r in results), ("mean", scoring.means(results))]:
        for key, title in bench.METHODS.items():
            score = scores[key]
            table.add_row(
                name if key == "ours" else "", title, f"{score.f:.3f}", f"{score.precision:.3f}",
                f"{score.recall:.3f}", f"{score.ms:.2f}", end_section=key == "knn_median",
            )  # fmt: skip
    output(as_json).print(table)
    if sheet is not None:
        write_sheet(results, sheet)
    if as_json:
        print(json.dumps({"passes": passes, **scoring.as_data(results), "left_out": left_out}))


def plates(
    data: Data,
    as_json: Json = False,
    passes: Passes = 2,
    only: Only = None,
) -> None:
    """Error of the plates on labelled sequences beside the temporal median, MOG2 and KNN: default settings."""
    from core.bench import plates as bench  # noqa: PLC0415
    from core.bench import scores as scoring  # noqa: PLC0415

    results, left_out = _measured(data, only, partial(bench.measure, passes=passes))
    headings = [heading for title in bench.METHODS.values() for heading in (f"{title}\nAGE", "\npEPs")]
    table = _table(*headings, caption="AGE: mean error, grey levels. pEPs: % of pixels off by > 20.")
    for name, scores in [*((r.name, r.scores) for r in results), ("mean", scoring.means(results))]:
        figures = [text for s in scores.values() for text in (f"{s.age:.2f}", f"{s.peps:.2f}")]
        table.add_row(name, *figures)
    print_results(table, {"passes": passes, **scoring.as_data(results), "left_out": left_out}, as_json=as_json)


def cleaned(
    data: Data,
    as_json: Json = False,
    passes: Passes = 2,
    only: Only = None,
) -> None:
    """Measure what is left of what passes in cleaned frames, on labelled sequences: default settings."""
    from core.bench import cleaned as bench  # noqa: PLC0415
    from core.bench import scores as scoring  # noqa: PLC0415

    results, left_out = _measured(data, only, partial(bench.measure, passes=passes))
    caption = "left: % of the pixels of what passes, 2 px wider, off the true plate by > 20. AGE: mean error there."
    table = _table("left", "AGE", "frames", caption=caption)
    for result in results:
        table.add_row(result.name, f"{result.score.left:.2f}", f"{result.score.age:.2f}", str(result.n_scored))
    mean = scoring.mean([result.score for result in results])
    table.add_row("mean", f"{mean.left:.2f}", f"{mean.age:.2f}", "")
    print_results(table, {"passes": passes, **bench.as_data(results), "left_out": left_out}, as_json=as_json)


def short(
    data: Data,
    as_json: Json = False,
    length: Annotated[int, typer.Option(min=5, help="Frames of a clip.")] = 40,
    only: Only = None,
) -> None:
    """F-measure on short clips cut from labelled sequences, two passes, beside the best fixed threshold."""
    from core.bench import short as bench  # noqa: PLC0415

    results, left_out = _measured(data, only, partial(bench.measure, length=length))
    caption = "fixed: the best of many thresholds, chosen by the labels it is scored on."
    table = _table("clips", "ours F", "fixed F", "threshold", caption=caption)
    for result in results:
        table.add_row(
            result.name, str(len(result.clips)), f"{result.ours:.3f}", f"{result.fixed:.3f}", str(result.threshold)
        )
    figures = {"sequences": {result.name: result.as_data() for result in results}, "left_out": left_out}
    print_results(table, {"length": length, **figures}, as_json=as_json)


def strokes(data: Data, as_json: Json = False, only: Only = None) -> None:
    """Measure what one painted stroke does for all later masks: over the largest mistake of each first half."""
    from core.bench import strokes as bench  # noqa: PLC0415

    results, left_out = _measured(data, only, bench.measure)
    caption = "F of the frames after the one that was painted on; one pass, default settings."
    table = _table("frame", "painted", "pixels", "F before", "F after", caption=caption)
    for one in results:
        table.add_row(
            one.name, str(one.mistake.number), one.mistake.painted, str(one.mistake.n_pixels), f"{one.before:.3f}",
            f"{one.after:.3f}",
        )  # fmt: skip
    figures = {"sequences": {result.name: result.as_data() for result in results}, "left_out": left_out}
    print_results(table, figures, as_json=as_json)


def events(data: Data, as_json: Json = False, only: Only = None) -> None:
    """Measure how well events follow what is labelled: boxes in each frame, and passages that keep one event."""
    from core.bench import events as bench  # noqa: PLC0415

    results, left_out = _measured(data, only, bench.measure)
    caption = "F: boxes like labelled regions, IoU ≥ 0.5. broken: passages that several events followed."
    table = _table("F", "precision", "recall", "passages", "broken", "missed", "events", caption=caption)
    for one in results:
        table.add_row(
            one.name, f"{one.f:.3f}", f"{one.precision:.3f}", f"{one.recall:.3f}", str(one.passages), str(one.broken),
            str(one.missed), str(one.events),
        )  # fmt: skip
    figures = {"sequences": {one.name: one.as_data() for one in results}, "left_out": left_out}
    print_results(table, figures, as_json=as_json)


def _table(*headings: str, names: tuple[str, ...] = ("sequence",), caption: str | None = None, gap: int = 2) -> Table:
    """Return a table without rows: columns of names, then those of numbers, ``gap`` spaces apart."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, padding=(0, gap, 0, 0), caption=caption)
    for name in names:
        table.add_column(name)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _measured(
    data: Path, only: list[str] | None, measure: Callable[..., Result]
) -> tuple[list[Result], dict[str, str]]:
    """Return what ``measure`` gives of each sequence, with progress on standard error.

    Those that leave nothing to score are left out with a note each; where none is left, the first note is the error.

    Returns
    -------
    list of results, and why others were left out, a sentence by name
    """
    from rich.console import Console  # noqa: PLC0415

    from core.bench.sequences import NothingToScoreError, find_sequences  # noqa: PLC0415

    console, found = Console(stderr=True), find_sequences(data, listed(only or ()))
    results: list[Result] = []
    left_out: dict[str, str] = {}
    for place, sequence in enumerate(found, 1):
        with progress(console, f"{sequence.name} ({place} of {len(found)})") as tell:
            try:
                results.append(measure(sequence, tell=tell))
            except NothingToScoreError as error:
                left_out[sequence.name] = str(error)
    reasons = list(left_out.values())
    if not results:
        raise NothingToScoreError(reasons[0])
    for reason in reasons:
        print(f"Note: {reason} It is left out.", file=sys.stderr)
    return results, left_out
