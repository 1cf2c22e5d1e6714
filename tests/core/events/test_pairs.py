import numpy as np
import pytest

from core.bench.events import overlaps as dense_overlaps
from core.events.pairs import assigned, best_of, overlaps, pairs_of


def intersections(a, b):
    """Return the area (N, M) that each of the boxes ``a`` (N, 4) shares with each of ``b`` (M, 4)."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    return np.maximum(high - low, 0).prod(axis=2)


def corners(rng, n, extent=100, largest=20):
    low = rng.uniform(0, extent, (n, 2)).round(rng.integers(0, 3))
    return np.concatenate([low, low + rng.integers(1, largest + 1, (n, 2))], axis=1)


@pytest.mark.parametrize("seed", range(5))
def test_pairs_are_those_that_share_an_area_row_by_row(seed):
    rng = np.random.default_rng(seed)
    a, b = corners(rng, 60), corners(rng, 45, largest=90 if seed else 5)
    pairs = pairs_of(a, b)
    wanted = intersections(a, b)
    rows, columns = np.nonzero(wanted)
    assert pairs.rows.tolist() == rows.tolist()
    assert pairs.columns.tolist() == columns.tolist()
    np.testing.assert_allclose(pairs.shared, wanted[rows, columns])
    np.testing.assert_allclose(overlaps(pairs, a, b), dense_overlaps(a, b)[rows, columns])


@pytest.mark.parametrize(("n", "m"), [(0, 3), (3, 0), (0, 0)])
def test_none_are_none(n, m):
    rng = np.random.default_rng(0)
    pairs = pairs_of(corners(rng, n), corners(rng, m))
    assert pairs.rows.size == pairs.columns.size == pairs.shared.size == 0
    assert assigned(pairs.rows, pairs.columns, pairs.shared) == {}


def best_sum(gain):
    """Return the largest sum of gains (N, M) of rows that are given different columns or none, by trying all."""
    if not len(gain):
        return 0.0
    given = [gain[0, j] + best_sum(np.delete(gain[1:], j, axis=1)) for j in range(gain.shape[1])]
    return max([best_sum(gain[1:]), *given])


@pytest.mark.parametrize("seed", range(20))
def test_what_is_given_gains_the_most(seed):
    rng = np.random.default_rng(seed)
    gain = np.maximum(rng.uniform(-1, 1, (rng.integers(1, 6), rng.integers(1, 6))), 0)
    rows, columns = np.nonzero(gain)
    given = assigned(rows, columns, gain[rows, columns])
    assert len(set(given.values())) == len(given)
    assert all(gain[i, j] > 0 for i, j in given.items())
    assert sum(gain[i, j] for i, j in given.items()) == pytest.approx(best_sum(gain))


def test_what_gains_nothing_is_not_given():
    assert assigned(np.array([0, 1]), np.array([2, 2]), np.array([0.0, -3.0])) == {}
    assert assigned(np.array([4, 7]), np.array([2, 3]), np.array([-3.0, 0.5])) == {7: 3}


def test_the_best_of_each_is_the_first_of_equal_ones():
    keys, gain = np.array([5, 2, 5, 2, 5]), np.array([1.0, 4, 3, 4, 3])
    assert best_of(keys, gain).tolist() == [1, 2]
    assert best_of(keys[:0], gain[:0]).size == 0
