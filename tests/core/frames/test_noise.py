import numpy as np
import pytest

from core.frames.noise import mad_sigma


def test_the_scale_of_noise_is_its_standard_deviation_in_spite_of_outliers():
    rng = np.random.default_rng(1)
    residual = 0.3 + 0.02 * rng.standard_normal(20_000)
    assert mad_sigma(residual) == pytest.approx(0.02, rel=0.03)
    residual[:2000] = 1
    assert mad_sigma(residual) == pytest.approx(0.02, rel=0.2)
    assert residual.std() > 0.1, "which the standard deviation itself is not"
