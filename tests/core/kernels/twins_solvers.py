"""The kernels of losses and of least squares beside their twins."""

import numpy as np

from tests.core.kernels.twin import Tolerance, Twin
from tests.reference import kernels_solvers as obvious


def grams():
    for seed in range(4):
        rng = np.random.default_rng(seed)
        W = rng.random((5, 9)) * (rng.random((5, 9)) < 0.7)
        W[3] *= seed % 2  # A zero on the diagonal: that coordinate is left as it is.
        yield W @ W.T, W @ rng.uniform(-0.5, 1, 9), 1 + 2 * seed, rng.random(5)


def residuals():
    for seed, kind in enumerate((np.float32, np.float64)):
        e = np.random.default_rng(seed).normal(0, 1, 200).astype(kind)
        e[5], e[6] = 0.3, -0.3
        for low, high in ((-np.inf, np.inf), (0, np.inf), (-0.5, 0.4)):
            yield e, kind(0.3), kind(low), kind(high), np.full(200, 7, kind)


def residuals_of_samples():
    for e, lam, low, high, room in residuals():
        yield e.reshape(5, 40), lam, low, high, room[:40], np.full(5, 7.0)


def multiplicative():
    for seed, (kind, n_values) in enumerate([(np.float32, 9), (np.float64, 70), (np.float32, 1060)]):
        rng = np.random.default_rng(seed)
        V, W, H = rng.random((3, n_values)), rng.random((4, n_values)), rng.random((3, 4)) / 4
        V[:, ::5] = 0
        for start in (0, n_values // 4):
            yield start, n_values, V.astype(kind), W.astype(kind), H.astype(kind), kind(0.05), (0.1 * V).astype(kind)


def columns():
    for seed, kind in enumerate((np.float32, np.float64)):
        rng = np.random.default_rng(seed)
        for w in (rng.normal(0, 1, 60), rng.random(60), np.full(7, 1 / 7), 9 * rng.random(1), -rng.random(12)):
            yield (w.astype(kind),)


def gradients():
    for seed in range(3):
        rng, kind = np.random.default_rng(seed), np.float32
        V, H = rng.random((5, 30)), rng.random((5, 4)) * (rng.random((5, 4)) < 0.6)
        W = rng.random((4, 30))
        W /= W.sum(axis=1, keepdims=True)
        order, steps = rng.integers(0, 5, 12 * seed).astype(np.intp), (0.2 / np.arange(1, 12 * seed + 1)).astype(kind)
        room = np.zeros(30, kind), np.full((4, 30), 7, kind)
        yield V.astype(kind), H.astype(kind), order, steps, W.astype(kind), *room


def sizes():
    for seed, n in enumerate((1, 16, 17, 200)):
        rng = np.random.default_rng(seed)
        yield (rng.normal(0, 1, n) * (rng.random(n) < 0.8)).astype(np.float32)


def sums():
    for r in sizes():
        for stride in (1, 16):
            for tau in (0, 0.5):
                yield r, stride, np.float32(tau)


def penalties():
    for r in sizes():
        for lam, stride in ((0.05, 1), (3.0, 1), (0.05, 16)):
            yield r, lam, stride, np.float32(0), 100


def to_shrink():
    for r in sizes():
        for lam in (0.02, 3.0):
            yield r, lam, np.full(r.size, 7, np.float32)


def weighted(kind=np.float64):
    for seed, (n, K) in enumerate([(6, 3), (4, 5), (5, 1), (3, 4)]):
        rng = np.random.default_rng(seed)
        matrices = []
        for i in range(1 if seed == 3 else n):
            W = rng.random((K, 9)) * (rng.random((K, 9)) < 0.7) * (i != 2)  # One has no weights at all.
            matrices.append((W @ W.T + 0.05 * np.eye(K) * (i != 2))[np.triu_indices(K)])
        products, H = rng.uniform(-1, 2, (n, K)).astype(kind), rng.random((n, K)).astype(kind)
        yield np.array(matrices, kind), products, 1e-9, 20_000, H


def weighted_to_the_end():
    """Some of the last go on until nothing is left to gain but rounding."""
    yield from weighted()
    rng = np.random.default_rng(0)
    W, H = rng.random((120, 3, 9)), rng.random((120, 3))
    grams = W @ W.transpose(0, 2, 1)
    yield grams[:, *np.triu_indices(3)], np.einsum("nkj,nj->nk", grams, H), 0.0, 200, H[::-1].copy()


def slopes():
    for grams, products, _, _, H in weighted(np.float32):
        K = H.shape[1]
        h = H[0] * (np.arange(K) != 1)
        yield obvious.matrix_of(grams[0], K).astype(np.float32), products[0], h, np.full(K, 7, np.float32)


def projections():
    rng = np.random.default_rng(0)
    for n in (1, 9):
        yield rng.normal(0, 1, n).astype(np.float32), (rng.random(n) * (rng.random(n) < 0.5)).astype(np.float32)


def matrices():
    for grams, _, _, _, H in weighted():
        K = H.shape[1]
        for triangle in grams:
            yield obvious.matrix_of(triangle, K), np.zeros(K), np.zeros(K)


TWINS = (
    Twin(
        "sweep",
        obvious.sweep,
        grams,
        (
            ("range(n_sweeps)", "range(n_sweeps - 1)"),
            ("max(0, ", "max(-9, "),
            ("b[k] - others", "b[k] + others"),
            ("* out[j] for", "* out[k] for"),
            ("if G[k, k] > 0", "if G[k, k] > 0 or not out.__setitem__(k, 0) and G[k, k]"),
        ),
        Tolerance(1e-12),
    ),
    Twin(
        "cap",
        obvious.cap,
        residuals,
        (
            ("- lam, 0)", "- lam / 2, 0)"),
            ("max(soft, low)", "soft"),
            (" + lam * abs(r)", ""),
            ("** 2 / 2", "** 2"),
            ("e[p] - r", "r"),
        ),
        Tolerance(1e-5),
    ),
    Twin(
        "losses",
        obvious.losses,
        residuals_of_samples,
        (("range(E.shape[0])", "range(E.shape[0] - 1)"), ("cap(E[i]", "cap(E[0]"), ("out[i] =", "out[i] = 0.5 *")),
        Tolerance(1e-5),
    ),
    Twin(
        "step_band",
        obvious.step_band,
        multiplicative,
        (
            ("fit + float(R[i, p]) + float(lam)", "fit + float(lam)"),
            ("(fit + r) * W", "fit * W"),
            ("** 2 / 2", "** 2"),
            ("in range(start, stop)", "in range(start, stop - 1)"),
            ("+ float(lam) * r", ""),
        ),
        Tolerance(2e-5),
    ),
    Twin(
        "project",
        obvious.project,
        columns,
        (("- 1) / n", "- 2) / n"), ("- shift, 0)", "- shift, -9)"), ("shift = max(", "shift = min(")),
        Tolerance(1e-5),
    ),
    Twin(
        "descend(V)",
        obvious.descend_on_simplex,
        gradients,
        (
            ("project(now[k])", "pass"),
            ("weights=steps", "weights=None"),
            ("+= step * h[k]", "-= step * h[k]"),
            ("v - h @ now", "v"),
            ("if led_to else 0", "if led_to else 1"),
        ),
        Tolerance(1e-5),
        scratch=("residual",),
    ),
    Twin(
        "sums_above",
        obvious.sums_above,
        sums,
        (("r[::stride]", "r[1::stride]"), ("> tau", ">= tau"), ("abs(float(x)) for", "float(x) for")),
        Tolerance(1e-5),
    ),
    Twin(
        "threshold",
        obvious.threshold,
        penalties,
        (
            ("left = lam * stride *", "left = lam *"),
            ("- middle, 0)", "- middle, -9)"),
            ("abs(float(x)) - middle", "float(x) - middle"),
        ),
        Tolerance(1e-5),
    ),
    Twin(
        "shrink",
        obvious.shrink,
        to_shrink,
        (
            ("threshold(r, lam, 1, 0, 1)", "threshold(r, lam / 2, 1, 0, 1)"),
            ("np.sign(r[p]) *", ""),
            ("threshold(r, lam, 1, 0, 1)", "lam / 2"),
            ("np.abs(e).sum", "(e**2).sum"),
        ),
        Tolerance(1e-5),
    ),
    Twin(
        "descend(grams)",
        obvious.descend_to_minimum,
        weighted_to_the_end,
        (
            ("(h >= 0).all() and ", ""),
            ("/ 2 - b @ h", "- b @ h"),
            ("if not G.any():\n            continue", ""),
            ("grams[i % len(grams)]", "grams[0]"),
        ),
        Tolerance(1e-5),
    ),
    Twin(
        "gradient",
        obvious.gradient,
        slopes,
        (("- float(b[k])", "+ float(b[k])"), ("G[k, j]", "G[k, k]")),
        Tolerance(1e-5),
    ),
    Twin(
        "projected",
        obvious.projected,
        projections,
        (("or s < 0", ""), ("or s < 0", "or s > 0"), ("** 2", "")),
        Tolerance(1e-5),
    ),
    Twin(
        "bound",
        obvious.bound,
        matrices,
        (("float), 2)", 'float), "fro")'), ("float), 2)", "float), 2) * 0.97"), ("float), 2)", "float), np.inf)")),
        Tolerance(0.02),
        scratch=("x", "y"),
    ),
)
