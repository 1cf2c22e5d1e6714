"""What an online method has learnt, and what becomes of it when it starts anew or its rank changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.nmf.dictionaries.base import Statistics
from core.nmf.encoders.base import gram, least_squares_start
from core.nmf.initialisation import leftover_columns, shaded_dictionary
from core.nmf.relevance_determination import Fold

PRIOR_BATCHES = 3
"""Weight of the start from a plate, in mini-batches."""


class Learnt:
    """A dictionary, the statistics of the past, and the samples that wait; all agree on the columns.

    Parameters
    ----------
    W : (K, F) float32
        Dictionary to start from, one basis image a row.
    with_outliers : bool
        Does the dictionary rule need the outliers' statistics?

    Attributes
    ----------
    W : (K, F) float32
        Set it with `set_dictionary`.
    gram : (K, K) float64
        ``Wᵀ W``.
    statistics : Statistics
        Of the past.
    n_batches : float
        Weight of the past, in mini-batches.
    prior : float
        What the start from a plate still adds to the diagonal of ``statistics.A``.
    h : (K,) float32
        Coefficients of the last sample; zeros before the first.
    unexplained : (F,) float32
        Mean of what stood above the background, units of white.
    pending_V, pending_H : (n, F) and (n, K) float32
        Samples that wait for their mini-batch, and their coefficients.
    """

    def __init__(self, W: NDArray[np.float32], *, with_outliers: bool) -> None:
        self._with_outliers = with_outliers
        self.unexplained = np.zeros(W.shape[1], np.float32)
        self.begin(W)

    @property
    def rank(self) -> int:
        """Number of columns K."""
        return len(self.W)

    def set_dictionary(self, W: NDArray[np.float32]) -> None:
        """Go on with a dictionary (K, F) float32 of the same rank."""
        self.W: NDArray[np.float32] = W
        self.gram = gram(W)

    # -- starts

    def begin(self, W: NDArray[np.float32]) -> None:
        """Start from a dictionary (K, F) float32, with no past."""
        K = len(W)
        C = np.zeros_like(W) if self._with_outliers else None
        self.statistics = Statistics(np.zeros((K, K)), np.zeros_like(W), C, 0.0)
        self.n_batches, self.prior = 0.0, 0.0
        self.h = np.zeros(K, np.float32)
        self.set_dictionary(W)
        self.drop_pending()

    def begin_at(self, plate: NDArray[np.float32], layout: Layout, rank: int) -> None:
        """Start from an image (F,) float32 of the empty scene, units of white, and shadings of it."""
        self.begin(shaded_dictionary(plate, layout, rank))
        self.h[0] = np.linalg.norm(plate)
        # Statistics of which this dictionary is the minimiser, so that learning goes on from it.
        self.prior = float(self.h[0]) ** 2
        A = self.prior * np.eye(rank)
        self.statistics = replace(self.statistics, A=A, B=A.astype(np.float32) @ self.W, constant=A.sum() / 2)
        self.n_batches = PRIOR_BATCHES

    # -- samples that wait

    def drop_pending(self) -> None:
        """Let no sample wait any more."""
        self.pending_V = np.zeros((0, self.W.shape[1]), np.float32)
        self.pending_H = np.zeros((0, self.rank), np.float32)

    def wait(self, V: NDArray[np.float32], H: NDArray[np.float32]) -> None:
        """Let samples (n, F) wait for their mini-batch, with their coefficients (n, K)."""
        self.pending_V = np.concatenate([self.pending_V, V])
        self.pending_H = np.concatenate([self.pending_H, H])

    # -- columns

    def change_rank(self, rank: int, layout: Layout) -> None:
        """Drop the least used columns, or add what the model leaves unexplained, shaded so that columns differ."""
        old = self.rank
        if rank < old:
            usage = np.diag(self.statistics.A) * np.einsum("kf,kf->k", self.W, self.W)
            self.keep(np.sort(np.argsort(-usage, kind="stable")[:rank]))
        elif rank > old:
            columns = leftover_columns(self.unexplained, layout, old, rank)
            self.statistics = self.statistics.with_unused(rank - old)
            self.h = np.pad(self.h, (0, rank - old))
            self.pending_H = np.pad(self.pending_H, ((0, 0), (0, rank - old)))
            self.set_dictionary(np.vstack([self.W, columns]))

    def keep(self, kept: NDArray[np.intp]) -> None:
        """Go on with some of the columns; what waits to be learnt is fitted with them."""
        self.statistics = self.statistics.only(kept)
        self.h = self.h[kept]
        self.set_dictionary(np.ascontiguousarray(self.W[kept]))
        self.pending_H = least_squares_start(self.gram, self.pending_V @ self.W.T).astype(np.float32)

    def used(self) -> NDArray[np.float64]:
        """Return the mean of ``h hᵀ`` of samples, (K, K), without what the start from a plate put into it."""
        A = self.statistics.A.copy()
        np.fill_diagonal(A, np.maximum(np.diag(A) - self.prior, 0))
        return A

    def fold(self, fold: Fold) -> None:
        """Go on without a column that the others take over."""
        known, kept, prior = self.statistics, fold.kept, np.float32(self.prior)
        C = None if known.C is None else fold.weighted(known.C)
        A = fold.products(self.used()) + self.prior * np.eye(len(kept))
        B = fold.weighted(known.B - prior * self.W) + prior * self.W[kept]
        self.statistics = replace(known, A=A, B=B, C=C)
        self.h, self.pending_H = fold.coefficients(self.h), fold.coefficients(self.pending_H)
        self.set_dictionary(fold.dictionary(self.W))

    def rescale(self, by: NDArray[np.float64]) -> None:
        """Divide each basis image by a number, (K,); coefficients and statistics change with it, the fit does not."""
        known, factors = self.statistics, by.astype(np.float32)
        C = None if known.C is None else known.C * factors[:, None]
        A = known.A * np.outer(by, by)
        self.prior *= float(by.mean() ** 2)
        self.statistics = replace(known, A=A, B=known.B * factors[:, None], C=C)
        self.h = self.h * factors
        self.pending_H = self.pending_H * factors
        self.set_dictionary(self.W / factors[:, None])

    # -- keeping and taking up

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays to keep, not copied."""
        known = self.statistics
        arrays: dict[str, NDArray[np.generic]] = {
            "W": self.W, "A": known.A, "B": known.B, "h": self.h, "unexplained": self.unexplained,
            "pending_V": self.pending_V, "pending_H": self.pending_H,
        }  # fmt: skip
        if known.C is not None:
            arrays["C"] = known.C
        return arrays

    def load(self, arrays: Mapping[str, NDArray[np.generic]], constant: float, n_batches: float, prior: float) -> None:
        """Take up copies of arrays as `arrays` names them, the statistics' constant, and the attributes' numbers."""
        W, B, self.h, self.unexplained, self.pending_V, self.pending_H = (
            np.array(arrays[key], np.float32) for key in ("W", "B", "h", "unexplained", "pending_V", "pending_H")
        )
        C = np.array(arrays["C"], np.float32) if "C" in arrays else None
        self.statistics = Statistics(np.array(arrays["A"], np.float64), B, C, constant)
        self.n_batches, self.prior = n_batches, prior
        self.set_dictionary(W)
