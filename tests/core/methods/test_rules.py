"""What is told of samples once they are encoded."""

import pickle

import numpy as np
import pytest

from core.methods.rules import splits_of
from core.nmf.encoders.base import Encoding


def encoding(*, with_outliers):
    rng = np.random.default_rng(0)
    H, W, V = (rng.random(shape).astype(np.float32) for shape in [(3, 2), (2, 6), (3, 6)])
    residual = V - H @ W
    capped = np.clip(residual, -0.1, 0.1) if with_outliers else None
    return V, Encoding(H, H @ W, residual, capped, 0.6, 4)


@pytest.mark.parametrize("with_outliers", [True, False])
def test_a_split_has_outliers_where_the_method_knows_some(with_outliers):
    V, given = encoding(with_outliers=with_outliers)
    for one in (given, pickle.loads(pickle.dumps(given))):  # A copy says the same.
        splits = splits_of(one)
        assert [split.objective for split in splits] == pytest.approx([0.2] * 3)
        for split, r, clean, v in zip(splits, one.outliers, one.clean, V, strict=True):
            assert np.array_equal(split.outliers, r) if with_outliers else split.outliers is None
            np.testing.assert_allclose(clean + r, v, atol=1e-6)
