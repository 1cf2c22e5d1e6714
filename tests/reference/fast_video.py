"""The kernels of the fast method, slow and obvious, in float64. Dictionaries are planes: W is (K, F)."""

import numpy as np
from scipy.optimize import minimize


def background(W, h, white, signed_from, black, neutral):
    """Samples of ``W h``, with ``h`` in units of samples, counted from black and, behind ``signed_from``, neutral."""
    zero = np.where(np.arange(W.shape[1]) < signed_from, black, neutral)
    return np.clip(np.floor(W.astype(float).T @ h.astype(float) + zero + 0.5), 0, white)


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


def learn(v, scale, W, B, A, inverse, h, keep, lam, hidden, signed_from, black, neutral):
    """One sample into B, then one sweep over the columns of W, pixel by pixel; return W, B and the columns' squares."""
    W, B = W.astype(float), B.astype(float)
    for p in range(W.shape[1]):
        zero, least = (black, 0.0) if p < signed_from else (neutral, -np.inf)
        e = v[p] * float(scale) - zero - W[:, p] @ h
        c = 0.0 if hidden.size and hidden[p] else np.clip(e, -lam, lam)
        B[:, p] = keep * B[:, p] + (W[:, p] @ h + c) * h
        for k in range(len(W)):
            W[k, p] = max(least, W[k, p] + inverse[k] * (B[k, p] - W[:, p] @ A[:, k]))
    return W, B, np.sum(W**2, axis=1)


def learn_all_at_once(v, scale, W, B, A, inverse, h, keep, lam, hidden, signed_from, black, neutral):
    """A wrong sweep: every column steps from the old dictionary, as if the others would not move."""
    W, B = W.astype(float), B.astype(float)
    for p in range(W.shape[1]):
        zero, least = (black, 0.0) if p < signed_from else (neutral, -np.inf)
        e = v[p] * float(scale) - zero - W[:, p] @ h
        c = 0.0 if hidden.size and hidden[p] else np.clip(e, -lam, lam)
        B[:, p] = keep * B[:, p] + (W[:, p] @ h + c) * h
        W[:, p] = np.maximum(least, W[:, p] + inverse * (B[:, p] - A @ W[:, p]))
    return W, B, np.sum(W**2, axis=1)


def learn_from_everything(v, scale, W, B, A, inverse, h, keep, lam, hidden, signed_from, black, neutral):
    """Another wrong one: what is hidden teaches too."""
    return learn(v, scale, W, B, A, inverse, h, keep, lam, hidden[:0], signed_from, black, neutral)


def learn_without_sign(v, scale, W, B, A, inverse, h, keep, lam, hidden, signed_from, black, neutral):
    """And one that takes chroma for light: nothing in it may be negative."""
    return learn(v, scale, W, B, A, inverse, h, keep, lam, hidden, W.shape[1], black, neutral)
