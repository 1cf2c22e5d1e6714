"""What is to be known of a film before it is written: what it keeps of deep samples, and how fast it plays."""

from __future__ import annotations

from collections.abc import Sequence

from app.rate_words import span_words
from core.io.grey_levels import levels_left


def depth_words(bits: int, bit_depth: int, levels: tuple[int, int] | None, keep_all: Sequence[str]) -> str:
    """Return what becomes of samples that are deeper than those of a film; nothing where none are.

    Parameters
    ----------
    bits, bit_depth : int
        Of a sample, in the film and in the input.
    levels : (black, white) or None
        Between which samples of the input lie that are counts of light.
    keep_all : sequence of str
        Formats that keep all bits.
    """
    if bits >= bit_depth:
        return ""
    *first, last = keep_all
    has = f"The film has {bits} bits of a sample, the input {bit_depth}."
    return " ".join(
        filter(None, [has, levels_left(levels, bit_depth, bits), f"{', '.join(first)} and {last} keep all."])
    )


def pace_words(fps: float, interval_s: float) -> str:
    """Return how fast a film shows what was recorded at an interval, s."""
    ratio = f"{fps * interval_s:.3g}"
    fast = "as fast as" if ratio == "1" else f"{ratio} times as fast as"
    return f"{fast} recorded: one every {span_words(interval_s)}"
