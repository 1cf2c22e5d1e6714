"""The mean statistics of all samples, which two of the baselines learn from."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.methods.rules import Matrix
from core.nmf.dictionaries.base import Statistics
from core.nmf.encoders.base import Encoding
from core.state_schema import LEARNT_COUNT, SUMS, ArraySpec, StateSchema, all_or_none


class Past:
    """Means of ``h hᵀ`` and ``h (v − r)ᵀ`` over all samples, each counting the same.

    Attributes
    ----------
    statistics : Statistics
    n_seen : float
        Samples.
    """

    def __init__(self) -> None:
        self.n_seen = 0.0
        self.statistics = Statistics(np.zeros((0, 0)), np.zeros((0, 0), np.float32), None, 0.0)

    def join(self, W: Matrix, encoding: Encoding) -> None:
        """Let a mini-batch join that was encoded with a dictionary (K, F)."""
        if not self.n_seen:
            self.statistics = Statistics(np.zeros((len(W), len(W))), np.zeros_like(W), None, 0.0)
        n = len(encoding.H)
        self.n_seen += n
        clean = encoding.background + encoding.capped
        self.statistics = self.statistics.joined(1 - n / self.n_seen, encoding.H, clean, clean[:0], 0.0)

    def keep(self, kept: NDArray[np.intp], n_new: int) -> None:
        """Go on with some columns and new ones; see `core.methods.rules.StreamRule`."""
        if self.n_seen:
            self.statistics = self.statistics.only(kept).with_unused(n_new)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays that `load` needs; not copied."""
        if not self.n_seen:
            return {}
        return {"A": self.statistics.A, "B": self.statistics.B, "n_seen": np.array([self.n_seen])}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give for vectors of length ``n_values``."""
        return all_or_none({
            "A": ArraySpec(np.float64, ("K", "K"), (SUMS,)),
            "B": ArraySpec(np.float32, ("K", n_values), (SUMS,)),
            "n_seen": ArraySpec(np.float64, (1,), (LEARNT_COUNT,)),
        })  # fmt: skip

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Take up copies of what `state` gave."""
        if state:
            self.n_seen = float(state["n_seen"][0])
            self.statistics = Statistics(np.array(state["A"], np.float64), np.array(state["B"], np.float32), None, 0.0)
