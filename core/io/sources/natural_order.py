"""The natural order of file names, 2 before 10, also of very many."""

from __future__ import annotations

import re

import natsort
import numpy as np

_NUMBERED = re.compile(r"(.*?)(\d{1,18})(\D*)", re.ASCII | re.DOTALL)
"""What stands before the last number of a name, the number, and what follows it."""


def natural_order(names: list[str]) -> list[str]:
    """Return names in natural order, as `natsort.natsorted` does, whatever order they come in.

    Those that differ in nothing but leading zeros (``a01``, ``a1``) follow each other letter by letter.

    Names that differ by one number alone, as those of long series do, are sorted by it: a million of them takes a
    second in place of a minute.
    """
    names = sorted(names)  # Both below keep the order of what is equal to them.
    numbers = _numbers(names)
    if numbers is None:
        return list(natsort.natsorted(names))
    return [names[place] for place in np.argsort(numbers, kind="stable").tolist()]


def _numbers(names: list[str]) -> np.ndarray[tuple[int], np.dtype[np.int64]] | None:
    """Return the numbers by which names differ; None where they differ otherwise too."""
    found = _NUMBERED.fullmatch(names[0]) if names else None
    if found is None:
        return None
    before, _, after = found.groups()
    numbers = np.empty(len(names), np.int64)
    start, stop = len(before), -len(after) or None
    for place, name in enumerate(names):
        digits = name[start:stop]
        fits = name.startswith(before) and name.endswith(after) and 0 < len(digits) <= 18
        if not fits or not (digits.isascii() and digits.isdigit()):
            return None
        numbers[place] = int(digits)
    return numbers
