"""Sets and penalties of Zhao & Tan (2017), section VI, slow and obvious: loops, general minimisers, no closed forms."""

import itertools

import numpy as np
from scipy.optimize import minimize

MEMBERS = {
    "orthant": np.min,
    "ball": lambda w: min(np.min(w), 1 - np.sqrt(w @ w)),
    "simplex": lambda w: min(np.min(w), -abs(np.sum(w) - 1)),
    "elastic-net": lambda w, g1, g2: min(np.min(w), 1 - g1 * np.sum(np.abs(w)) - g2 / 2 * w @ w),
}
"""How far inside its set a basis image is; negative: outside."""


def project(x, equation=None, bound=None):
    """The nearest ``w ≥ 0`` with ``equation(w) = 0``, or ``bound(w) ≥ 0``, by a general minimiser."""
    constraints = []
    if equation:
        constraints.append({"type": "eq", "fun": equation})
    if bound:
        constraints.append({"type": "ineq", "fun": bound})
    return minimize(
        lambda w: np.sum((w - x) ** 2), np.full(x.size, 0.5 / x.size), jac=lambda w: 2 * (w - x), method="SLSQP",
        bounds=[(0, None)] * x.size, constraints=constraints, options={"ftol": 1e-15, "maxiter": 1000},
    ).x  # fmt: skip


def wrongly_project_on_simplex(x):
    """Clip and divide by the sum: on the simplex, but not the nearest point."""
    x = np.maximum(x, 0)
    return x / x.sum()


def blocks(shapes, size):
    """Entries of each square block of each plane, one list a block."""
    found, start = [], 0
    for height, width in shapes:
        for y, x in itertools.product(range(0, height, size), range(0, width, size)):
            rows, columns = range(y, min(y + size, height)), range(x, min(x + size, width))
            found.append([start + i * width + j for i in rows for j in columns])
        start += height * width
    return found


def penalty(x, lasso=0.0, ridge=0.0, group=0.0, groups=()):
    """Every penalty at once, on one vector."""
    value = lasso * np.sum(np.abs(x)) + ridge / 2 * np.sum(x**2)
    return value + sum(group * np.sqrt(len(g)) * np.sqrt(np.sum(x[g] ** 2)) for g in groups)


def encode(v, W, low, high, on_h, on_r):
    """Solve (9) for h and r at once, with ``on_h`` and ``on_r`` arguments of `penalty`; return h and the objective.

    Both are split into positive and negative parts, so that absolute values are linear; norms of groups are smoothed.
    """
    K, F = W.shape[1], v.size
    tiny = 1e-14

    def smooth(x, lasso=0.0, ridge=0.0, group=0.0, groups=()):
        value, slope = lasso * x.sum() + ridge / 2 * x @ x, lasso + ridge * x
        for g in groups:
            norm = np.sqrt(x[g] @ x[g] + tiny)
            value += group * np.sqrt(len(g)) * norm
            slope[g] = slope[g] + group * np.sqrt(len(g)) * x[g] / norm
        return value, slope

    def objective(z):
        h, above, below = z[:K], z[K : K + F], z[K + F :]
        left = W @ h + above - below - v
        value_h, slope_h = smooth(h, **on_h)
        r = above - below
        kwargs = {**on_r, "lasso": 0.0}
        value_r, slope_r = smooth(r, **kwargs)
        lasso = on_r.get("lasso", 0.0)
        value = 0.5 * left @ left + value_h + value_r + lasso * (above.sum() + below.sum())
        return value, np.concatenate([W.T @ left + slope_h, left + slope_r + lasso, -left - slope_r + lasso])

    bounds = [(0, None)] * K + [(0, high)] * F + [(0, -low)] * F
    found = minimize(
        objective, np.full(K + 2 * F, 0.05), jac=True, bounds=bounds, method="L-BFGS-B",
        options={"ftol": 1e-16, "gtol": 1e-11, "maxiter": 100_000, "maxfun": 200_000, "maxcor": 50},
    )  # fmt: skip
    return found.x[:K], found.fun


def surrogate(W, A, B, lasso, ridge):
    """Objective (12) with an elastic net whose weights count in units of the coefficients' root mean square."""
    square = np.trace(A) / len(A)
    net = lasso * np.sqrt(square) * np.abs(W).sum() + ridge * square / 2 * np.sum(W**2)
    return 0.5 * np.trace(W.T @ W @ A) - np.trace(W.T @ B) + net


def dictionary(W, A, B, lasso, ridge, project_column, steps):
    """Minimise (12), columns in the notation of the paper, by plain steps: gradient with the net's, then the set."""
    square = np.trace(A) / len(A)
    eta = 1 / (np.linalg.norm(A, 2) + ridge * square)
    for _ in range(steps):
        slope = W @ A - B + lasso * np.sqrt(square) + ridge * square * W
        W = np.stack([project_column(w) for w in (W - eta * slope).T], axis=1)
    return W
