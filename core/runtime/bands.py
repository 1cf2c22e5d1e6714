"""Kernels over long vectors, run on every core in bands of fixed bounds."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import pairwise
from typing import TypeVar

from core.runtime import cores

Answer = TypeVar("Answer")

Task = Callable[[], object]

N_BANDS = 8
"""Bands of a long vector; fixed, so that sums over bands are the same for any number of cores."""

SHORT = 1 << 19
"""Vectors up to this length are done at once: handing them out, some 90 µs a time, would cost more than it saves."""

HEAVY = 4
"""Cost of a value where it is much more work than in the kernels that each frame goes through: bands pay earlier."""


@cache  # Asking takes as long as a small band.
def _n_cores() -> int:
    return min(cores.usable(), N_BANDS)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_n_cores(), thread_name_prefix="band")


if hasattr(os, "register_at_fork"):  # absent on Windows
    os.register_at_fork(after_in_child=_pool.cache_clear)  # The threads stay with the parent: a child waits for ever.


def run(kernel: Callable[..., Answer], n: int, *arguments: object, cost: int = 1) -> list[Answer]:
    """Call ``kernel(start, stop, *arguments)`` for bands that cover ``range(n)``, at the same time where that pays.

    It is judged by ``n`` times the ``cost`` of a value. The kernel releases the interpreter's lock and writes only
    within its band. Returns what each band returned, in order. What a band raises is raised here, when no band runs
    any more.
    """
    return all_of(_bands(kernel, n, 64, cost * n, arguments), cost * n)


def run_rows(kernel: Callable[..., Answer], n_rows: int, n_values: int, *arguments: object) -> list[Answer]:
    """Call ``kernel(start, stop, *arguments)`` for bands of rows that cover ``range(n_rows)``, as in `run`.

    ``n_values`` is how many values all rows hold together, by which it is judged whether bands pay.
    """
    return all_of(rows(kernel, n_rows, n_values, *arguments), n_values)


def rows(kernel: Callable[..., Answer], n_rows: int, n_values: int, *arguments: object) -> list[Callable[[], Answer]]:
    """Return what `run_rows` would do, as tasks for `all_of`."""
    return _bands(kernel, n_rows, 1, n_values, arguments)


def in_turn(first: Sequence[Task], second: Sequence[Task]) -> list[Task]:
    """Return tasks for `all_of`: each does one of the first, and then the one of the second for the same band."""
    return [partial(_both, *pair) for pair in zip(first, second, strict=True)]


def _both(first: Task, second: Task) -> None:
    first()
    second()


def at_once(n_values: int) -> int:
    """Return how many tasks `all_of` does at the same time, which together cost what ``n_values`` samples do."""
    return _n_cores() if n_values > SHORT else 1


def all_of(tasks: Sequence[Callable[[], Answer]], n_values: int) -> list[Answer]:
    """Do tasks that do not depend on each other, at the same time where ``n_values`` make that pay.

    Handing them out once for all costs less than once for each. Returns what they returned, in order. What one
    raises is raised here, when none runs any more; those that were not begun then are not done.
    """
    if n_values <= SHORT:
        return [task() for task in tasks]
    answers: dict[int, Answer] = {}
    waiting = enumerate(tasks)

    def work() -> None:
        try:
            for i, task in waiting:  # Each goes to whoever is free.
                answers[i] = task()
        finally:
            for _ in waiting:  # Where one has raised, no more is begun.
                pass

    others = [_pool().submit(work) for _ in range(_n_cores() - 1)]
    try:
        work()
    finally:
        failures = [other.exception() for other in others]  # Waits for them.
    for failure in failures:
        if failure is not None:
            raise failure
    return [answers[i] for i in range(len(tasks))]


def _bands(
    kernel: Callable[..., Answer], n: int, multiple: int, n_values: int, arguments: tuple[object, ...]
) -> list[Callable[[], Answer]]:
    if n_values <= SHORT:
        return [partial(kernel, 0, n, *arguments)]
    edges = [n * i // N_BANDS // multiple * multiple for i in range(N_BANDS)] + [n]
    return [partial(kernel, a, b, *arguments) for a, b in pairwise(edges)]
