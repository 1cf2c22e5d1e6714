"""Images of known parts, some of their pixels white."""

import numpy as np


def planted(n=40, height=8, width=9, rank=4, n_hit=3, seed=0):
    """Return samples ``V`` (n, F), dictionary (rank, F), clean samples and where they were spoiled, (n, F).

    Each basis image is alone on some of the pixels, and each sample is without some of them: the parts can be told
    apart, up to scale and order.
    """
    rng = np.random.default_rng(seed)
    n_values = height * width
    W = 0.3 * rng.random((rank, n_values)) * (rng.random((rank, n_values)) < 0.5)
    W[np.arange(n_values) % rank, np.arange(n_values)] += 0.3
    for k in range(rank):
        W[:, k * 3 : k * 3 + 3] *= (np.arange(rank) == k)[:, None]
    H = rng.random((n, rank)) * (rng.random((n, rank)) < 0.7)
    H[np.arange(n), np.arange(n) % rank] += 0.2
    clean = H @ W
    H, clean = H * 0.6 / clean.max(), clean * 0.6 / clean.max()
    hit = np.zeros((n, n_values), bool)
    for row in hit:
        row[rng.choice(n_values, n_hit, replace=False)] = True
    V = np.where(hit, 1, clean)
    return V.astype(np.float32), W.astype(np.float32), clean.astype(np.float32), hit
