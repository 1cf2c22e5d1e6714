"""The options that several commands have, and what some of their words mean."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from app.command_words import event_rules
from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.events.rules import Rules

# What is read, and how: the same for every command that reads an input.
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]
Grey = Annotated[bool, typer.Option("--grey", help="Work in grey.")]
Size = Annotated[Optional[str], typer.Option(metavar="WxH", help="Working size; results keep theirs.")]  # noqa: UP045
Region = Annotated[Optional[str], typer.Option(metavar="X,Y,W,H", help="Only this part of the picture.")]  # noqa: UP045
Frames = Annotated[
    str | None,
    typer.Option(metavar="FIRST:LAST", help="Read only these frames of INPUT, from 1, both included."),
]
Follow = Annotated[
    bool, typer.Option("--follow", help="Wait for files that are added to the folder INPUT, until Ctrl+C.")
]
FollowUntil = Annotated[
    float | None,
    typer.Option("--follow-until", metavar="N", help="The same, until none came for N minutes."),
]
Areas = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option(metavar="FILE", help="JSON, or a picture as large as INPUT: white is never foreground, grey is kept."),
]
Write = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="FIRST:LAST",
        help="Write only these of the frames that are read, the first of which is 1; all are learnt from.",
    ),
]
Corrupt = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="KIND[:DENSITY…]",
        help="Add synthetic noise to clean images; to half of them with :share=0.5 at the end.",
    ),
]

# A piece of a long run; `cleanplate batch --pieces` does all of it.
Start = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option("--start", metavar="FILE", help="Go on learning from a saved model."),
]
RunIn = Annotated[
    int | None,
    typer.Option("--run-in", min=0, metavar="N", help="With --write: read only N frames before these, none after."),
]
Spread = Annotated[int | None, typer.Option(min=1, metavar="N", help="Read only N frames, from places all over INPUT.")]
Join = Annotated[
    Optional[Path],  # noqa: UP045
    typer.Option("--join", metavar="FOLDER", help="Put together what pieces wrote in FOLDER/0001 and so on."),
]

# What is saved, and how pictures are stored.
Save = Annotated[
    str,
    typer.Option(
        help="Of plate, confidence, background, foreground, mask, matte, cleaned, events, boxes, basis, model, "
        "coefficients, curves, times."
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format", metavar="FORMAT", help="png, png16, tiff, mkv (lossless), mp4, hevc, av1, prores, prores4444."
    ),
]
Quality = Annotated[str, typer.Option(metavar="QUALITY", help="Of mp4, hevc, av1: high, medium, low.")]
Speed = Annotated[str, typer.Option(metavar="SPEED", help="Of mp4, hevc, av1: fast, medium, slow (small).")]
Rate = Annotated[float | None, typer.Option(metavar="N", help="Of films of images, which have no rate; else 25.")]
Names = Annotated[
    str,
    typer.Option(metavar="HOW", help="Of images: numbers (000001, …), or input: as its files or frames are called."),
]

# What counts as an event.
EventArea = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(metavar="X,Y,X,Y,X,Y…", help="Events only within this polygon, pixels of the results."),
]
EventLines = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option(metavar="X,Y,X,Y", help="Count events over this line, each way; may be given again."),
]
EventLength = Annotated[Optional[int], typer.Option(metavar="N", help="Shortest event, frames; else 5.")]  # noqa: UP045
EventSize = Annotated[int, typer.Option(metavar="N", help="Smallest event, pixels.")]


def folder(text: str) -> Path:
    """Return the folder for the results; an empty name, as of a variable that is not set, is not the current one."""
    if not text.strip():
        raise CleanplateError("No folder for the results was named; give one after --output, or . for the current one.")
    return Path(text)


def products(text: str) -> tuple[str, ...]:
    """``plate,mask`` → the keys, each once, in the order given."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def rules(said: Mapping[str, Any]) -> Rules:
    """Return what counts as an event, by the options that were given, all of them or those that are not as usual."""
    return event_rules(
        said.get("event_area"), said.get("event_line") or (), said.get("event_length"), said.get("event_size") or 0
    )


def is_said(context: typer.Context, name: str) -> bool:
    """Tell whether an option was given, and is not as usual."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"
