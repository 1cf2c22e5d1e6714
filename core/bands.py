"""Kernels over long vectors, run on every core in bands of fixed bounds."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from typing import TypeVar

T = TypeVar("T")

N_BANDS = 8
"""Bands of a long vector; fixed, so that sums over bands come out the same on any machine."""

SHORT = 1 << 17
"""Vectors up to this length are done at once: handing them out would cost more than it saves."""


def _n_cores() -> int:
    return min(os.cpu_count() or 1, N_BANDS)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_n_cores(), thread_name_prefix="band")


if hasattr(os, "register_at_fork"):  # absent on Windows
    os.register_at_fork(after_in_child=_pool.cache_clear)  # The threads stay with the parent: a child waits for ever.


def run(kernel: Callable[..., object], n: int, *arguments: object) -> list:
    """Call ``kernel(start, stop, *arguments)`` for bands that cover ``range(n)``, at the same time.

    The kernel releases the interpreter's lock and writes only within its band. Returns what each band returned,
    in order. What a band raises is raised here, when no band runs any more.
    """
    return _run(kernel, n, 64, n > SHORT, arguments)


def run_rows(kernel: Callable[..., object], n_rows: int, n_values: int, *arguments: object) -> list:
    """Call ``kernel(start, stop, *arguments)`` for bands of rows that cover ``range(n_rows)``, as in `run`.

    ``n_values`` is how many values all rows hold together, by which it is judged whether bands pay.
    """
    return _run(kernel, n_rows, 1, n_values > SHORT, arguments)


def beside(n_values: int, work: Callable[..., T], *arguments: object) -> Callable[[], T]:
    """Begin ``work(*arguments)`` on another core, where ``n_values`` make that pay; call what comes back to wait."""
    if n_values <= SHORT:
        result = work(*arguments)
        return lambda: result
    return _pool().submit(work, *arguments).result


def _run(kernel: Callable[..., object], n: int, multiple: int, in_bands: bool, arguments: tuple[object, ...]) -> list:
    if not in_bands:
        return [kernel(0, n, *arguments)]
    edges = [n * i // N_BANDS // multiple * multiple for i in range(N_BANDS)] + [n]
    results: list = [None] * N_BANDS
    waiting = enumerate(pairwise(edges))

    def work() -> None:
        for i, (a, b) in waiting:  # Each band goes to whoever is free.
            results[i] = kernel(a, b, *arguments)

    others = [_pool().submit(work) for _ in range(_n_cores() - 1)]
    try:
        work()
    finally:
        wait(others)
    for other in others:
        other.result()
    return results
