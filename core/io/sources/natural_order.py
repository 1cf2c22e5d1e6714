"""The natural order of file names, 2 before 10, also of very many."""

from __future__ import annotations

import re

import natsort
import numpy as np

_NUMBERED = re.compile(r"(.*?)(\d{1,18})(\D*)", re.ASCII | re.DOTALL)
"""What stands before the last number of a name, the number, and what follows it."""

GAP = 10
"""Usual steps of a series that are a gap in it: fewer are frames that a camera has dropped."""

EVEN = 0.75
"""Part of the steps that are the usual one where a series is numbered evenly; others are a choice of some files."""

LONG = 10_000
"""From here on a number has more than two pairs of digits."""


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


def gap_in(names: list[str]) -> tuple[str, str] | None:
    """Return the names before and behind the first gap in a series that is numbered in even steps; None without one.

    Where the numbers may be a date or a time of day, nothing is said: months, days and minutes end where they do. Nor
    where a counter has begun again.

    Parameters
    ----------
    names : list of str
        In natural order.
    """
    numbers = _numbers(names)
    if numbers is None or (place := _first_gap(numbers)) is None:
        return None
    if _may_be_time(numbers) or _may_be_time(numbers // 1000):  # With milliseconds.
        return None
    is_full = (last := _NUMBERED.fullmatch(names[-1])) is not None and set(last[2]) == {"9"}
    return None if numbers[0] <= 1 and is_full else (names[place], names[place + 1])


def _may_be_time(numbers: np.ndarray[tuple[int], np.dtype[np.int64]]) -> bool:
    """Whether numbers may be dates or times: their last two pairs of digits end at 59 at most.

    A counter that is short may look like that by chance: it has to be even in seconds, too.
    """
    before, last = numbers // 100, numbers % 100
    if max(int((before % 100).max()), int(last.max())) >= 60:
        return False
    return int(numbers.max()) >= LONG or (bool(before.any()) and _first_gap(60 * before + last) is None)


def _first_gap(numbers: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int | None:
    """Return the place before a step of `GAP` usual ones, where most steps are alike."""
    steps = np.diff(numbers)
    if not steps.size:
        return None
    usual = np.median(steps)
    large = np.flatnonzero(steps >= GAP * max(usual, 1))
    return int(large[0]) if large.size and np.mean(steps == usual) >= EVEN else None


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
