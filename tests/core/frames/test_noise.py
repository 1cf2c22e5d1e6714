import numpy as np
import pytest

from core.frames.noise import mad_sigma, spread_over


def test_the_scale_of_noise_is_its_standard_deviation_in_spite_of_outliers():
    rng = np.random.default_rng(1)
    residual = 0.3 + 0.02 * rng.standard_normal(20_000)
    assert mad_sigma(residual) == pytest.approx(0.02, rel=0.03)
    residual[:2000] = 1
    assert mad_sigma(residual) == pytest.approx(0.02, rel=0.2)
    assert residual.std() > 0.1, "which the standard deviation itself is not"


@pytest.mark.parametrize("width", [64, 1000, 1024, 2048])
def test_values_spread_over_pictures_lie_in_most_of_their_columns(width):
    columns = np.tile(np.arange(width), 2048)
    seen = spread_over(columns, 8192)
    assert 8192 / 2 < len(seen) < 2 * 8192
    assert len(np.unique(seen)) > 0.9 * width
    np.testing.assert_array_equal(spread_over(np.stack([columns, columns]), 8192), [seen, seen])
    np.testing.assert_array_equal(spread_over(np.arange(9), 9), np.arange(9))
