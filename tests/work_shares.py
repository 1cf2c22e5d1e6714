"""In which order workers run the suite: each begins with kernels of its own, so that no two compile the same ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest


def with_kernels_first(items: Sequence[pytest.Item], n_workers: int) -> list[pytest.Item]:
    """Return the tests in another order: the share of each worker begins with all that is asked of some kernels.

    Where nothing is kept yet a kernel takes seconds to compile, and nearly all are needed by what workers run first.

    Parameters
    ----------
    items : sequence of pytest.Item
        What was collected, in its order. Tests of kernels have a parameter ``twin``.
    n_workers : int
        To each of them `xdist` gives as many tests that follow each other, the first ones to the first.
    """
    kernels = {id(item): item.callspec.params["twin"].kernel for item in items if "twin" in _parameters(item)}
    names = list(dict.fromkeys(kernels.values()))
    rest = [item for item in items if id(item) not in kernels]
    ordered: list[pytest.Item] = []
    for worker in range(n_workers):
        own = set(names[len(names) * worker // n_workers : len(names) * (worker + 1) // n_workers])
        first = [item for item in items if kernels.get(id(item)) in own]
        n_others = max(0, (len(items) - len(ordered)) // (n_workers - worker) - len(first))
        ordered += first + rest[:n_others]
        del rest[:n_others]
    return ordered + rest


def _parameters(item: pytest.Item) -> dict[str, object]:
    callspec = getattr(item, "callspec", None)
    return callspec.params if callspec is not None else {}
