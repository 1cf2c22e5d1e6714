"""The command ``bench pieces``: a long film in pieces beside the same in one run."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from app.cli.bench.sequences import Data
from app.cli.bench.shared import output, print_results, progress
from app.cli.options import Json, listed


def pieces(
    data: Data,
    as_json: Json = False,
    minutes: Annotated[float, typer.Option(min=0.05, metavar="N", help="Length of the film.")] = 60.0,
    piece: Annotated[float, typer.Option(min=0.05, metavar="N", help="Length of a piece, minutes.")] = 5.0,
    workers: Annotated[
        list[str] | None,
        typer.Option(metavar="N,…", help="Numbers of workers to try; may be given again. Else 1,2,4."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,…", help="Sequences that films are made of; may be given again. Else highway."),
    ] = None,
    passes: Annotated[int | None, typer.Option(min=1, help="How often it is read; else 2.")] = None,
    folder: Annotated[
        Path | None, typer.Option(metavar="DIR", help="For films and results; else a temporary one.")
    ] = None,
) -> None:
    """F-measure and plate of a long film in pieces beside one run, and whether any number of workers gives the same."""
    from core.bench import pieces as bench  # noqa: PLC0415
    from core.bench.sequences import find_sequences  # noqa: PLC0415

    counts = _counts(",".join(workers or ["1,2,4"]))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    console, told = output(True), []
    for sequence in find_sequences(data, listed(only or ["highway"])):
        with tempfile.TemporaryDirectory(prefix="cleanplate-pieces-", dir=folder) as work:
            place = Path(work)
            with progress(console, f"{sequence.name}: film of {minutes:g} minutes") as tell:
                film = bench.write_film(sequence, place / f"{sequence.name}.mp4", minutes, tell)
            read = ["--save", "plate,mask", "--format", "mkv", *([] if passes is None else ["--passes", str(passes)])]
            with progress(console, f"{sequence.name}: in one run"):
                whole_s = _run(["run", str(film), "-o", str(place / "whole"), *read, "--quiet"])
            whole, prints, seconds = bench.measure(sequence, place / "whole"), [], []
            for count in counts:
                with progress(console, f"{sequence.name}: pieces of {piece:g} minutes, workers: {count}"):
                    out = place / f"by-{count}"
                    words = ["--pieces", repr(piece), "--workers", str(count), *read, "--quiet"]
                    seconds.append(round(_run(["batch", str(film), "-o", str(out), *words]), 1))
                prints.append(bench.fingerprint(out / sequence.name))
            in_pieces = bench.measure(sequence, out / sequence.name)
        told.append({
            "sequence": sequence.name, "minutes": minutes, "piece": piece, "whole": whole.as_data(),
            "pieces": in_pieces.as_data(), "f_lost": round(whole.f - in_pieces.f, 4),
            "age_more": round(in_pieces.age - whole.age, 3), "same_bytes": len(set(prints)) == 1,
            "whole_s": round(whole_s, 1), "pieces_s": dict(zip(map(str, counts), seconds, strict=True)),
        })  # fmt: skip
    _print(told, as_json=as_json)


def _print(told: Sequence[dict[str, object]], *, as_json: bool) -> None:
    from rich.table import Table  # noqa: PLC0415

    from core.bench.pieces import MOST_AGE, MOST_F  # noqa: PLC0415

    table = Table(
        box=None,
        padding=(0, 2, 0, 0),
        caption=f"Asked: F lost {MOST_F} at most, AGE {MOST_AGE} more at most, same bytes.",
    )
    for heading in ("film", "", "F", "AGE", "seconds"):
        table.add_column(heading, justify="left" if heading in {"film", ""} else "right")
    for one in told:
        whole, parts = (one[name] for name in ("whole", "pieces"))
        assert isinstance(whole, dict)
        assert isinstance(parts, dict)
        times = one["pieces_s"]
        assert isinstance(times, dict)
        by = ", ".join(f"{count}: {seconds:.0f}" for count, seconds in times.items())
        table.add_row(
            str(one["sequence"]), "one run", f"{whole['f']:.4f}", f"{whole['age']:.3f}", f"{one['whole_s']:.0f}"
        )
        table.add_row("", f"pieces of {one['piece']:g} min", f"{parts['f']:.4f}", f"{parts['age']:.3f}", by)
        same = "same bytes" if one["same_bytes"] else "other bytes"
        table.add_row(
            "", f"lost, more ({same})", f"{one['f_lost']:.4f}", f"{one['age_more']:.3f}", "", end_section=True
        )
    print_results(table, {"films": told}, as_json=as_json)


def _counts(text: str) -> list[int]:
    from core.errors import CleanplateError  # noqa: PLC0415

    try:
        counts = [int(word) for word in text.split(",")]
    except ValueError:
        counts = []
    if not counts or min(counts) < 1:
        raise CleanplateError(f"--workers {text} cannot be read; write it as numbers from 1 on, such as 1,2,4.")
    return counts


def _run(words: Sequence[str]) -> float:
    """Run a command of this program and return how long it took, seconds."""
    from app.own_command import own_command, own_environment  # noqa: PLC0415
    from core.errors import CleanplateError  # noqa: PLC0415

    started = time.perf_counter()
    ended = subprocess.run(
        [*own_command(), *words], env={**os.environ, **own_environment()}, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        said = ended.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise CleanplateError(f"cleanplate {words[0]} failed: {said[0]}")
    return time.perf_counter() - started
