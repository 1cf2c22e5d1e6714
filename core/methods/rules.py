"""What a method beside `fast` and `online` consists of: how it encodes, and how it learns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.frames.split import DenseSplit
from core.nmf.encoders.base import Encoding
from core.state_schema import NOTHING, StateSchema

Matrix = NDArray[np.float32]


def split_of(encoding: Encoding) -> DenseSplit:
    """Return the split of a single sample."""
    (split,) = splits_of(encoding)
    return split


def splits_of(encoding: Encoding) -> list[DenseSplit]:
    """Return the split of each sample; the objective of each is their mean."""
    n = len(encoding.H)
    objective = float(encoding.loss) / n
    outliers = [None] * n if encoding.capped is None else encoding.outliers
    return [
        DenseSplit(background, residual, r, h.astype(np.float64), objective)
        for h, background, residual, r in zip(encoding.H, encoding.background, encoding.residual, outliers, strict=True)
    ]


class Rule(Protocol):
    """Finds coefficients where the dictionary is fixed. Samples are rows: ``V ≈ H W``, units of white.

    All arrays are float32. What comes in is left as it is; what is returned is not written again.
    """

    def encode(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return coefficients, and outliers where the method has them, of samples that teach nothing.

        Parameters
        ----------
        V : (n, F)
        W : (K, F)
        H : (n, K)
            Start.
        """


class StreamRule(Rule, Protocol):
    """Learns from one mini-batch after another; what it knows of the past is its own (`core.methods.mini_batch`)."""

    def learn(self, V: Matrix, W: Matrix, encoding: Encoding) -> Matrix:
        """Return the dictionary (K, F) after a mini-batch ``V`` (n, F) that was encoded with ``W``."""

    def keep(self, kept: NDArray[np.intp], n_new: int) -> None:
        """Go on with some of the columns of the dictionary, and ``n_new`` that nothing is known of, behind them."""

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays of the past that `load` needs; not copied."""

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give for vectors of length ``n_values``; the rank is the size ``K``."""

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load copies of arrays that `state` gave."""


class BatchRule(Rule, Protocol):
    """Improves both factors of one bounded set of samples, iteration by iteration (`core.methods.batch`).

    A rule may be asked to `encode` or `split` before it ever began. What it learns of all samples together and needs
    later to encode others, such as a scale of the noise, is its past; a rule that has none inherits `state` and
    `load` from here.
    """

    @property
    def is_settling(self) -> bool:
        """True where the next iteration is part of a stage that another follows: how little it changes says nothing.

        After a bounded number of iterations it is False.
        """
        return False

    def stop_by(self, iterations: int, tolerance: float) -> None:
        """Take note that learning is now to end by these, for stages that end by them too; nothing begins anew."""
        return

    def begin(self, V: Matrix, W: Matrix, H: Matrix) -> None:
        """Begin with a set (N, F) and a start; whatever the rule keeps between iterations starts anew."""

    def improve(self, V: Matrix, W: Matrix, H: Matrix) -> tuple[Matrix, Matrix, float]:
        """Return better ``W`` (K, F) and ``H`` (N, K), and the objective that they reach, a mean over the samples."""

    def split(self, V: Matrix, W: Matrix, H: Matrix) -> Encoding:
        """Return what the factors as they are make of some of the samples: background, outliers, loss."""

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays of the past that `load` needs; not copied, and of sizes that do not depend on the rank."""
        return {}

    def schema(self, n_values: int) -> StateSchema:
        """Return what `state` may give for vectors of length ``n_values``."""
        return NOTHING

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load copies of arrays that `state` gave; an empty state comes from a rule that never began."""
        return
