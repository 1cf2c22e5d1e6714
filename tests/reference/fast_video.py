"""The kernels of the fast method, slow and obvious, in float64. Dictionaries are planes: W is (K, F)."""

import numpy as np
from scipy.optimize import minimize


def background(W, h, white):
    """Samples of ``W h``, with ``h`` in units of samples."""
    return np.minimum(np.floor(W.astype(float).T @ h.astype(float) + 0.5), white)


def huber(e, lam):
    """Sum over pixels of ½e² up to ``lam``, linear beyond."""
    size = np.abs(e)
    return np.sum(np.where(size <= lam, 0.5 * size**2, lam * (size - 0.5 * lam)))


def encode(v, W, lam, start):
    """Solve ``min_{h ≥ 0} huber(v − W h)`` by a general minimiser; return h and the loss."""
    W, v = W.astype(float), v.astype(float)

    def loss_and_slope(h):
        e = v - h @ W
        return huber(e, lam), -W @ np.clip(e, -lam, lam)

    found = minimize(
        loss_and_slope, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(W),
        options={"maxiter": 20_000, "maxfun": 100_000, "ftol": 1e-16, "gtol": 1e-12},
    )  # fmt: skip
    return found.x, found.fun


def learn(v, scale, W, B, A, inverse, h, keep, weight, bound, hidden):
    """One sample into B, then one sweep over the columns of W, pixel by pixel; return W, B and the columns' squares."""
    W, B = W.astype(float), B.astype(float)
    for p in range(W.shape[1]):
        e = v[p] * float(scale) - W[:, p] @ h
        c = 0.0 if hidden.size and hidden[p] else np.clip(e, -bound, bound)
        B[:, p] = keep * B[:, p] + weight * (W[:, p] @ h + c) * h
        for k in range(len(W)):
            W[k, p] = max(0.0, W[k, p] + inverse[k] * (B[k, p] - W[:, p] @ A[:, k]))
    return W, B, np.sum(W**2, axis=1)


def learn_all_at_once(v, scale, W, B, A, inverse, h, keep, weight, bound, hidden):
    """A wrong sweep: every column steps from the old dictionary, as if the others would not move."""
    W, B = W.astype(float), B.astype(float)
    for p in range(W.shape[1]):
        e = v[p] * float(scale) - W[:, p] @ h
        c = 0.0 if hidden.size and hidden[p] else np.clip(e, -bound, bound)
        B[:, p] = keep * B[:, p] + weight * (W[:, p] @ h + c) * h
        W[:, p] = np.maximum(0.0, W[:, p] + inverse * (B[:, p] - A @ W[:, p]))
    return W, B, np.sum(W**2, axis=1)


def learn_from_everything(v, scale, W, B, A, inverse, h, keep, weight, bound, hidden):
    """Another wrong one: what is hidden teaches too."""
    return learn(v, scale, W, B, A, inverse, h, keep, weight, bound, hidden[:0])
