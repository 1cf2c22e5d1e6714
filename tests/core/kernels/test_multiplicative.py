"""The kernel of the multiplicative encoder, held to the update as printed in the paper."""

import numpy as np
import pytest

from core.kernels.multiplicative import BLOCK, step_band
from tests.reference import zhao_tan

LAM = 0.05


def problem(n_values, dtype):
    """Three samples, a dictionary of four, coefficients, outliers; some values are black."""
    rng = np.random.default_rng(n_values)
    V, W, H = rng.random((3, n_values)), rng.random((4, n_values)), rng.random((3, 4)) / 4
    V[:, ::5] = 0
    return V.astype(dtype), W.astype(dtype), H.astype(dtype), (0.1 * V).astype(dtype)


@pytest.mark.parametrize("n_values", [1, 7, BLOCK, BLOCK + 1, 3 * BLOCK + 77])
@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 2e-5), (np.float64, 1e-12)])
def test_a_step_updates_outliers_as_the_paper_does_and_sums_what_the_next_one_needs(n_values, dtype, rtol):
    V, W, H, R = problem(n_values, dtype)
    before = R.copy()
    loss, products = step_band(0, n_values, V, W, H, dtype(LAM), R)
    wanted = before * V / (H @ W + before + LAM)
    np.testing.assert_allclose(R, wanted, rtol=rtol)
    np.testing.assert_allclose(products, (H @ W + wanted) @ W.T, rtol=rtol)
    assert loss == pytest.approx(0.5 * np.sum((V - H @ W - wanted) ** 2) + LAM * wanted.sum(), rel=rtol)
    # The update that follows is the paper's, for which these products are all that is needed.
    for v, h, product, r in zip(V, H, products, wanted, strict=True):
        following, _ = zhao_tan.encode_multiplicative(v, W.T, h, r, LAM)
        np.testing.assert_allclose(h * (W @ v) / product, following, rtol=10 * rtol)


def test_bands_do_what_the_whole_does_and_nothing_outside():
    V, W, H, R = problem(2 * BLOCK, np.float64)
    whole, cut, untouched = R.copy(), R.copy(), R.copy()
    loss, products = step_band(0, 2 * BLOCK, V, W, H, LAM, whole)
    parts = [step_band(a, b, V, W, H, LAM, cut) for a, b in ((0, 640), (640, 2 * BLOCK))]
    np.testing.assert_allclose(cut, whole, rtol=1e-14)
    assert sum(part[0] for part in parts) == pytest.approx(loss, rel=1e-12)
    np.testing.assert_allclose(sum(part[1] for part in parts), products, rtol=1e-12)
    step_band(64, 128, V, W, H, LAM, untouched)
    assert np.array_equal(untouched[:, :64], R[:, :64])
    assert np.array_equal(untouched[:, 128:], R[:, 128:])
    assert not np.allclose(untouched[:, 64:128], R[:, 64:128])


def test_a_denominator_without_the_outliers_of_before_would_be_noticed():
    V, W, H, R = problem(BLOCK, np.float32)
    before = R.copy()
    step_band(0, BLOCK, V, W, H, np.float32(LAM), R)
    assert not np.allclose(R, before * V / (H @ W + LAM), rtol=1e-3)
