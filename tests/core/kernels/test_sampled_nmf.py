import numpy as np
import pytest

from core.kernels import dictionary_pass, median, sampled_nmf
from tests.reference import fast_video

HUBER = np.float32(np.inf)
"""Nothing is far."""

SIZES = [1, 7, dictionary_pass.BLOCK, dictionary_pass.BLOCK + 1, 2 * dictionary_pass.BLOCK + 777]


def problem(n, rank=3, seed=0, dtype=np.uint8):
    """A dictionary with unit columns, coefficients, and a vector that they explain but for noise and outliers."""
    rng = np.random.default_rng(seed)
    W = rng.random((rank, n)) * (rng.random((rank, n)) < 0.8) + 1e-3
    W = (W / np.linalg.norm(W, axis=1, keepdims=True)).astype(np.float32)
    h = rng.uniform(0.2, 1, rank) * np.sqrt(n) / rank
    unit = np.clip(h @ W + 0.01 * rng.standard_normal(n), 0, 1)
    far = rng.random(n) < 0.2
    unit[far] = rng.random(far.sum())
    if dtype == np.float32:
        return W, h, unit.astype(np.float32), np.float32(1)
    white = np.iinfo(dtype).max
    return W, h, np.rint(unit * white).astype(dtype), np.float32(1 / white)


def arguments(n, rank=3, dtype=np.uint8, hides=True):
    W, h, v, scale = problem(n, rank, dtype=dtype)
    rng = np.random.default_rng(9)
    H = h + 0.2 * rng.random((40, rank))
    A = (H.T @ H).astype(np.float32)
    B = (A @ W * (1 + 0.05 * rng.standard_normal(W.shape))).astype(np.float32)
    inverse = (1 / (np.diag(A) * 1.01)).astype(np.float32)
    hidden = np.where(rng.random(n if hides else 0) < 0.3, np.uint8(255), np.uint8(0))
    zeros = (max(1, 2 * n // 3), np.float32(0.06), np.float32(0.5))
    forgetting = (np.float32(0.98), np.float32(0.05))
    return v, scale, W, B, A, inverse, h.astype(np.float32), *forgetting, hidden, *zeros


def learn_fast(start, stop, v, scale, W, B, *rest):
    W, B = W.copy(), B.copy()
    norms = dictionary_pass.learn_band(start, stop, v, scale, W, B, *rest)
    return W, B, norms


def worst(got, expected):
    """Largest difference, in parts of the largest value."""
    return np.abs(got - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize(("white", "dtype"), [(255, np.uint8), (1023, np.uint16), (65535, np.uint16)])
def test_the_background_is_rounded_to_the_nearest_sample(n, white, dtype):
    W, h, _, _ = problem(n)
    scaled = (h * white).astype(np.float32)
    out = np.zeros(n, dtype)
    W[:, 2 * n // 3 :] -= 0.7 * W[:, 2 * n // 3 :].max()
    zeros = (2 * n // 3, np.float32(white // 16), np.float32((white + 1) // 2))
    dictionary_pass.background_band(0, n, W, scaled, np.float32(white), *zeros, out)
    zero = np.where(np.arange(n) < zeros[0], zeros[1], zeros[2])
    exact = np.clip(W.astype(float).T @ scaled.astype(float) + zero, 0, white)
    assert np.abs(out - exact).max() <= 0.5 + 1e-6 * white
    assert np.mean(out != fast_video.background(W, scaled, white, *zeros)) < 0.01


def test_a_background_brighter_than_white_is_white():
    out = np.zeros(3, np.uint8)
    W = np.array([[0.1, 0.5, 1.0]], np.float32)
    dictionary_pass.background_band(
        0, 3, W, np.array([600], np.float32), np.float32(255), 3, np.float32(0), np.float32(0), out
    )
    assert out.tolist() == [60, 255, 255]


def test_the_background_of_no_columns_is_black():
    out = np.full(3000, 7, np.uint8)
    white, black, neutral = (np.float32(x) for x in (255, 16, 128))
    dictionary_pass.background_band(
        0, 3000, np.empty((0, 3000), np.float32), np.empty(0, np.float32), white, 2000, black, neutral, out
    )
    assert (out[:2000] == 16).all()
    assert (out[2000:] == 128).all()


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("rank", [1, 3, 6])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("hides", [False, True])
def test_learning_is_the_obvious_loop_over_pixels(n, rank, dtype, hides):
    given = arguments(n, rank, dtype, hides)
    W, B, norms = learn_fast(0, n, *given)
    expected = fast_video.learn(*given)
    assert worst(W, expected[0]) < 2e-5
    assert worst(B, expected[1]) < 1e-5
    np.testing.assert_allclose(norms, expected[2], rtol=1e-4)


@pytest.mark.parametrize(
    "wrong", [fast_video.learn_all_at_once, fast_video.learn_from_everything, fast_video.learn_without_sign]
)
def test_that_comparison_finds_a_wrong_sweep(wrong):
    given = arguments(dictionary_pass.BLOCK + 1)
    W, _, _ = learn_fast(0, dictionary_pass.BLOCK + 1, *given)
    assert worst(W, wrong(*given)[0]) > 1e-3


def test_bands_write_only_within_their_bounds_and_add_up():
    n, middle = 2 * dictionary_pass.BLOCK + 777, dictionary_pass.BLOCK + 100
    given = arguments(n)
    W, B, norms = learn_fast(0, n, *given)
    first = learn_fast(0, middle, *given)
    second = learn_fast(middle, n, *given)
    np.testing.assert_array_equal(first[0][:, middle:], given[2][:, middle:])
    np.testing.assert_array_equal(second[1][:, :middle], given[3][:, :middle])
    np.testing.assert_array_equal(np.hstack([first[0][:, :middle], second[0][:, middle:]]), W)
    np.testing.assert_array_equal(np.hstack([first[1][:, :middle], second[1][:, middle:]]), B)
    np.testing.assert_allclose(first[2] + second[2], norms, rtol=1e-5)


def test_learning_leaves_the_vector_and_the_statistics_of_coefficients_alone():
    given = arguments(100)
    kept = [given[i].copy() for i in (0, 4, 5, 6)]
    learn_fast(0, 100, *given)
    for i, before in zip((0, 4, 5, 6), kept, strict=True):
        np.testing.assert_array_equal(given[i], before)


def test_a_sweep_never_raises_the_surrogate():
    v, scale, W, B, A, _, h, *rest = arguments(500, 4)
    exact_inverse = (1 / np.diag(A)).astype(np.float32)
    teaches_nothing = np.zeros_like(h)

    def surrogate(W):
        W = W.astype(float)
        return 0.5 * np.sum((A @ W) * W) - np.sum(W * B)

    values = [surrogate(W)]
    for _ in range(30):
        W, _, _ = learn_fast(0, 500, v, scale, W, B, A, exact_inverse, teaches_nothing, np.float32(1), *rest[1:])
        values.append(surrogate(W))
    assert values[-1] < values[0]
    assert np.diff(values).max() <= 1e-6 * abs(values[0])


def test_what_lies_far_is_not_taken_for_light_though_it_is_nearly_half_of_the_picture():
    rng = np.random.default_rng(0)
    across, W = np.linspace(0, 1, 2000), np.empty((2, 2000), np.float32)
    W[0], W[1] = 1 / np.sqrt(2000), across / np.linalg.norm(across)
    h = np.array([0.4, 0.1]) / W[:, -1]
    v = (h @ W + rng.normal(0, 0.002, 2000)).astype(np.float32)
    v[1100:] -= 0.2  # A shadow across the right.
    trust, lam = np.ones(2000, np.float32), np.float32(0.006)
    kept, bent = h * 1.01, h * 1.01
    sampled_nmf.encode(v, W, trust, lam, np.float32(12 / 255), 50, 1e-4, kept)
    sampled_nmf.encode(v, W, trust, lam, HUBER, 50, 1e-4, bent)
    np.testing.assert_allclose(kept @ W, h @ W, atol=0.006)
    assert np.abs(bent @ W - h @ W)[:1100].max() > 0.02


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rank", [1, 2, 5])
@pytest.mark.parametrize("lam", [0.005, 0.05, 10.0])
def test_coefficients_are_those_of_a_general_minimiser(rank, lam, seed):
    W, true, v, scale = problem(400, rank, seed)
    v = (v * scale).astype(np.float32)
    if seed % 2:  # a column that nothing needs has to come out at 0
        W = np.vstack([W, (1e-3 + (v < v.mean())).astype(np.float32) / 20])
    start = np.full(len(W), 0.5 * true.max())
    h = start.copy()
    loss, _, rounds = sampled_nmf.encode(v, W, np.ones(v.size, np.float32), np.float32(lam), HUBER, 200, 1e-6, h)
    expected_h, expected = fast_video.encode(v, W, lam, start)
    assert h.min() >= 0
    assert rounds < 200
    assert loss == pytest.approx(fast_video.huber(v - h @ W.astype(float), lam), rel=1e-4, abs=1e-7)
    assert loss <= expected * (1 + 1e-4) + 1e-7
    if lam > 0.01:
        np.testing.assert_allclose(h, expected_h, atol=5e-3 * expected_h.max())


def test_least_squares_would_not_pass_for_the_robust_coefficients():
    W, _, v, scale = problem(400, 3)
    v = (v * scale).astype(np.float32)
    squares = np.linalg.lstsq(W.T.astype(float), v, rcond=None)[0]
    _, best = fast_video.encode(v, W, 0.005, np.ones(3))
    assert fast_video.huber(v - squares @ W, 0.005) > 1.02 * best


@pytest.mark.parametrize("kind", ["black", "white", "empty column", "twin columns"])
def test_degenerate_input_ends_with_finite_coefficients(kind):
    W, h, v, scale = problem(300, 3)
    v = (v * scale).astype(np.float32)
    if kind in ("black", "white"):
        v[:] = kind == "white"
    elif kind == "empty column":
        W[1] = 0
    else:
        W[2] = W[1]
    h = h.copy()
    loss, *_ = sampled_nmf.encode(v, W, np.ones(v.size, np.float32), np.float32(0.02), HUBER, 100, 1e-5, h)
    assert np.isfinite(h).all()
    assert h.min() >= 0
    _, best = fast_video.encode(v, W, 0.02, np.ones(3))
    assert loss <= best * (1 + 1e-3) + 1e-6


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("count", [1, 2, 3, 8, 15])
def test_the_median_is_the_lower_of_the_middle_two(dtype, count):
    rng = np.random.default_rng(count)
    frames = (rng.random((15, dictionary_pass.BLOCK + 333)) * 60_000 % 251).astype(dtype)
    kept = frames.copy()
    out = np.full(frames.shape[1], 77, dtype)
    median.median_band(5, frames.shape[1] - 3, frames, count, out)
    expected = np.sort(frames[:count], axis=0)[(count - 1) // 2]
    np.testing.assert_array_equal(out[5:-3], expected[5:-3])
    assert (out[:5] == 77).all()
    assert (out[-3:] == 77).all()
    np.testing.assert_array_equal(frames, kept)
