"""Guan et al. (2019) as printed, entry by entry and column by column; samples are columns here: V (F, n) ≈ W H."""

import numpy as np


def optimal_gradient(V_j, W, h, d, n_steps, tolerance):
    """Algorithm 1 for one column; returns the feasible point h^k, where the paper's line 8 says z^k."""
    D = np.diag(d)
    G, b = W.T @ D @ W, W.T @ D @ V_j
    L = np.linalg.norm(G, 2)
    if L == 0:
        return h

    def projected(point):
        slope = G @ point - b
        return np.linalg.norm([s for s, x in zip(slope, point, strict=True) if x > 0 or s < 0])

    first, z, alpha = projected(h), h, 1.0
    for _ in range(n_steps):
        ahead = np.maximum(z - (G @ z - b) / L, 0)
        next_alpha = (1 + np.sqrt(4 * alpha**2 + 1)) / 2
        z = ahead + (alpha - 1) / next_alpha * (ahead - h)
        h, alpha = ahead, next_alpha
        if projected(h) <= tolerance * first:
            break
    return h


def nagy_scale(E, n_steps=60):
    """Equation (18) from 1 on."""
    gamma = 1.0
    for _ in range(n_steps):
        mean = np.mean([1 / (1 + (e / gamma) ** 2) for e in E.ravel()])
        gamma *= np.sqrt(1 / mean - 1)
    return gamma


def is_outlier(E):
    """Section 3.3, as methods are compared by: three sigmas of the lower half of the magnitudes."""
    theta = np.sort(np.abs(E).ravel())
    lower = theta[: (theta.size + 1) // 2]
    return np.abs(E) - lower.mean() > 3 * lower.std()


def weights_of(E, gamma, truncated):
    """Line 2, and line 4."""
    Q = np.empty_like(E)
    for place in np.ndindex(*E.shape):
        Q[place] = 1 / (1 + (E[place] / gamma) ** 2)
    if truncated:
        Q[is_outlier(E)] = 0
    return Q


def limit_of(E, when):
    """The magnitude beyond which an entry has no weight: the paper's, three robust standard deviations, or none."""
    theta = np.sort(np.abs(E).ravel())
    lower = theta[: (theta.size + 1) // 2]
    return {"lenient": np.inf, "strict": lower.mean() + 3 * lower.std(), "late": 3 * 1.4826 * np.median(theta)}[when]


def iteration(V, W, H, n_steps, tolerance, when="lenient"):
    """Algorithm 2, lines 2 to 9; the limit holds for both halves."""
    gamma, limit = nagy_scale(V - W @ H), limit_of(V - W @ H, when)
    Q = weights_of(V - W @ H, gamma, False) * (np.abs(V - W @ H) <= limit)
    H = np.stack([optimal_gradient(v, W, h, q, n_steps, tolerance) for v, h, q in zip(V.T, H.T, Q.T, strict=True)], 1)
    Q = weights_of(V - W @ H, gamma, False) * (np.abs(V - W @ H) <= limit)
    W = np.stack([optimal_gradient(v, H.T, w, q, n_steps, tolerance) for v, w, q in zip(V, W, Q, strict=True)])
    return W, H


SCALES = {
    "l2": lambda E, given: None,
    "l1": lambda E, given: given,
    "l21": lambda E, given: None,
    "capped": lambda E, given: (1 + 1e-9) * sorted(np.linalg.norm(E, axis=0))[max(1, round(given * E.shape[1])) - 1],
    "hypersurface": lambda E, given: given,
    "huber": lambda E, given: np.median(np.abs(E)),
    "cim": lambda E, given: np.mean(E**2),
    "cauchy": lambda E, given: nagy_scale(E),
}
"""What the weights of table 1 go by, found anew in each iteration; ``given`` is what the papers leave open: how far
absolute values are smoothed, how wide the hypersurface is, which share of the samples the capped norm keeps."""

WEIGHTS = {
    "l2": lambda e, norm, scale: 1,
    "l1": lambda e, norm, scale: 1 / max(abs(e), scale),
    "l21": lambda e, norm, scale: 1 / norm,
    "capped": lambda e, norm, scale: 1 / (2 * norm) if norm <= scale else 0,
    "hypersurface": lambda e, norm, scale: 1 / np.sqrt(1 + (e / scale) ** 2),
    "huber": lambda e, norm, scale: 1 if abs(e) <= scale else scale / abs(e),
    "cim": lambda e, norm, scale: np.exp(-(e**2) / scale),
    "cauchy": lambda e, norm, scale: 1 / (1 + (e / scale) ** 2),
}
"""Table 1: the weight of an entry, or of all in a sample, of a residual ``e`` in a sample whose residual has a norm."""


def iteration_of_table_1(name, V, W, H, n_steps, tolerance, given=None):
    """Weights, coefficients, weights anew, dictionary. A weight of a whole sample cancels in its coefficients."""
    scale = SCALES[name](V - W @ H, given)

    def weights():
        E = V - W @ H
        return np.array([[WEIGHTS[name](e, np.linalg.norm(E[:, j]), scale) for j, e in enumerate(row)] for row in E])

    Q = np.ones_like(V) if name in {"l21", "capped"} else weights()
    H = np.stack([optimal_gradient(v, W, h, q, n_steps, tolerance) for v, h, q in zip(V.T, H.T, Q.T, strict=True)], 1)
    Q = weights()
    W = np.stack([optimal_gradient(v, H.T, w, q, n_steps, tolerance) for v, w, q in zip(V, W, Q, strict=True)])
    return W, H


def shoulder(E):
    """The share of entries between three robust standard deviations and eight medians."""
    magnitudes = np.abs(E).ravel()
    median = np.median(magnitudes)
    return sum(3 * 1.4826 * median < e <= 8 * median for e in magnitudes) / magnitudes.size


def course(V, W, H, limits, n_steps, tolerance):
    """Algorithm 2, an iteration for each name of a limit."""
    for when in limits:
        W, H = iteration(V, W, H, n_steps, tolerance, when)
    return W, H


def two_starts(V, W, H, n_lenient, n_strict, n_trial, n_steps, tolerance):
    """Algorithm 2 with the limit from the start, and after lenient iterations; the first, unless it misses more."""
    then = ["strict"] * n_strict + ["late"] * n_trial
    scaled = np.stack([h * np.median(v / np.maximum(W @ h, 1e-6)) for v, h in zip(V.T, H.T, strict=True)], 1)
    strict = course(V, W, scaled, then[:n_trial], n_steps, tolerance)
    lenient = course(V, W, H, [*["lenient"] * n_lenient, *then][:n_trial], n_steps, tolerance)
    return lenient if shoulder(V - lenient[0] @ lenient[1]) < 0.8 * shoulder(V - strict[0] @ strict[1]) else strict


def rnmf_l1_sweep(V, W, H, lam):
    """Zhang et al. (2011): S, then W, then H, entry by entry."""
    S = np.zeros_like(V)
    E = V - W @ H
    for place in np.ndindex(*E.shape):
        S[place] = np.sign(E[place]) * max(abs(E[place]) - lam / 2, 0)
    X = V - S
    XH, WHH = X @ H.T, W @ H @ H.T
    W = W * (np.abs(XH) + XH) / (2 * WHH)
    WX, WWH = W.T @ X, W.T @ W @ H
    return W, H * (np.abs(WX) + WX) / (2 * WWH)


def rnmf_l1_objective(V, W, H, lam):
    E = V - W @ H
    S = np.sign(E) * np.maximum(np.abs(E) - lam / 2, 0)
    return np.sum((E - S) ** 2) + lam * np.sum(np.abs(S))
