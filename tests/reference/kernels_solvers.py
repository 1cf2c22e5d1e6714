"""The kernels of losses and of least squares, slow and obvious, in float64: by definition, or by trying everything."""

from itertools import combinations
from unittest.mock import ANY

import numpy as np


def sweep(G, b, n_sweeps, out):
    for _ in range(n_sweeps):
        for k in range(out.size):
            if G[k, k] > 0:
                others = sum(G[k, j] * out[j] for j in range(out.size) if j != k)
                out[k] = max(0, (b[k] - others) / G[k, k])


def cap(e, lam, low, high, capped):
    loss = 0.0
    for p in range(e.size):
        soft = np.sign(e[p]) * max(abs(float(e[p])) - lam, 0)
        r = min(max(soft, low), high)
        capped[p] = e[p] - r
        loss += (float(e[p]) - r) ** 2 / 2 + lam * abs(r)
    return loss


def losses(E, lam, low, high, capped, out):
    for i in range(E.shape[0]):
        out[i] = cap(E[i], lam, low, high, capped)


def step_band(start, stop, V, W, H, lam, R):
    loss, products = 0.0, np.zeros(H.shape)
    for i in range(V.shape[0]):
        for p in range(start, stop):
            fit = float(H[i].astype(float) @ W[:, p].astype(float))
            v = float(V[i, p])
            r = float(R[i, p]) * v / (fit + float(R[i, p]) + float(lam))
            r = r if r >= 2.0**-126 else 0.0
            R[i, p] = r
            loss += (v - fit - r) ** 2 / 2 + float(lam) * r
            products[i] += (fit + r) * W[:, p]
    return loss, products


def project(w):
    """The shift at which what is left above zero sums to 1 is the largest at which any number of entries do."""
    largest = np.sort(w.astype(float))[::-1]
    shift = max((largest[:n].sum() - 1) / n for n in range(1, w.size + 1))
    for p in range(w.size):
        w[p] = max(float(w[p]) - shift, 0)


def descend_on_simplex(V, H, order, steps, W, residual, mean):
    now, led_to = W.astype(float), []
    for n, step in zip(order, steps, strict=True):
        v, h = V[n].astype(float), H[n].astype(float)
        left = v - h @ now
        for k in range(h.size):
            if h[k] != 0:
                now[k] += step * h[k] * left
                project(now[k])
        led_to.append(now.copy())
    W[:] = now
    mean[:] = np.average(led_to, axis=0, weights=steps) if led_to else 0


def sums_above(r, stride, tau):
    above = [abs(float(x)) for x in r[::stride] if abs(x) > tau]
    return sum(above), len(above)


def threshold(r, lam, stride, tau, most):
    """By halving the interval in which the left side passes the right."""
    low, high = 0.0, float(lam) * stride * np.abs(r[::stride]).sum(dtype=float)
    for _ in range(100):
        middle = (low + high) / 2
        left = lam * stride * sum(max(abs(float(x)) - middle, 0) for x in r[::stride])
        low, high = (middle, high) if left > middle else (low, middle)
    return low


def shrink(r, lam, e):
    tau = threshold(r, lam, 1, 0, 1)
    for p in range(r.size):
        e[p] = np.sign(r[p]) * max(abs(float(r[p])) - tau, 0)
    return np.abs(e).sum(dtype=float)


def matrix_of(triangle, K):
    G = np.zeros((K, K))
    G[np.triu_indices(K)] = triangle
    return G + np.triu(G, 1).T


def descend_to_minimum(grams, products, tolerance, max_iterations, H):
    """The minimiser itself, by trying every set of coefficients that are not zero; it takes no iterations."""
    n, K = H.shape
    for i in range(n):
        G, b = matrix_of(grams[i % len(grams)], K), products[i].astype(float)
        if not G.any():
            continue
        best, least = np.zeros(K), 0.0
        for size in range(1, K + 1):
            for free in combinations(range(K), size):
                h = np.zeros(K)
                h[list(free)] = np.linalg.lstsq(G[np.ix_(free, free)], b[list(free)], rcond=None)[0]
                value = h @ G @ h / 2 - b @ h
                if (h >= 0).all() and value < least:
                    best, least = h, value
        H[i] = best
    return ANY


def gradient(G, b, h, slope):
    for k in range(h.size):
        slope[k] = sum(float(G[k, j]) * float(h[j]) for j in range(h.size)) - float(b[k])


def projected(slope, h):
    return sum(float(s) ** 2 for s, x in zip(slope, h, strict=True) if x > 0 or s < 0)


def bound(G, x, y):
    return np.linalg.norm(G.astype(float), 2)
