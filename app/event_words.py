"""How many events there are, and how often they cross lines, in words: at the end of a run, and in the window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.count_words import counted

if TYPE_CHECKING:
    from core.events.totals import Crossings, EventTotals


def totals_words(totals: EventTotals) -> str:
    """Return how many events there are, and how often they crossed each line, each way."""
    return f"{counted(totals.events, 'event')}{crossings_words(totals.lines)}"


def crossings_words(counts: Sequence[Crossings]) -> str:
    """Return how often events crossed each line, each way, as the end of a sentence; empty without lines."""
    names = _names_of_lines(len(counts))
    return "".join(
        f" · over {name} {count.forward} forward, {count.backward} backward"
        for name, count in zip(names, counts, strict=True)
    )


def _names_of_lines(n: int) -> list[str]:
    """Return what each of so many lines is called: by its number, where there are several."""
    return ["the line"] if n == 1 else [f"line {number}:" for number in range(1, n + 1)]
