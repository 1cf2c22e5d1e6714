"""The algorithms of Zhao & Tan (2016, 2017) as printed, in their notation: columns are samples and basis images."""

import numpy as np


def soft(x, lam):
    return np.sign(x) * np.maximum(np.abs(x) - lam, 0)


def loss(v, W, h, lam, low=-1.0, high=1.0):
    """Loss (5) of one sample for given coefficients, with the best outliers."""
    r = np.clip(soft(v - W @ h, lam), low, high)
    return 0.5 * np.sum((v - W @ h - r) ** 2) + lam * np.sum(np.abs(r))


def project(W):
    """Projection (22): clip first, then divide by the norm of what is left."""
    W = np.maximum(W, 0)
    return W / np.maximum(1, np.linalg.norm(W, axis=0))


def wrongly_project(W):
    """As in a published transcription: divide by the norm of the column before it was clipped."""
    return np.maximum(W, 0) / np.maximum(1, np.linalg.norm(W, axis=0))


def encode_pgd(v, W, h, lam, kappa=1.0, steps=1000, bound=1.0):
    eta = kappa / np.linalg.norm(W, 2) ** 2
    r = np.clip(soft(v - W @ h, lam), -bound, bound)
    for _ in range(steps):
        h = np.maximum(0, h - eta * W.T @ (W @ h + r - v))
        r = np.clip(soft(v - W @ h, lam), -bound, bound)
    return h, r


def encode_admm(v, W, u, lam, rho=1.0, steps=1000, bound=1.0):
    inverse = np.linalg.inv(W.T @ W + rho * np.eye(W.shape[1]))
    q = np.clip(soft(v - W @ u, lam), -bound, bound)
    r, alpha, beta = q.copy(), np.zeros_like(u), np.zeros_like(v)
    for _ in range(steps):
        h = inverse @ (W.T @ (v - r) + rho * u - alpha)
        r = soft(v - W @ h + rho * q - beta, lam) / (1 + rho)
        u = np.maximum(0, h + alpha / rho)
        q = np.clip(r + beta / rho, -bound, bound)
        alpha = alpha + rho * (h - u)
        beta = beta + rho * (r - q)
    return u, q


def encode_multiplicative(v, W, h, r, lam, steps=1):
    for _ in range(steps):
        h = h * (W.T @ v) / (W.T @ (W @ h + r))
        r = r * v / (W @ h + r + lam)
    return h, r


def surrogate(W, A, B):
    """Objective (12)."""
    return 0.5 * np.trace(W.T @ W @ A) - np.trace(W.T @ B)


def dictionary_pgd(W, A, B, kappa=1.0, steps=1000):
    eta = kappa / np.linalg.norm(A)
    for _ in range(steps):
        W = project(W - eta * (W @ A - B))
    return W


def dictionary_admm(Q, A, B, rho=1.0, steps=1000):
    D = np.zeros_like(Q)
    inverse = np.linalg.inv(A + rho * np.eye(len(A)))
    for _ in range(steps):
        W = (B - D + rho * Q) @ inverse
        Q = project(W + D / rho)
        D = D + rho * (W - Q)
    return Q


def dictionary_multiplicative(W, A, B, C, steps=1):
    """Update (18), with the paper's statistics A = Σ v hᵀ, B = Σ h hᵀ, C = Σ r hᵀ."""
    for _ in range(steps):
        W = W * A / (W @ B + C)
    return W
