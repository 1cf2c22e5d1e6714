"""The batch algorithms of Zhao & Tan (2016, 2017) as printed, in their notation: columns are samples and basis images.

Each function is one iteration over all variables.
"""

import numpy as np

from tests.reference.zhao_tan import project, soft


def objective(V, W, H, R, lam):
    """Of (S-7): summed over everything."""
    return 0.5 * np.sum((V - W @ H - R) ** 2) + lam * np.sum(np.abs(R))


def best_outliers(V, W, H, lam, bound=1.0):
    return np.clip(soft(V - W @ H, lam), -bound, bound)


def bpgd(V, W, H, lam, kappa=1.0):
    """Updates of H and W, and of R after each of them: it is the cheapest."""
    R = best_outliers(V, W, H, lam)
    H = np.maximum(0, H - kappa / np.linalg.norm(W, 2) ** 2 * W.T @ (W @ H + R - V))
    R = best_outliers(V, W, H, lam)
    A, B = H @ H.T, (V - R) @ H.T
    W = project(W - kappa / np.linalg.norm(A) * (W @ A - B))
    return W, H


class Badmm:
    """Variables and multipliers; `U` and `Z` are the feasible factors."""

    def __init__(self, V, W, H, lam, rho=1.0):
        self.V, self.lam, self.rho = V, lam, rho
        self.W, self.Z, self.U = W, W, H
        self.R = self.Q = best_outliers(V, W, H, lam)
        self.alpha, self.beta, self.D = np.zeros_like(H), np.zeros_like(V), np.zeros_like(W)

    def iterate(self, bound=1.0):
        V, W, rho, eye = self.V, self.W, self.rho, np.eye(len(self.U))
        H = np.linalg.inv(W.T @ W + rho * eye) @ (W.T @ (V - self.R) + rho * self.U - self.alpha)
        self.R = soft(V - W @ H + rho * self.Q - self.beta, self.lam) / (1 + rho)
        A, B = H @ H.T, (V - self.R) @ H.T
        rho3 = rho * np.trace(A) / len(A)
        self.W = (B - self.D + rho3 * self.Z) @ np.linalg.inv(A + rho3 * eye)
        self.U = np.maximum(0, H + self.alpha / rho)
        self.Q = np.clip(self.R + self.beta / rho, -bound, bound)
        self.Z = project(self.W + self.D / rho3)
        self.alpha = self.alpha + rho * (H - self.U)
        self.beta = self.beta + rho * (self.R - self.Q)
        self.D = self.D + rho3 * (self.W - self.Z)


def rnmf_mu(V, W, H, R, lam):
    """Updates (6) to (8)."""
    W = W * (V @ H.T) / ((W @ H + R) @ H.T)
    H = H * (W.T @ V) / (W.T @ (W @ H + R))
    R = R * V / (W @ H + R + lam)
    return W, H, R
