"""Slow, obvious versions of Zhao, Tan & Xu (2017): loops over samples and values, written from the formulae.

Orientation of the paper: samples are columns, ``V (F, N) ≈ W (F, K) H (K, N)``. ``tip`` is where ℓ1 and ℓ2 are rounded
off, which the paper does not do.
"""

import math

import numpy as np
from scipy.optimize import brentq, minimize

NAMES = ("is", "kl", "l2sq", "huber", "l1", "l2", "alpha", "beta", "gamma")
ALPHA, BETA, GAMMA = 0.5, 1.5, 0.5
AB = ALPHA, BETA


def divergence(name, v, u, delta, tip):
    """d(v ‖ u) of two vectors."""
    if name == "l2":
        norm = math.sqrt(sum((a - b) ** 2 for a, b in zip(v, u, strict=True)))
        return norm if norm >= tip else norm**2 / (2 * tip) + tip / 2
    if name == "gamma":
        beta, sum_v = 1 + GAMMA, sum(a ** (1 + GAMMA) for a in v)
        distance = sum(
            (a**beta + GAMMA * b**beta - beta * a * b**GAMMA) / (beta * GAMMA) for a, b in zip(v, u, strict=True)
        )
        return -math.log(max(1 - GAMMA * beta * distance / sum_v, 1e-3)) / (GAMMA * beta)
    return sum(_scalar(name, float(a), float(b), delta, tip) for a, b in zip(v, u, strict=True))


def _scalar(name, v, u, delta, tip):
    e = abs(v - u)
    if name == "is":
        return v / u - math.log(v / u) - 1
    if name == "kl":
        return v * math.log(v / u) - v + u
    if name == "l2sq":
        return e**2 / 2
    if name == "alpha":
        return (ALPHA * v + (1 - ALPHA) * u - v**ALPHA * u ** (1 - ALPHA)) / (ALPHA * (1 - ALPHA))
    if name == "beta":
        return (v**BETA + (BETA - 1) * u**BETA - BETA * v * u ** (BETA - 1)) / (BETA * (BETA - 1))
    if name == "ab":
        a, b = AB
        return (a / (a + b) * v ** (a + b) + b / (a + b) * u ** (a + b) - v**a * u**b) / (a * b)
    if name == "huber":
        return e**2 / 2 if e <= delta else delta * e - delta**2 / 2
    return e if e >= tip else e**2 / (2 * tip) + tip / 2


def coefficients(name, v, W, h, delta, tip):
    """Minimise (4) over the box by a quasi-Newton method that knows no gradient."""
    found = minimize(
        lambda h: divergence(name, v, W @ h, delta, tip), h, bounds=[(1e-8, 1e8)] * len(h), method="L-BFGS-B",
        options={"maxfun": 100_000, "maxiter": 10_000, "ftol": 1e-13, "gtol": 1e-9},
    )  # fmt: skip
    return found.x, found.fun


def derivative(name, v, u, delta):
    """The derivative of ``d(v ‖ u)`` by ``u``, value by value; for residuals that are not at a kink."""
    if name == "l2":
        norm = math.sqrt(sum((a - b) ** 2 for a, b in zip(v, u, strict=True)))
        return [(b - a) / norm for a, b in zip(v, u, strict=True)]
    if name == "gamma":
        fit = (1 + GAMMA) * sum(v * u**GAMMA) - GAMMA * sum(u ** (1 + GAMMA))
        return [b ** (GAMMA - 1) * (b - a) / fit for a, b in zip(v, u, strict=True)]
    rule = {
        "is": lambda a, b: (b - a) / b**2,
        "kl": lambda a, b: 1 - a / b,
        "l2sq": lambda a, b: b - a,
        "huber": lambda a, b: min(max(b - a, -delta), delta),
        "l1": lambda a, b: math.copysign(1, b - a),
        "alpha": lambda a, b: (1 - (a / b) ** ALPHA) / ALPHA,
        "beta": lambda a, b: b ** (BETA - 2) * (b - a),
        "ab": lambda a, b: b ** (AB[1] - 1) * (b ** AB[0] - a ** AB[0]) / AB[0],
    }[name]
    return [rule(float(a), float(b)) for a, b in zip(v, u, strict=True)]


def gradient(name, V, W, H, delta):
    """G_t of (5), the mean over a mini-batch."""
    F, N = V.shape
    K = W.shape[1]
    G = np.zeros((F, K))
    for n in range(N):
        d = derivative(name, V[:, n], W @ H[:, n], delta)
        for f in range(F):
            for k in range(K):
                G[f, k] += d[f] * H[k, n] / N
    return G


def project(W, least, highest):
    """Nearest point of C: in each row the shift μ ≥ 0 at which what is clipped sums to enough."""
    projected = np.clip(W, 0, highest)
    for f, row in enumerate(W):
        if projected[f].sum() < least:

            def lacking(mu, row=row):
                return np.clip(row + mu, 0, highest).sum() - least

            projected[f] = np.clip(row + brentq(lacking, 0, least - row.min(), xtol=1e-18, rtol=1e-15), 0, highest)
    return projected


def beta_updates(beta, exponent, V, W, H):
    """One round of multiplicative updates for a β-divergence: H, then W (Févotte & Idier 2011, table 2)."""
    U = W @ H
    H = H * ((W.T @ (V * U ** (beta - 2))) / (W.T @ U ** (beta - 1))) ** exponent
    U = W @ H
    W = W * (((V * U ** (beta - 2)) @ H.T) / (U ** (beta - 1) @ H.T)) ** exponent
    return W, H


def alpha_updates(alpha, V, W, H):
    """One round of multiplicative updates for an α-divergence: H, then W (Cichocki et al. 2008)."""
    ones = np.ones_like(V)
    H = H * ((W.T @ (V / (W @ H)) ** alpha) / (W.T @ ones)) ** (1 / alpha)
    W = W * (((V / (W @ H)) ** alpha @ H.T) / (ones @ H.T)) ** (1 / alpha)
    return W, H


def alpha_beta_updates(alpha, beta, exponent, V, W, H):
    """One round of multiplicative updates for an α-β-divergence: H, then W (Cichocki et al. 2011)."""
    U = W @ H
    H = H * ((W.T @ (V**alpha * U ** (beta - 1))) / (W.T @ U ** (alpha + beta - 1))) ** exponent
    U = W @ H
    W = W * (((V**alpha * U ** (beta - 1)) @ H.T) / (U ** (alpha + beta - 1) @ H.T)) ** exponent
    return W, H


def shape_divergence(v, u):
    """The γ-divergence as Cichocki & Amari (2010) print it, which is the same for ``u`` and ``c u``."""
    g = GAMMA
    return (
        math.log(sum(v ** (1 + g))) / (g * (1 + g))
        + math.log(sum(u ** (1 + g))) / (1 + g)
        - math.log(sum(v * u**g)) / g
    )


def gamma_updates(V, W, H):
    """One round for the γ-divergence: H, then W, each by the ratio that lowers it; then the level of each sample."""

    def terms(U):
        return V * U ** (GAMMA - 1) / (V * U**GAMMA).sum(axis=0), U**GAMMA / (U ** (1 + GAMMA)).sum(axis=0)

    up, down = terms(W @ H)
    H = H * (W.T @ up / (W.T @ down)) ** (1 / (1 + GAMMA))
    up, down = terms(W @ H)
    W = W * (up @ H.T / (down @ H.T)) ** (1 / (1 + GAMMA))
    U = W @ H
    return W, H * (V * U**GAMMA).sum(axis=0) / (U ** (1 + GAMMA)).sum(axis=0)


def weighted_updates(name, V, W, H, delta, tip):
    """One round of multiplicative updates for weighted least squares, with half-quadratic weights."""

    def weights(U):
        E = np.abs(V - U)
        if name == "huber":
            return np.minimum(1, delta / np.maximum(E, 1e-300))
        if name == "l1":
            return 1 / np.maximum(E, tip)
        return np.ones_like(E) / np.maximum(np.linalg.norm(E, axis=0), tip)

    Q = weights(W @ H)
    H = H * (W.T @ (Q * V)) / (W.T @ (Q * (W @ H)))
    Q = weights(W @ H)
    W = W * ((Q * V) @ H.T) / ((Q * (W @ H)) @ H.T)
    return W, H
