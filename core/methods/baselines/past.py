"""Learning from the mean statistics of all samples, as two of the baselines do."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.methods.rules import Matrix
from core.nmf.dictionaries.base import Statistics
from core.nmf.encoders.base import Encoding
from core.state_schema import LEARNT_COUNT, SUMS, ArraySpec, StateSchema, all_or_none


class LearnsFromPast:
    """Part of rules whose past is the means of ``h hᵀ`` and ``h (v − r)ᵀ`` over all samples, each counting the same."""

    def __init__(self) -> None:
        self._n_seen = 0.0
        self._statistics = Statistics(np.zeros((0, 0)), np.zeros((0, 0), np.float32), None, 0.0)

    def _join(self, W: Matrix, encoding: Encoding) -> None:
        """Let a mini-batch join that was encoded with a dictionary (K, F)."""
        if not self._n_seen:
            self._statistics = Statistics(np.zeros((len(W), len(W))), np.zeros_like(W), None, 0.0)
        n = len(encoding.H)
        self._n_seen += n
        clean = encoding.clean
        self._statistics = self._statistics.joined(1 - n / self._n_seen, encoding.H, clean, clean[:0], 0.0)

    def keep(self, kept: NDArray[np.intp], n_new: int) -> None:
        """Go on with some columns and new ones; see `core.methods.rules.StreamRule`."""
        if self._n_seen:
            self._statistics = self._statistics.only(kept).with_unused(n_new)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what is known of the past; see `core.methods.rules.StreamRule`."""
        if not self._n_seen:
            return {}
        return {"A": self._statistics.A, "B": self._statistics.B, "n_seen": np.array([self._n_seen])}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give for vectors of length ``n_values``."""
        return all_or_none({
            "A": ArraySpec(np.float64, ("K", "K"), (SUMS,)),
            "B": ArraySpec(np.float32, ("K", n_values), (SUMS,)),
            "n_seen": ArraySpec(np.float64, (1,), (LEARNT_COUNT,)),
        })  # fmt: skip

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load copies of what `state` gave."""
        if state:
            self._n_seen = float(state["n_seen"][0])
            self._statistics = Statistics(np.array(state["A"], np.float64), np.array(state["B"], np.float32), None, 0.0)
