"""The baselines' algorithms as their papers print them, slow and obvious: columns are samples and basis images."""

import numpy as np
import scipy.optimize

from tests.reference.zhao_tan import soft


def nnls(W, v):
    return scipy.optimize.nnls(W, v)[0]


def project_onto_simplex(w):
    """By sorting (Duchi et al. 2008)."""
    falling = np.sort(w)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(w) + 1)
    return np.maximum(0, w - excess[np.flatnonzero(falling > excess)[-1]])


def wrongly_project_onto_simplex(w):
    """On the simplex, but not the nearest point."""
    return np.maximum(w, 0) / np.maximum(w, 0).sum()


def stochastic_approximation(W, V, H, order, steps, project=project_onto_simplex):
    """Guan et al. (2012), algorithm 2: steps along the gradients of single samples, and their weighted mean."""
    led_to = []
    for n, r in zip(order, steps, strict=True):
        gradient = np.outer(W @ H[:, n] - V[:, n], H[:, n])
        W = np.column_stack([project(w) for w in (W - r * gradient).T])
        led_to.append(W)
    return sum(r * W for r, W in zip(steps, led_to, strict=True)) / sum(steps)


def robust_components_loss(v, W, h, r, lam1, lam2):
    return 0.5 * np.sum((v - W @ h - r) ** 2) + lam1 / 2 * np.sum(h**2) + lam2 * np.sum(np.abs(r))


def robust_components_encode(v, W, lam1, lam2, steps=1500):
    """Feng et al. (2013), algorithm 1, line 3."""
    r = np.zeros_like(v)
    for _ in range(steps):
        h = np.linalg.inv(W.T @ W + lam1 * np.eye(W.shape[1])) @ W.T @ (v - r)
        r = soft(v - W @ h, lam2)
    return h, r


def robust_components_dictionary(W, A, B, lam1):
    """Feng et al. (2013), algorithm 2; A and B are sums."""
    W, ridged = W.copy(), A + lam1 * np.eye(len(A))
    for j in range(len(A)):
        W[:, j] = (B[:, j] - W @ ridged[:, j]) / ridged[j, j] + W[:, j]
    return W


def huber(e, lam):
    e = np.abs(e)
    return np.where(e <= lam, e**2 / 2, lam * e - lam**2 / 2).sum()


def robust_coefficients(v, W, h, lam, gamma):
    """Wang et al. (2013): one multiplicative update under Huber's weights."""
    q = np.minimum(1, lam / np.maximum(np.abs(v - W @ h), 1e-300))
    return h * (W.T @ (q * v)) / (W.T @ (q * (W @ h)) + gamma)


def robust_statistics(V, W, H, lam):
    """A (F, K, K) and B (F, K): for each pixel alone, weighted."""
    F, K = W.shape
    A, B = np.zeros((F, K, K)), np.zeros((F, K))
    for p in range(F):
        for n in range(V.shape[1]):
            e = V[p, n] - W[p] @ H[:, n]
            q = min(1, lam / abs(e))
            A[p] += q * np.outer(H[:, n], H[:, n])
            B[p] += q * V[p, n] * H[:, n]
    return A, B


def robust_dictionary(W, A, B, project, step, steps):
    """Plain projected gradient steps, pixel by pixel."""
    for _ in range(steps):
        W = project(np.stack([w - step * (a @ w - b) for w, a, b in zip(W, A, B, strict=True)]))
    return W


def nonnegative_dictionary(A, B):
    """The minimiser over W ≥ 0 of ½ tr(W A Wᵀ) − tr(Wᵀ B), pixel by pixel."""
    root = np.linalg.cholesky(A)
    return np.stack([nnls(root.T, np.linalg.solve(root, b)) for b in B])


def itakura_saito(v, u):
    return np.sum(v / u - np.log(v / u) - 1)


def itakura_saito_coefficients(v, W, h, eps):
    u = W @ h + eps
    return h * np.sqrt((W.T @ ((v + eps) / u**2)) / (W.T @ (1 / u)))


def itakura_saito_dictionary(W, A, B, V, H, eps, forgetting):
    """Lefèvre et al. (2011), algorithm 1, the dictionary's part; returns W, A and B, rescaled."""
    A, B = A * forgetting ** V.shape[1], B * forgetting ** V.shape[1]
    for v, h in zip(V.T, H.T, strict=True):
        u = W @ h + eps
        A = A + np.outer((v + eps) / u**2, h) * W**2
        B = B + np.outer(1 / u, h)
    W = np.sqrt(A / B)
    sums = W.sum(axis=0)
    return W / sums, A / sums, B * sums
