"""From what was typed to values: each function takes one option's text and raises one sentence where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from core.errors import CleanplateError

if TYPE_CHECKING:
    from core.io.sources.corruption import Corruption

# What is read, and how: the same for every command that reads an input.
Seed = Annotated[int, typer.Option(min=0, help="Of everything random.")]
Grey = Annotated[bool, typer.Option("--grey", help="Work in grey.")]
Size = Annotated[Optional[str], typer.Option(metavar="WxH", help="Working size; results keep theirs.")]  # noqa: UP045
Region = Annotated[Optional[str], typer.Option(metavar="X,Y,W,H", help="Only this part of the picture.")]  # noqa: UP045
Frames = Annotated[
    Optional[str], typer.Option(metavar="FIRST:LAST", help="Only these, from 1, both included.")  # noqa: UP045
]
Corrupt = Annotated[
    Optional[str], typer.Option(metavar="KIND[:DENSITY…]", help="Spoil clean images first, to see them mended.")  # noqa: UP045
]


def folder(text: str) -> Path:
    """Return the folder for the results; an empty name, as of a variable that is not set, is not the current one."""
    if not text.strip():
        raise CleanplateError("No folder for the results was named; give one after --output, or . for the current one.")
    return Path(text)


def products(text: str) -> tuple[str, ...]:
    """``plate,mask`` → the keys, each once, in the order given."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def settings(pairs: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` … → values by name, still as text; the catalogue checks them."""
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise CleanplateError(f"--set {pair} cannot be read; write it as NAME=VALUE, such as --set threshold=4.")
        values[name.strip()] = value.strip()
    return values


def size(text: str | None) -> tuple[int, int] | None:
    """``WxH`` → width and height, pixels."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text.strip())
    if not found or "0" in (found[1].lstrip("0") or "0", found[2].lstrip("0") or "0"):
        raise CleanplateError(
            f"--size {text} cannot be read; write it as WIDTHxHEIGHT in pixels, such as --size 640x360."
        )
    return int(found[1]), int(found[2])


def region(text: str | None) -> tuple[int, int, int, int] | None:
    """``X,Y,W,H`` → numbers, pixels."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})", text.replace(" ", ""))
    if not found:
        raise CleanplateError(f"--roi {text} cannot be read; write it as X,Y,WIDTH,HEIGHT in pixels.")
    x, y, width, height = (int(part) for part in found.groups())
    return x, y, width, height


def frames(text: str | None) -> tuple[int | None, int | None]:
    """``FIRST:LAST`` → numbers, counted from 1, both included; either may be left out."""
    if text is None:
        return None, None
    found = re.fullmatch(r"(\d{0,12}):(\d{0,12})", text.strip())
    if not found:
        raise CleanplateError(f"--frames {text} cannot be read; write it as FIRST:LAST, counted from 1, such as 1:300.")
    first, last = (int(part) if part else None for part in found.groups())
    return first, last


def corruption(text: str | None, seed: int) -> Corruption | None:
    """``KIND[:DENSITY[:STRENGTH…]]`` → what is put on the images; ``laplace`` has one strength, ``uniform`` two."""
    if text is None:
        return None
    from core.io.sources.corruption import USES, Corruption  # noqa: PLC0415 - the rest starts without it

    kind, *numbers = text.split(":")
    names = USES.get(kind, ("density",))
    try:
        values = dict(zip(names, map(float, numbers), strict=False))
    except ValueError:
        values = None
    if values is None or len(numbers) > len(names):
        form = ":".join(["KIND" if kind not in USES else kind, *(name.upper() for name in names)])
        raise CleanplateError(f"--corrupt {text} cannot be read; write it as {form}, density from 0 to 1.")
    return Corruption(kind, seed=seed, **values)
