"""The kernels of the fast method, slow and obvious, in float64: pixel by pixel, column by column."""

from math import floor, inf
from statistics import median_low
from unittest.mock import ANY

import numpy as np
from scipy.optimize import minimize


def background_band(start, stop, W, h, white, signed_from, black, neutral, out):
    for p in range(start, stop):
        zero = neutral if p >= signed_from else black
        model = sum(float(W[k, p]) * float(h[k]) for k in range(len(h))) + zero
        out[p] = min(max(floor(model + 0.5), 0), white)


def learn_band(start, stop, v, scale, W, B, A, inverse, h, keep, lam, hidden, signed_from, black, neutral):
    norms = np.zeros(len(h))
    for p in range(start, stop):
        zero, least = (black, 0) if p < signed_from else (neutral, -inf)
        w, sums = W[:, p].astype(float), B[:, p].astype(float)
        model = sum(w[k] * h[k] for k in range(len(h)))
        e = float(v[p]) * float(scale) - zero - model
        c = 0 if hidden.size and hidden[p] else min(max(e, -lam), lam)
        for k in range(len(h)):
            sums[k] = keep * sums[k] + (model + c) * h[k]
        for k in range(len(h)):
            slope = sums[k] - sum(w[j] * A[j, k] for j in range(len(h)))
            w[k] = max(least, w[k] + inverse[k] * slope)
            norms[k] += w[k] ** 2
        W[:, p], B[:, p] = w, sums
    return norms


def loss(e, lam, far):
    """½e² up to ``lam``, linear up to ``far``, and from there on ever flatter."""
    size = np.abs(e)
    huber = np.where(size <= lam, size**2 / 2, lam * (np.minimum(size, far) - lam / 2))
    return huber + np.where(size > far, lam * far * (1 - far / np.maximum(size, far)), 0)


def pull(e, lam, far):
    """The slope of the loss."""
    size = np.abs(e)
    return np.sign(e) * np.where(size > far, lam * (far / np.maximum(size, far)) ** 2, np.minimum(size, lam))


def encode(v, W, trust, lam, far, sweeps, tolerance, out):
    """By a general minimiser, from the same start; how many rounds that takes says nothing."""
    W, v, trust, lam, far = W.astype(float), v.astype(float), trust.astype(float), float(lam), min(float(far), 1e9)

    def loss_and_slope(h):
        e = v - h @ W
        return np.sum(trust * loss(e, lam, far)), -W @ (trust * pull(e, lam, far))

    found = minimize(
        loss_and_slope, out, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(W),
        options={"maxiter": 20_000, "maxfun": 100_000, "ftol": 1e-16, "gtol": 1e-12},
    )  # fmt: skip
    out[:] = found.x
    rest = loss(v - out @ W, lam, far)
    return np.sum(rest), np.sum(trust * rest), ANY


def sample(v, index, scale, zero, out):
    for s, p in enumerate(index):
        out[s] = float(v[p]) * float(scale) - float(zero[s])


def weigh(values, white, hidden, pixel_index, weak, covered, trust):
    for s in range(values.size):
        covered[s] = bool(hidden.size) and hidden[pixel_index[s]] != 0
        trust[s] = weak if covered[s] or values[s] >= white[s] else 1


def clipped_residual(values, W, h, white, out):
    for s in range(values.size):
        model = sum(float(W[k, s]) * float(h[k]) for k in range(len(h)))
        out[s] = float(values[s]) - min(model, float(white[s]))


def gather(W, index, out):
    for k in range(len(W)):
        for s, p in enumerate(index):
            out[k, s] = W[k, p]


def median_band(start, stop, frames, count, out):
    for p in range(start, stop):
        out[p] = median_low(frames[:count, p].tolist())


def sort_columns(rows):
    for p in range(rows.shape[1]):
        rows[:, p] = sorted(rows[:, p].tolist())
