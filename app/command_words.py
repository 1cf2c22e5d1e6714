"""What is said to the command line and by it: each value as the word that stands for it, and back."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import CleanplateError
from core.io.input_spec import ALL_FRAMES, FrameRange, InputSpec, Region, Size

if TYPE_CHECKING:
    from core.events.rules import Line, Point, Rules
    from core.io.corruption import Corruption
    from core.parameter import Value


MOST_DIGITS = 12
"""Of the number of a frame: as many frames would take a thousand years."""


def parse_size(text: str) -> Size:
    """``WxH`` → width and height, pixels."""
    found = re.fullmatch(r"(\d{1,6})[xX×](\d{1,6})", text.strip())
    if not found or not int(found[1]) or not int(found[2]):
        raise CleanplateError(
            f"--size {text} cannot be read; write it as WIDTHxHEIGHT in pixels, such as --size 640x360."
        )
    return int(found[1]), int(found[2])


def format_size(size: Size) -> str:
    """Width and height → ``WxH``."""
    return f"{size[0]}x{size[1]}"


def parse_region(text: str) -> Region:
    """``X,Y,W,H`` → numbers, pixels."""
    found = re.fullmatch(r"(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})", text.replace(" ", ""))
    if not found:
        raise CleanplateError(f"--roi {text} cannot be read; write it as X,Y,WIDTH,HEIGHT in pixels.")
    x, y, width, height = (int(part) for part in found.groups())
    return x, y, width, height


def format_region(roi: Region) -> str:
    """Numbers → ``X,Y,W,H``."""
    return ",".join(map(str, roi))


def parse_frames(text: str, option: str = "--frames") -> FrameRange:
    """``FIRST:LAST`` → numbers, counted from 1, both included; either may be left out."""
    found = re.fullmatch(r"(\d*):(\d*)", text.strip(), re.ASCII)
    if not found:
        raise CleanplateError(f"{option} {text} cannot be read; write it as FIRST:LAST, counted from 1, such as 1:300.")
    if max(map(len, found.groups())) > MOST_DIGITS:
        raise CleanplateError(f"{option} {text} names frames that no input has; choose others, such as 1:300.")
    first, last = (int(part) if part else None for part in found.groups())
    return first, last


def format_frames(frames: FrameRange) -> str:
    """Numbers → ``FIRST:LAST``."""
    return ":".join("" if end is None else str(end) for end in frames)


_SHARE = "share="
"""Begins the last part of a corruption's word, where not all images are corrupted."""


def parse_corruption(text: str, seed: int) -> Corruption:
    """``KIND[:DENSITY[:STRENGTH…]][:share=SHARE]`` → what is put on the images, or on a share of them.

    ``laplace`` has one strength, ``uniform`` two.
    """
    from core.io.corruption import USES, Corruption  # noqa: PLC0415 - the rest starts without it

    kind, *parts = text.split(":")
    if kind not in USES:
        raise CleanplateError(f"--corrupt {text} names no kind of noise; choose one of {', '.join(USES)}.")
    names = USES[kind]
    form = ":".join([kind, *(name.upper() for name in names), f"{_SHARE}SHARE"])
    shares = [parts.pop()] if parts and parts[-1].startswith(_SHARE) else []
    told = [*zip(names, parts, strict=False), *(("share", word.removeprefix(_SHARE)) for word in shares)]
    try:
        values = {name: float(number) for name, number in told}
    except ValueError:
        values = None
    if values is None or len(parts) > len(names):
        raise CleanplateError(f"--corrupt {text} cannot be read; write it as {form}, density from 0 to 1.")
    return Corruption.from_values({"kind": kind, "seed": seed, **values})


def format_corruption(corruption: Corruption) -> str:
    """Return the kind and its numbers up to the last that is not the default; the density is always said.

    The seed is no part of the word.
    """
    from core.io.corruption import USES, Corruption  # noqa: PLC0415 - a corruption comes from there

    names = USES[corruption.kind]
    values, default = corruption.values(), Corruption().values()
    told = [i for i, name in enumerate(names) if values[name] != default[name]]
    said = names[: max([0, *told]) + 1]
    shares = [_SHARE + format_value(corruption.share)] if corruption.share != default["share"] else []
    return ":".join([corruption.kind, *(format_value(values[name]) for name in said), *shares])


def parse_settings(pairs: Sequence[str]) -> dict[str, str]:
    """``NAME=VALUE`` … → values by name, still as text; the catalogue checks them."""
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise CleanplateError(f"--set {pair} cannot be read; write it as NAME=VALUE, such as --set sensitivity=60.")
        values[name.strip()] = value.strip()
    return values


def format_settings(values: Mapping[str, Value]) -> list[str]:
    """Values by name → ``NAME=VALUE`` …."""
    return [f"{name}={format_value(value)}" for name, value in values.items()]


def format_value(value: Value) -> str:
    """Return the value of a parameter so that it is read as the very same one."""
    if value is None:
        return "auto"
    if isinstance(value, bool):
        return "on" if value else "off"
    return repr(value) if isinstance(value, float) else str(value)


LINE, AREA = "line", "area"
"""What events are counted by: fields that are typed into, and marks over pictures."""


def parse_points(option: str, text: str, form: str = "X,Y,X,Y…") -> tuple[Point, ...]:
    """``X,Y,X,Y…`` → points, pixels; ``form`` says how they are written where that is not so."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers or len(numbers) % 2 or not all(map(math.isfinite, numbers)):
        raise CleanplateError(f"{option} {text} cannot be read; write it as {form} in pixels.")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def parse_line(text: str) -> Line:
    """``X,Y,X,Y`` → from where to where, pixels."""
    points = parse_points("--event-line", text, "X,Y,X,Y")
    if len(points) != 2:
        raise CleanplateError(f"--event-line {text} has {len(points)} points; a line is X,Y,X,Y in pixels.")
    return points[0], points[1]


def format_points(points: Sequence[Point]) -> str:
    """Points → ``X,Y,X,Y…``."""
    return ",".join(f"{number:.17g}" for point in points for number in point)


def event_rules(area: str | None, lines: Sequence[str], shortest: int | None, smallest: int) -> Rules:
    """Return what counts as an event, by the words after the options."""
    from core.events.rules import SHORTEST, Rules  # noqa: PLC0415 - the rest starts without it

    return Rules(
        () if area is None else parse_points("--event-area", area), SHORTEST if shortest is None else shortest,
        smallest, tuple(map(parse_line, lines)),
    )  # fmt: skip


def event_options(rules: Rules) -> list[str]:
    """Return the options that say what counts as an event; what is as usual is not said."""
    from core.events.rules import Rules  # noqa: PLC0415 - rules come from there

    usual, words = Rules(), []
    if rules.area:
        words += ["--event-area", format_points(rules.area)]
    for line in rules.lines:
        words += ["--event-line", format_points(line)]
    if rules.shortest != usual.shortest:
        words += ["--event-length", str(rules.shortest)]
    if rules.smallest != usual.smallest:
        words += ["--event-size", str(rules.smallest)]
    return words


def input_options(spec: InputSpec) -> list[str]:
    """Return the options that say how an input is read; what is as usual is not said."""
    words = []
    if spec.seed:
        words += ["--seed", str(spec.seed)]
    if spec.grey:
        words.append("--grey")
    if spec.size is not None:
        words += ["--size", format_size(spec.size)]
    if spec.roi is not None:
        words += ["--roi", format_region(spec.roi)]
    if spec.frames != ALL_FRAMES:
        words += ["--frames", format_frames(spec.frames)]
    if spec.corruption is not None:
        words += ["--corrupt", format_corruption(spec.corruption)]
    return words


def input_spec(
    path: str,
    *,
    seed: int = 0,
    grey: bool = False,
    size: str | None = None,
    roi: str | None = None,
    frames: str | None = None,
    corrupt: str | None = None,
    follow_min: float | None = None,
) -> InputSpec:
    """Return the input that the words after the options mean; None where an option is not said.

    Raises
    ------
    CleanplateError
        A word cannot be read, or what it says is not possible.
    """
    return InputSpec(
        path,
        grey=grey,
        size=None if size is None else parse_size(size),
        roi=None if roi is None else parse_region(roi),
        frames=ALL_FRAMES if frames is None else parse_frames(frames),
        corruption=None if corrupt is None else parse_corruption(corrupt, seed),
        seed=seed,
        follow_min=follow_min,
    )
