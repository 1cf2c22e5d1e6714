"""The soft threshold minimises ``½(e − r)² + λ|r|``, and Huber's loss is what is left of it."""

import numpy as np
import pytest

from core.nmf.shrinkage import huber, soft_threshold

E = np.linspace(-1, 1, 41)
GRID = np.linspace(-1.5, 1.5, 3001)


def objective(e, r, lam):
    return (e - r) ** 2 / 2 + lam * np.abs(r)


@pytest.mark.parametrize("lam", [0.0, 0.1, 0.4, 2.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_soft_threshold_is_the_minimiser_on_a_grid(lam, dtype):
    r = soft_threshold(E.astype(dtype), lam)
    assert r.dtype == dtype
    best = objective(E[:, None], GRID, lam)
    np.testing.assert_allclose(r, GRID[best.argmin(axis=1)], atol=2e-3)
    if lam == 0.4:
        clipped = np.clip(E, -lam, lam)
        assert np.abs(clipped - GRID[best.argmin(axis=1)]).max() > 0.3, "what is left is not what goes"


@pytest.mark.parametrize("lam", [0.1, 0.4, 2.0])
def test_hubers_loss_is_the_least_value(lam):
    expected = objective(E[:, None], GRID, lam).min(axis=1)
    np.testing.assert_allclose(huber(np.abs(E), lam), expected, atol=1e-6)
    assert np.abs(E**2 / 2 - expected).max() > 0.1 or lam > 1


def test_each_row_may_have_a_cutoff_of_its_own():
    magnitudes, cutoffs = np.abs(np.vstack([E, E])).astype(np.float32), np.array([[0.1], [0.4]], np.float32)
    together = huber(magnitudes, cutoffs)
    for row, cutoff in enumerate(cutoffs[:, 0]):
        np.testing.assert_array_equal(together[row], huber(magnitudes[row], cutoff))
