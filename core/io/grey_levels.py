"""What is left of the grey levels of deep pictures in a film of fewer bits."""

from __future__ import annotations


def levels_left(levels: tuple[int, int] | None, bit_depth: int, bits: int) -> str:
    """Return a sentence that says how many are left of an input's; nothing where it is not known which are used.

    Parameters
    ----------
    levels : (black, white) or None
        Between which samples of the input lie (`core.io.sources.base.SourceInfo.levels`).
    bit_depth, bits : int
        Of a sample, in the input and in the film.
    """
    if levels is None:
        return ""
    n_levels = round((levels[1] - levels[0]) * (2**bits - 1) / (2**bit_depth - 1)) + 1
    return f"Its samples from {levels[0]} to {levels[1]} become {n_levels} grey levels of {2**bits}."
