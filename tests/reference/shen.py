"""The algorithms of Shen et al. (2012) as printed, in their notation: columns are samples, ``X ≈ U V + E``."""

import numpy as np


def objective(X, U, V, E, lam):
    """Objective (6)."""
    return np.sum((X - U @ V - E) ** 2) + lam * np.sum(np.abs(E).sum(axis=0) ** 2)


def update_basis(X, U, V, E):
    """Update (8)."""
    return U * ((X - E) @ V.T) / (U @ V @ V.T + 1e-12)


def stacked(U, lam):
    """Matrix U~ of (9)."""
    m, k = U.shape
    eye, ones = np.eye(m), np.sqrt(lam) * np.ones((1, m))
    return np.block([[U, eye, -eye], [np.zeros((1, k)), ones, ones]])


def update_rest(X, U, V, P, N, lam):
    """Update (9) of coefficients and both parts of the outliers, with the big matrix and S of (10)."""
    big = stacked(U, lam)
    gram = big.T @ big
    S = np.abs(gram)
    tall = np.vstack([V, P, N])
    target = big.T @ np.vstack([X, np.zeros((1, X.shape[1]))])
    below = S @ tall + 1e-12
    tall = np.maximum(0, tall - tall * (gram @ tall) / below + tall * target / below)
    k, m = len(V), len(X)
    return tall[:k], tall[k : k + m], tall[k + m :]


def robust_nmf(X, U, V, lam, steps):
    """Iterate; return the factors, the outliers, and the objective after each step."""
    P = np.full_like(X, 0.01)
    N = P.copy()
    found = []
    for _ in range(steps):
        U = update_basis(X, U, V, np.minimum(P - N, X))
        V, P, N = update_rest(X, U, V, P, N, lam)
        found.append(objective(X, U, V, P - N, lam))
    return U, V, P - N, found


def squared_l1_outliers(r, lam):
    """Minimise ``‖r − e‖² + λ‖e‖₁²`` by trying every number of entries that are not zero."""
    best = np.zeros_like(r)
    for m in range(1, len(r) + 1):
        largest = np.sort(np.abs(r))[::-1][:m]
        tau = lam * largest.sum() / (1 + lam * m)
        e = np.sign(r) * np.maximum(np.abs(r) - tau, 0)
        if np.sum((r - e) ** 2) + lam * np.abs(e).sum() ** 2 < np.sum((r - best) ** 2) + lam * np.abs(best).sum() ** 2:
            best = e
    return best


def wnmf(X, Q, U, V, steps):
    """Multiplicative updates of Zhang et al. (2006) with weights 0 and 1."""
    for _ in range(steps):
        U = U * ((Q * X) @ V.T) / ((Q * (U @ V)) @ V.T + 1e-12)
        V = V * (U.T @ (Q * X)) / (U.T @ (Q * (U @ V)) + 1e-12)
    return U, V
