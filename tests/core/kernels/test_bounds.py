"""Every loop of a kernel has an end that no input can move."""

import ast
import threading

import numpy as np
import pytest

from core.kernels import arrays, matte, regions, simplex, squared_l1
from tests.core.kernels.twin import KERNELS
from tests.reference.kernels_solvers import threshold

PATIENCE_S = 60
"""Compiling the kernel is part of it."""


def unbounded(source):
    """Return the lines of loops that run along no array: those whose condition begins with no ``index < end``."""
    loops = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.While)]
    return [loop.lineno for loop in loops if not runs_along(loop.test)]


def runs_along(test):
    first = test.values[0] if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else test
    return isinstance(first, ast.Compare) and isinstance(first.ops[0], ast.Lt | ast.LtE)


def test_loops_run_along_arrays_or_count_their_turns():
    assert {
        path.name: unbounded(path.read_text()) for path in KERNELS.glob("*.py") if unbounded(path.read_text())
    } == {}


@pytest.mark.parametrize("condition", ["True", "size", "parent[run] != run", "asked[j] and j < n", "a < b or c"])
def test_other_loops_are_found(condition):
    assert unbounded(f"while {condition}:\n    pass") == [1]


def next_to(value, steps):
    """Return a number so many units in the last place above ``value``."""
    for _ in range(abs(steps)):
        value = np.nextafter(value, np.float32(np.inf if steps > 0 else -np.inf), dtype=np.float32)
    return value


def test_an_entry_within_rounding_of_the_threshold_keeps_nobody_waiting():
    lam, found = 0.04, []

    def look():
        for seed in range(600):
            rng = np.random.default_rng(seed)
            r = rng.normal(size=rng.integers(20, 400)).astype(np.float32)
            tau = squared_l1.threshold(r, lam, 1, np.float32(0), 100)
            for steps in (-1, 0, 1):
                spoiled = np.append(r, next_to(tau, steps)).astype(np.float32)
                found.append((squared_l1.shrink(spoiled, lam, np.empty_like(spoiled)), spoiled, tau))

    # A daemon: a kernel that never ends would keep the tests from ending.
    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    for total, r, tau in found[::50]:
        assert total == pytest.approx(np.maximum(np.abs(r) - float(tau), 0).sum(), rel=1e-4)


@pytest.mark.parametrize("most", [0, 1, 2])
def test_the_search_for_a_threshold_ends_after_as_many_steps_as_it_is_given(most):
    r = np.geomspace(1e-3, 10, 200).astype(np.float32)
    tau, reached = np.float32(0), []
    for _ in range(most):
        above = r[r > tau]
        tau = 0.5 * above.sum() / (1 + 0.5 * len(above))
        reached.append(tau)
    assert squared_l1.threshold(r, 0.5, 1, np.float32(0), most) == pytest.approx(tau, rel=1e-5)
    assert tau < 0.99 * threshold(r, 0.5, 1, 0, 1)


@pytest.mark.parametrize("strange", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_has_a_threshold_too(strange):
    r = np.array([1, strange, 2, 3] * 10, np.float32)
    with np.errstate(invalid="ignore"):
        assert not np.isfinite(squared_l1.shrink(r, 0.04, np.empty_like(r)))
        simplex.project(r)  # It ends.


def test_entries_that_leave_the_simplex_one_by_one_take_as_many_passes_as_there_are():
    w = np.append(-(10.0 ** np.arange(6, 0, -1)), 0.0)  # Each is the only one below the mean of those that are left.
    simplex.project(w)
    np.testing.assert_array_equal(w, [0, 0, 0, 0, 0, 0, 1])


def test_an_edge_one_pixel_wide_is_followed_for_its_whole_length():
    n = 30
    rows, columns, place = np.zeros(n, np.int32), np.arange(1, n + 1, dtype=np.int32), np.zeros((1, n + 1), np.int32)
    inside = np.zeros((1, n + 1), np.uint8)
    inside[0, 0] = 255
    out = np.zeros((n, 1), np.float32)
    reached = matte.spread(rows, columns, np.full((1, n + 1, 1), 100, np.uint8), inside, inside, place, out)
    assert reached.all()
    np.testing.assert_array_equal(out, 100)


def test_regions_that_meet_late_have_one_root():
    comb = np.full((40, 79), 255, np.uint8)
    comb[:-1, 1::2] = 0  # Forty teeth meet in the last row alone.
    whole = comb.copy()
    whatever = np.zeros((1, 1), bool), np.zeros((1, 1), np.float32), 100, np.float32(0)
    regions.drop_small(regions.runs_of(comb), comb.size // 2, 0, *whatever, comb, np.zeros_like(comb))
    np.testing.assert_array_equal(comb, whole)


def test_the_runs_of_a_row_have_room_in_half_of_its_columns():
    for width in (1, 2, 5, 40, 71):
        mask = np.zeros((1, width), np.uint8)
        mask[0, ::2] = 255
        runs = np.zeros((3, (width + 1) // 2), np.int32)
        assert arrays.add_runs(mask, 0, 0, width, 0, runs) == runs.shape[1]
        np.testing.assert_array_equal(runs[1:], [np.arange(0, width, 2), np.arange(1, width + 1, 2)])
