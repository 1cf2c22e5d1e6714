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


def bpgd_of_section_6(V, W, H, lam, ridge, on_h, project_column):
    """The same with ``λ‖r‖₁ + ridge/2 ‖r‖²``, a lasso of weight ``on_h``, and another set of the dictionary."""

    def best(W, H):
        return np.clip(soft(V - W @ H, lam) / (1 + ridge), -1, 1)

    eta = 1 / np.linalg.norm(W, 2) ** 2
    H = np.maximum(0, H - eta * (W.T @ (W @ H + best(W, H) - V) + on_h))
    A, B = H @ H.T, (V - best(W, H)) @ H.T
    W = W - (W @ A - B) / np.linalg.norm(A)
    return np.stack([project_column(w) for w in W.T], axis=1), H


class Badmm:
    """Variables and multipliers; `U` and `Z` are the feasible factors.

    Of section VI: ``λ‖r‖₁ + ridge/2 ‖r‖²``, a lasso of weight ``on_h``, another set of the dictionary.
    """

    def __init__(self, V, W, H, lam, rho=1.0, ridge=0.0, on_h=0.0, project_column=None, norm=1.0):
        self.rho_h = rho * norm**2  # ρ of H = U counts in units of the basis images' squares.
        self.ridge, self.on_h, self.project_column = ridge, on_h, project_column
        self.V, self.lam, self.rho = V, lam, rho
        self.W, self.Z, self.U = W, W, H
        self.R = self.Q = np.clip(soft(V - W @ H, lam) / (1 + ridge), -1, 1)
        self.alpha, self.beta, self.D = np.zeros_like(H), np.zeros_like(V), np.zeros_like(W)

    def iterate(self, bound=1.0):
        V, W, rho, rho_h, eye = self.V, self.W, self.rho, self.rho_h, np.eye(len(self.U))
        H = np.linalg.inv(W.T @ W + rho_h * eye) @ (W.T @ (V - self.R) + rho_h * self.U - self.alpha)
        self.R = soft(V - W @ H + rho * self.Q - self.beta, self.lam) / (1 + rho + self.ridge)
        A, B = H @ H.T, (V - self.R) @ H.T
        rho3 = rho * np.trace(A) / len(A)
        self.W = (B - self.D + rho3 * self.Z) @ np.linalg.inv(A + rho3 * eye)
        self.U = np.maximum(0, H + (self.alpha - self.on_h) / rho_h)
        self.Q = np.clip(self.R + self.beta / rho, -bound, bound)
        moved = self.W + self.D / rho3
        self.Z = (
            project(moved) if not self.project_column else np.stack([self.project_column(w) for w in moved.T], axis=1)
        )
        self.alpha = self.alpha + rho_h * (H - self.U)
        self.beta = self.beta + rho * (self.R - self.Q)
        self.D = self.D + rho3 * (self.W - self.Z)


def rnmf_mu(V, W, H, R, lam):
    """Updates (6) to (8)."""
    W = W * (V @ H.T) / ((W @ H + R) @ H.T)
    H = H * (W.T @ V) / (W.T @ (W @ H + R))
    R = R * V / (W @ H + R + lam)
    return W, H, R
