"""The options of ``run``."""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.options import Corrupt, Quiet, ViewOptions, listed
from app.command_words import event_rules

if TYPE_CHECKING:
    from core.events.rules import Rules

EVENT_OPTIONS = {
    "area": "--event-area", "lines": "--event-line", "shortest": "--event-length", "smallest": "--event-size",
}  # fmt: skip
"""Options that make up the rules of events, by attribute of these."""


@dataclass(frozen=True)
class EventOptions:
    """What counts as an event."""

    event_area: Annotated[
        str | None,
        typer.Option(metavar="X,Y,X,Y,X,Y…", help="Events only within this polygon, pixels of the results."),
    ] = None
    event_line: Annotated[
        list[str] | None,
        typer.Option(metavar="X,Y,X,Y", help="Count how often events cross this line, each way; may be given again."),
    ] = None
    event_length: Annotated[int | None, typer.Option(metavar="N", help="Shortest event, frames; else 5.")] = None
    event_size: Annotated[int, typer.Option(metavar="N", help="Smallest event, pixels.")] = 0

    def rules(self) -> Rules:
        """Return what they say."""
        return event_rules(self.event_area, self.event_line or (), self.event_length, self.event_size)

    def changes(self, given: Container[str]) -> dict[str, object]:
        """Return what those of them say that were given, by attribute of the rules."""
        rules = self.rules()
        return {name: getattr(rules, name) for name, option in EVENT_OPTIONS.items() if option in given}


@dataclass(frozen=True)
class Telling:
    """What a run tells while it goes on and at its end."""

    as_json: Annotated[bool, typer.Option("--json", help="End with one line of figures on standard output.")] = False
    quiet: Quiet = False
    lines: Annotated[
        bool, typer.Option("--json-progress", help="Progress and figures as lines of JSON on standard output.")
    ] = False


@dataclass(frozen=True)
class RunOptions:
    """What may be said to ``run`` beside its input, in the order of its help.

    Words are as they were typed: `app.cli.job` and `app.cli.project` read them. None is what was not said.
    """

    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Folder for the results, or s3://…; a project may name its own."
        ),
    ] = None
    save: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY,…",
            help="Any of plate, confidence, background, foreground, mask, matte, cleaned, events, boxes, basis, model, "
            "coefficients, curves, times; may be given again. Else plate,mask,cleaned.",
        ),
    ] = None

    method: Annotated[str | None, typer.Option(metavar="KEY", help="See cleanplate methods.")] = None
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter; may be given again.")
    ] = None
    preset: Annotated[str | None, typer.Option(metavar="FILE", help="Start from a preset.")] = None
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", path_type=Path, help="Apply a saved model, learn nothing.")
    ] = None
    passes: Annotated[
        int | None, typer.Option(help="Read N times; the last writes. Else 2; 1 of cameras. Once is faster.")
    ] = None

    view: ViewOptions = field(default_factory=ViewOptions)
    follow: Annotated[
        bool, typer.Option("--follow", help="Wait for files that are added to the folder INPUT, until Ctrl+C.")
    ] = False
    follow_until: Annotated[
        float | None, typer.Option("--follow-until", metavar="N", help="The same, until none came for N minutes.")
    ] = None
    areas: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            path_type=Path,
            help="JSON, or a picture as large as INPUT: white is never foreground, grey is kept.",
        ),
    ] = None
    write: Annotated[
        str | None,
        typer.Option(
            metavar="FIRST:LAST",
            help="Write only these of the frames that are read, the first of which is 1; all are learnt from.",
        ),
    ] = None

    # A piece of a long run; `cleanplate batch --pieces` does all of it.
    start: Annotated[
        Path | None, typer.Option("--start", metavar="FILE", path_type=Path, help="Go on learning from a saved model.")
    ] = None
    run_in: Annotated[
        int | None,
        typer.Option("--run-in", min=0, metavar="N", help="With --write: read only N frames before these, none after."),
    ] = None
    spread: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Read only N frames, from places all over INPUT.")
    ] = None
    join: Annotated[
        Path | None,
        typer.Option(
            "--join", metavar="FOLDER", path_type=Path, help="Put together what pieces wrote in FOLDER/0001 and so on."
        ),
    ] = None

    moved_to: Annotated[
        str | None,
        typer.Option("--input", metavar="PATH", help="Where the input of a project is now, if it has moved."),
    ] = None

    # How pictures are stored.
    format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="png, png16, tiff, mkv (lossless), mp4 (8 bits), hevc, av1 (8 or 10), prores, prores4444.",
        ),
    ] = "png"
    quality: Annotated[str, typer.Option(metavar="QUALITY", help="In mp4, hevc, av1: high, medium, low.")] = "high"
    speed: Annotated[str, typer.Option(metavar="SPEED", help="In mp4, hevc, av1: fast, medium, slow (small).")] = "fast"
    fps: Annotated[
        float | None, typer.Option(metavar="N", help="Rate of films of images, which have none; else 25.")
    ] = None
    names: Annotated[
        str,
        typer.Option(
            metavar="HOW", help="Names of images: numbers (000001, …), or input: as its files or frames are called."
        ),
    ] = "numbers"
    corrupt: Corrupt = None
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace results that exist.")] = False

    events: EventOptions = field(default_factory=EventOptions)
    telling: Telling = field(default_factory=Telling)
    key: Annotated[str, typer.Option(hidden=True, help="Noted with results at an address: of which job they are.")] = ""

    @property
    def products(self) -> tuple[str, ...]:
        """What is to be saved, each once."""
        return listed(self.save or ["plate,mask,cleaned"])

    @property
    def follow_min(self) -> float | None:
        """How long files are waited for, minutes, as `core.io.input_spec.InputSpec` has it."""
        return math.inf if self.follow and self.follow_until is None else self.follow_until
