"""What an online method has learnt, and what becomes of it when it starts anew or its rank changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.nmf.dictionaries.base import Statistics
from core.nmf.encoders.base import gram, least_squares_start
from core.nmf.finite import check_finite
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
    """

    def __init__(self, W: NDArray[np.float32], *, with_outliers: bool) -> None:
        self._with_outliers = with_outliers
        self._unexplained = np.zeros(W.shape[1], np.float32)
        self.begin(W)

    @property
    def W(self) -> NDArray[np.float32]:
        """Dictionary (K, F); `set_dictionary` changes it."""
        return self._W

    @property
    def gram(self) -> NDArray[np.float64]:
        """``Wᵀ W``, (K, K)."""
        return self._gram

    @property
    def statistics(self) -> Statistics:
        """Statistics of the past."""
        return self._statistics

    @property
    def n_past(self) -> int:
        """Weight of the past, in samples."""
        return self._n_past

    @property
    def prior(self) -> float:
        """What the start from a plate still adds to the diagonal of ``statistics.A``."""
        return self._prior

    @property
    def h(self) -> NDArray[np.float32]:
        """Coefficients (K,) of the last sample; zeros before the first."""
        return self._h

    @property
    def unexplained(self) -> NDArray[np.float32]:
        """Mean (F,) of what stood above the background, units of white."""
        return self._unexplained

    @property
    def pending_V(self) -> NDArray[np.float32]:
        """Samples (n, F) that wait for their mini-batch."""
        return self._pending_V

    @property
    def pending_H(self) -> NDArray[np.float32]:
        """Coefficients (n, K) of the samples that wait."""
        return self._pending_H

    @property
    def rank(self) -> int:
        """Number of columns K."""
        return len(self._W)

    def set_dictionary(self, W: NDArray[np.float32]) -> None:
        """Go on with a dictionary (K, F) float32 of the same rank."""
        products = gram(W)
        check_finite(products)
        self._W: NDArray[np.float32] = W
        self._gram = products

    # -- learning

    def follow(self, h: NDArray[np.float32]) -> None:
        """Take the coefficients (K,) of another sample for the last ones."""
        self._h = h

    def forget(self, keep: float, n_samples: int) -> None:
        """Count a mini-batch of ``n_samples``, beside which the past counts ``keep`` times what it did."""
        self._n_past += n_samples
        self._prior *= keep

    def learn(self, statistics: Statistics, W: NDArray[np.float32]) -> None:
        """Go on with statistics that a mini-batch has joined, and with the dictionary (K, F) that follows from them."""
        self._statistics = statistics
        self.set_dictionary(W)

    def average_unexplained(self, keep: float, residual: NDArray[np.float32]) -> None:
        """Let `unexplained` follow the residual (n, F) of a mini-batch; the past counts ``keep`` in the mean."""
        self._unexplained *= np.float32(keep)
        self._unexplained += np.float32(1 - keep) * np.maximum(residual, 0).mean(axis=0)

    # -- starts

    def begin(self, W: NDArray[np.float32]) -> None:
        """Start from a dictionary (K, F) float32, with no past."""
        K = len(W)
        C = np.zeros_like(W) if self._with_outliers else None
        self._statistics = Statistics(np.zeros((K, K)), np.zeros_like(W), C, 0.0)
        self._n_past, self._prior = 0, 0.0
        self._h = np.zeros(K, np.float32)
        self.set_dictionary(W)
        self.drop_pending()

    def begin_at(self, plate: NDArray[np.float32], layout: Layout, rank: int, batch: int) -> None:
        """Start from an image (F,) float32 of the empty scene, units of white, and shadings of it.

        It weighs as much as a few mini-batches of ``batch`` samples.
        """
        self.begin(shaded_dictionary(plate, layout, rank))
        self._h[0] = np.linalg.norm(plate)
        # Statistics of which this dictionary is the minimiser, so that learning goes on from it.
        self._prior = float(self._h[0]) ** 2
        A = self._prior * np.eye(rank)
        self._statistics = replace(self._statistics, A=A, B=A.astype(np.float32) @ self._W, constant=A.sum() / 2)
        self._n_past = PRIOR_BATCHES * batch

    # -- samples that wait

    def drop_pending(self) -> None:
        """Let no sample wait any more."""
        self._pending_V = np.zeros((0, self._W.shape[1]), np.float32)
        self._pending_H = np.zeros((0, self.rank), np.float32)

    def wait(self, V: NDArray[np.float32], H: NDArray[np.float32]) -> None:
        """Let samples (n, F) wait for their mini-batch, with their coefficients (n, K)."""
        self._pending_V = np.concatenate([self._pending_V, V])
        self._pending_H = np.concatenate([self._pending_H, H])

    # -- columns

    def change_rank(self, rank: int, layout: Layout) -> None:
        """Drop the least used columns, or add what the model leaves unexplained, shaded so that columns differ."""
        old = self.rank
        if rank < old:
            usage = np.diag(self._statistics.A) * np.einsum("kf,kf->k", self._W, self._W)
            self.keep(np.sort(np.argsort(-usage, kind="stable")[:rank]))
        elif rank > old:
            columns = leftover_columns(self._unexplained, layout, old, rank)
            self._statistics = self._statistics.with_unused(rank - old)
            self._h = np.pad(self._h, (0, rank - old))
            self._pending_H = np.pad(self._pending_H, ((0, 0), (0, rank - old)))
            self.set_dictionary(np.vstack([self._W, columns]))

    def keep(self, kept: NDArray[np.intp]) -> None:
        """Go on with some of the columns; what waits to be learnt is fitted with them."""
        self._statistics = self._statistics.only(kept)
        self._h = self._h[kept]
        self.set_dictionary(np.ascontiguousarray(self._W[kept]))
        self._pending_H = least_squares_start(self._gram, self._pending_V @ self._W.T).astype(np.float32)

    def used(self) -> NDArray[np.float64]:
        """Return the mean of ``h hᵀ`` of samples, (K, K), without what the start from a plate put into it."""
        A = self._statistics.A.copy()
        np.fill_diagonal(A, np.maximum(np.diag(A) - self._prior, 0))
        return A

    def fold(self, fold: Fold) -> None:
        """Go on without a column that the others take over."""
        known, kept, prior = self._statistics, fold.kept, np.float32(self._prior)
        C = None if known.C is None else fold.weighted(known.C)
        A = fold.products(self.used()) + self._prior * np.eye(len(kept))
        B = fold.weighted(known.B - prior * self._W) + prior * self._W[kept]
        self._statistics = replace(known, A=A, B=B, C=C)
        self._h, self._pending_H = fold.coefficients(self._h), fold.coefficients(self._pending_H)
        self.set_dictionary(fold.dictionary(self._W))

    def rescale(self, by: NDArray[np.float64]) -> None:
        """Divide each basis image by a number, (K,); coefficients and statistics change with it, the fit does not."""
        known, factors = self._statistics, by.astype(np.float32)
        C = None if known.C is None else known.C * factors[:, None]
        A = known.A * np.outer(by, by)
        self._prior *= float(by.mean() ** 2)
        self._statistics = replace(known, A=A, B=known.B * factors[:, None], C=C)
        self._h = self._h * factors
        self._pending_H = self._pending_H * factors
        self.set_dictionary(self._W / factors[:, None])

    # -- saving and loading

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays to keep, not copied."""
        known = self._statistics
        arrays: dict[str, NDArray[np.generic]] = {
            "W": self._W, "A": known.A, "B": known.B, "h": self._h, "unexplained": self._unexplained,
            "pending_V": self._pending_V, "pending_H": self._pending_H,
        }  # fmt: skip
        if known.C is not None:
            arrays["C"] = known.C
        return arrays

    def load(self, arrays: Mapping[str, NDArray[np.generic]], constant: float, n_past: int, prior: float) -> None:
        """Load copies of arrays as `arrays` names them, the statistics' constant, and the attributes' numbers."""
        W, B, self._h, self._unexplained, self._pending_V, self._pending_H = (
            np.array(arrays[key], np.float32) for key in ("W", "B", "h", "unexplained", "pending_V", "pending_H")
        )
        C = np.array(arrays["C"], np.float32) if "C" in arrays else None
        self._statistics = Statistics(np.array(arrays["A"], np.float64), B, C, constant)
        self._n_past, self._prior = n_past, prior
        self.set_dictionary(W)
