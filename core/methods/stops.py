"""When the steps of one part of a method end: by a tolerance, and after so many at most."""

from __future__ import annotations

from collections.abc import Mapping

from core.parameter import Parameter, Value, number

TITLES = {"encode": "Encoding", "dictionary": "Dictionary"}


def tolerance_parameter(part: str, default: float, ends: str) -> Parameter:
    """Return the tolerance of a part of `TITLES`; ``ends`` says what it is held against."""
    return Parameter(
        f"{part}_tolerance", f"{TITLES[part]} tolerance", default, 1e-9, 0.1, ends, "lower: more exact, slower",
        logarithmic=True, advanced=True,
    )  # fmt: skip


def steps_parameter(part: str, default: int, steps: str) -> Parameter:
    """Return how many steps a part of `TITLES` takes at most; ``steps`` says of what."""
    return Parameter(
        f"{part}_steps", f"{TITLES[part]} steps", default, 1, 10_000, steps, "higher: more exact, slower", "steps",
        kind=int, logarithmic=True, advanced=True,
    )  # fmt: skip


def stop_of(values: Mapping[str, Value], part: str) -> tuple[float, int]:
    """Return the tolerance of a part, and how many steps it takes at most."""
    return number(values, f"{part}_tolerance"), int(number(values, f"{part}_steps"))
