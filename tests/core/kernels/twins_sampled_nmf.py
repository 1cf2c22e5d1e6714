"""The kernels of the fast method beside their twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_sampled_nmf as obvious

BLOCK = 2048
"""Pixels in a block of the kernels: some pictures are larger."""

WHITE = {np.uint8: 255, np.uint16: 65535, np.float32: 1}


def problem(n, rank, seed, dtype):
    """A dictionary with unit columns, coefficients, and a vector that they explain but for noise and outliers."""
    rng = np.random.default_rng(seed)
    W = rng.random((rank, n)) * (rng.random((rank, n)) < 0.8) + 1e-3
    W = (W / np.linalg.norm(W, axis=1, keepdims=True)).astype(np.float32)
    h = rng.uniform(0.2, 1, rank) * np.sqrt(n) / rank
    unit = np.clip(h @ W + 0.01 * rng.standard_normal(n), 0, 1)
    far = rng.random(n) < 0.2
    unit[far] = rng.random(far.sum())
    v = unit.astype(dtype) if dtype == np.float32 else np.rint(unit * WHITE[dtype]).astype(dtype)
    return W, h, v, np.float32(1 / WHITE[dtype])


def backgrounds():
    for seed, (n, dtype, white) in enumerate([(9, np.uint8, 255), (BLOCK + 40, np.uint8, 255), (300, np.uint16, 1023)]):
        W, h, _, _ = problem(n, 3, seed, dtype)
        W[:, 2 * n // 3 :] -= 0.7 * W[:, 2 * n // 3 :].max()
        zeros = np.float32(white), 2 * n // 3, np.float32(white // 16), np.float32((white + 1) // 2)
        for scale in (1, 1.5):
            yield n // 9, n, W, (scale * h * white).astype(np.float32), *zeros, np.full(n, 7, dtype)


def samples_to_learn():
    for seed, (n, rank, dtype) in enumerate([
        (7, 1, np.uint8), (60, 3, np.uint16), (50, 6, np.float32), (BLOCK + 30, 2, np.uint8),
    ]):  # fmt: skip
        W, h, v, scale = problem(n, rank, seed, dtype)
        v[2 * n // 3 :] = v[2 * n // 3 :] / 2 + WHITE[dtype] / 2  # Around what stands for no colour there.
        rng = np.random.default_rng(seed)
        H = h + 0.2 * rng.random((40, rank))
        A = (H.T @ H).astype(np.float32)
        B = (A @ W * (1 + 0.05 * rng.standard_normal(W.shape))).astype(np.float32)
        inverse, h = (1 / (np.diag(A) * 1.01)).astype(np.float32), h.astype(np.float32)
        forgetting = np.float32(0.98), np.float32(0.05)
        zeros = 2 * n // 3, np.float32(0.06), np.float32(0.5)
        for hidden in (np.zeros(0, np.uint8), np.where(rng.random(n) < 0.3, np.uint8(255), np.uint8(0))):
            yield n // 6, n - 1, v, scale, W, B, A, inverse, h, *forgetting, hidden, *zeros


HUBER = np.float32(np.inf)
"""Nothing is far."""


def samples_to_encode():
    for seed, (rank, lam) in enumerate([(1, 0.05), (2, 10.0), (4, 0.05), (3, 0.02)]):
        W, true, v, scale = problem(300, rank, seed, np.uint8)
        trust = np.where(np.random.default_rng(seed).random(300) < 0.2, 0.05, 1).astype(np.float32)
        v = (v * scale).astype(np.float32)
        if seed % 2:  # A column that nothing needs comes out at 0.
            W = np.vstack([W, (1e-3 + (v < v.mean())).astype(np.float32) / 20])
        near = np.zeros(len(W))
        near[:rank] = 1.02 * true  # Where the loss levels off, solutions are those next to the start.
        yield v, W, trust, np.float32(lam), np.float32(max(2 * lam, 0.1)), 300, 1e-7, near
        yield v, W, trust, np.float32(lam), HUBER, 300, 1e-7, np.full(len(W), 0.5 * true.max())
    W[1] = 0
    yield v, W, trust, np.float32(0.05), HUBER, 300, 1e-7, np.zeros(len(W))
    yield (
        v,
        W,
        trust,
        np.float32(10),
        HUBER,
        1,
        0.0,
        np.zeros(len(W)),
    )  # Plain least squares: one round will do.


def picked():
    rng = np.random.default_rng(3)
    for dtype, white in WHITE.items():
        v = (white * rng.random(90)).astype(dtype)
        index, zero = rng.permutation(90)[:40].astype(np.intp), rng.random(40).astype(np.float32)
        yield v, index, np.float32(1 / white), zero, np.full(40, 7, np.float32)


def covered():
    rng = np.random.default_rng(4)
    values, white = rng.random(50).astype(np.float32), np.where(np.arange(50) < 30, 0.7, 0.9).astype(np.float32)
    values[3], values[40] = white[3], white[40]
    index = rng.integers(0, 30, 50).astype(np.intp)
    for hidden in (np.zeros(0, np.uint8), np.where(rng.random(30) < 0.4, np.uint8(255), np.uint8(0))):
        yield values, white, hidden, index, np.float32(0.1), np.zeros(50, np.bool_), np.full(50, 7, np.float32)


def explained():
    for seed, rank in enumerate((1, 4)):
        W, h, v, scale = problem(200, rank, seed, np.uint8)
        white = np.where(np.arange(200) < 130, 0.6, 0.4).astype(np.float32)
        yield (v * scale).astype(np.float32), W, h.astype(np.float32), white, np.full(200, 7, np.float32)


def dictionaries():
    rng = np.random.default_rng(5)
    yield rng.random((3, 70)).astype(np.float32), rng.integers(0, 70, 25).astype(np.intp), np.zeros((3, 25), np.float32)


def unsorted():
    rng = np.random.default_rng(4)
    for n, dtype in ((1, np.uint8), (2, np.uint8), (3, np.float32), (8, np.uint16), (15, np.uint8), (33, np.uint8)):
        yield ((255 * rng.random((n, 40))).astype(dtype),)


def histories():
    for count in (1, 2, 5, 8):
        for n, dtype in ((40, np.uint8), (BLOCK + 30, np.uint16), (50, np.float32)):
            frames = (np.random.default_rng(count).random((8, n)) * 250).astype(dtype)
            yield n // 7, n - 2, frames, count, np.full(n, 77, dtype)


TWINS = (
    Twin(
        "background_band",
        obvious.background_band,
        backgrounds,
        (
            ("model + 0.5", "model"),
            ("p >= signed_from", "p > signed_from"),
            ("neutral if", "black if"),
            ("), white)", "), white + 1)"),
            ("in range(start, stop)", "in range(start, stop - 1)"),
        ),
        Tolerance(rounded=0.005),
    ),
    Twin(
        "learn_band",
        obvious.learn_band,
        samples_to_learn,
        (
            ("p < signed_from", "p <= signed_from"),
            ("hidden.size and hidden[p]", "False"),
            ("keep * sums[k]", "sums[k]"),
            ("w[j] * A[j, k]", "W[j, p] * A[j, k]"),
            ("min(max(e, -lam), lam)", "max(e, -lam)"),
            ("max(least, ", "max(0, "),
            ("(model + c)", "model"),
            ("else (neutral, -inf)", "else (black, -inf)"),
            ("norms[k] += w[k] ** 2", "norms[k] += w[k]"),
        ),
        Tolerance(3e-5),
    ),
    Twin(
        "encode",
        obvious.encode,
        samples_to_encode,
        (
            ("-W @ (trust * pull", "-W @ (pull"),
            ("trust * loss(e, lam, far)", "loss(e, lam, far)"),
            ("(0, None)", "(None, None)"),
            ("pull(e, lam, far)", "e"),
            ("pull(e, lam, far)", "np.clip(e, -lam, lam)"),
            ("np.sum(rest), np.sum(trust * rest)", "np.sum(trust * rest), np.sum(trust * rest)"),
            ("np.sum(rest), np.sum(trust * rest)", "np.sum(rest), np.sum(rest)"),
            ("rest = loss(v - out @ W, lam, far)", "rest = loss(v - out @ W, lam, 1e9)"),
        ),
        Tolerance(1e-3),
    ),
    Twin(
        "sample",
        obvious.sample,
        picked,
        (("- float(zero[s])", ""), ("v[p]", "v[s]"), ("* float(scale)", "")),
        Tolerance(1e-6),
    ),
    Twin(
        "weigh",
        obvious.weigh,
        covered,
        (
            ("hidden[pixel_index[s]]", "hidden[s % hidden.size]"),
            (">= white[s]", "> white[s]"),
            ("covered[s] or", ""),
            ("else 1", "else 0"),
        ),
    ),
    Twin(
        "clipped_residual",
        obvious.clipped_residual,
        explained,
        (
            ("min(model, float(white[s]))", "model"),
            ("white[s]", "white[0]"),
            ("float(values[s]) - ", "-float(values[s]) + "),
        ),
        Tolerance(1e-5),
    ),
    Twin("gather", obvious.gather, dictionaries, (("W[k, p]", "W[k, s]"),)),
    Twin(
        "median_band",
        obvious.median_band,
        histories,
        (
            ("median_low", "(lambda x: sorted(x)[len(x) // 2])"),
            ("frames[:count, p]", "frames[:, p]"),
            ("in range(start, stop)", "in range(start, stop + 1)"),
        ),
    ),
    Twin(
        "sort_columns",
        obvious.sort_columns,
        unsorted,
        (("rows[:, p].tolist())", "rows[:, p].tolist(), reverse=True)"), ("rows.shape[1]", "rows.shape[1] - 1")),
    ),
)
