"""The options that several commands have, and what some of their words mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from app.command_words import input_spec
from core.errors import CleanplateError
from core.io.input_spec import InputSpec
from core.seed import LARGEST_SEED

Corrupt = Annotated[
    str | None,
    typer.Option(
        metavar="KIND[:DENSITY…]",
        help="Add synthetic noise to clean images; to half of them with :share=0.5 at the end.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="Random seed.")]
Json = Annotated[bool, typer.Option("--json", help="End with one line of JSON on standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress.")]


@dataclass(frozen=True)
class ViewOptions:
    """What is read of an input, and how."""

    seed: Seed = 0
    grey: Annotated[bool, typer.Option("--grey", help="Work in grey.")] = False
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Working size; results keep theirs.")] = None
    roi: Annotated[str | None, typer.Option(metavar="X,Y,W,H", help="Only this part of the picture.")] = None
    frames: Annotated[
        str | None,
        typer.Option(metavar="FIRST:LAST", help="Read only these frames of INPUT, from 1, both included."),
    ] = None

    def input(self, source: str, *, corrupt: str | None, follow_min: float | None = None) -> InputSpec:
        """Return the input; ``corrupt`` as it is written, ``follow_min`` as `InputSpec` has it."""
        return input_spec(
            source, seed=self.seed, grey=self.grey, size=self.size, roi=self.roi, frames=self.frames, corrupt=corrupt,
            follow_min=follow_min,
        )  # fmt: skip


def folder(text: str) -> Path:
    """Return the folder for the results; an empty name, as of a variable that is not set, is not the current one."""
    if not text.strip():
        raise CleanplateError("No folder for the results was named; give one after --output, or . for the current one.")
    return Path(text)


def listed(given: Sequence[str]) -> tuple[str, ...]:
    """``plate,mask``, ``times`` → the keys, each once, in the order given: an option with a list may be given again."""
    return tuple(dict.fromkeys(name.strip() for text in given for name in text.split(",") if name.strip()))
