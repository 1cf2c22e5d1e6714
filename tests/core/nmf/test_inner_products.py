"""Inner products of long vectors, and the losses that are made of them, are exact where one float32 sum is not."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.baselines.orpca import RobustComponents
from core.methods.baselines.plain import squared_error
from core.methods.corrupted_entries.alternating import SetAside
from core.methods.corrupted_entries.missing_entries import Extremes
from core.nmf.constraints import ElasticNetBall, NonnegativeBall
from core.nmf.dictionaries.domain import BALL, Domain
from core.nmf.inner_products import BLOCK, inner, inner_by_row
from core.nmf.outlier_losses import PenalisedLoss
from core.nmf.penalties import Ridge
from core.nmf.robust_losses import LeastSquaresLoss, SampleNorm

LARGE = Layout(1080, 1920, Planes.RGB).n_values


def halves(X):
    """Return half the sum of squares, exactly."""
    return sum(float(np.square(part, dtype=np.float64).sum()) for part in np.array_split(X.reshape(-1), 50)) / 2


def in_one_sum(X):
    """Return the same as one float32 sum from the first value to the last."""
    return float(np.cumsum(np.square(X.reshape(-1)))[-1]) / 2


@pytest.fixture(scope="module")
def flat():
    """A residual (1, F) that is the same everywhere, where sums go wrong most."""
    return np.full((1, LARGE), 0.0137, np.float32)


@pytest.mark.parametrize("size", [0, 1, 7, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_inner_products_of_any_length_are_those_of_their_definition(size, dtype):
    X, Y = np.random.default_rng(size).standard_normal((2, 3, size)).astype(dtype)
    expected = [float(x.astype(np.float64) @ y) for x, y in zip(X, Y, strict=True)]
    close = {"rtol": 1e-6, "atol": 1e-6 * size**0.5} if dtype == np.float32 else {"rtol": 1e-12, "atol": 1e-12}
    by_row = inner_by_row(X, Y)
    assert by_row.dtype == np.float64
    np.testing.assert_allclose(by_row, expected, **close)
    assert inner(X, Y) == pytest.approx(sum(expected), rel=close["rtol"], abs=close["atol"])
    assert inner(X.T, Y.T) == pytest.approx(sum(expected), rel=close["rtol"], abs=close["atol"])
    assert not inner_by_row(X[:0], Y[:0]).size


def test_inner_products_of_large_frames_are_exact_where_one_sum_is_not(flat):
    assert inner(flat, flat) / 2 == pytest.approx(halves(flat), rel=1e-6)
    assert in_one_sum(flat) != pytest.approx(halves(flat), rel=1e-4)


LOSSES = {
    "least squares": lambda E: LeastSquaresLoss().values(E, np.ones((1, 1)))[0],
    "norm": lambda E: SampleNorm().values(E, np.ones((1, 1)))[0] ** 2 / 2,
    "weight of a norm": lambda E: 1 / float(SampleNorm().weights(E, np.ones((1, 1)))[0, 0]) ** 2 / 2,
    "ridge": lambda E: Ridge(1.0).value(E),
    "ridge of a dictionary": lambda E: Domain(BALL.constraint, ridge=1.0).value(E),
    "penalised": lambda E: PenalisedLoss(Ridge(1.0), 1.0, 0.0, 0.0).capped(E)[1],
    "squared error": lambda E: squared_error(E, np.zeros_like(E), np.zeros((1, 1), np.float32), 0).loss,
    "robust components": lambda E: RobustComponents(1.0, 1.0, 1.0, 1).encode(E, np.zeros_like(E), E[:, :1]).loss,
    "set aside": lambda E: SetAside(Extremes()).split(E, np.zeros_like(E), np.zeros((1, 1), np.float32)).loss / 2,
}  # fmt: skip


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES.keys())
def test_losses_of_large_frames_are_exact(loss, flat):
    assert loss(flat) == pytest.approx(halves(flat), rel=2e-6)


@pytest.mark.parametrize("ball", [NonnegativeBall(), ElasticNetBall(0.0, 2.0)], ids=["ball", "elastic net"])
def test_large_basis_images_are_shortened_to_the_border_of_their_set(ball, flat):
    projected = ball.project(flat.copy())
    assert halves(projected) == pytest.approx(0.5, rel=2e-6)
