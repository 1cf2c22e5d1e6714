"""Which boxes of two lists share pixels, and which is given which: of thousands most are far from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.events.regions import Corners, areas_of
from core.kernels import boxes

Places = NDArray[np.int64]
Amounts = NDArray[np.float64]

LEAST = 1e-9
"""What is gained by giving a row nothing: less than by anything that is worth a pixel of a picture."""


@dataclass(frozen=True)
class Pairs:
    """Boxes of two lists that share an area, row by row.

    Attributes
    ----------
    rows, columns : (P,) int64
        Which of the first, and of the second list.
    shared : (P,) float64
        What they share, pixels.
    """

    rows: Places
    columns: Places
    shared: Amounts

    def among(self, kept: NDArray[np.bool_]) -> Pairs:
        """Return some of them: those that are True (P,)."""
        return Pairs(self.rows[kept], self.columns[kept], self.shared[kept])


def pairs_of(a: Corners, b: Corners) -> Pairs:
    """Return the boxes ``a`` (N, 4) and ``b`` (M, 4) that share an area."""
    found = boxes.find_meeting(a, b, np.argsort(b[:, 0], kind="stable")).astype(np.int64)
    rows, columns = found[np.lexsort((found[:, 1], found[:, 0]))].T
    low, high = np.maximum(a[rows, :2], b[columns, :2]), np.minimum(a[rows, 2:], b[columns, 2:])
    return Pairs(rows, columns, (high - low).prod(axis=1))


def overlaps(pairs: Pairs, a: Corners, b: Corners) -> Amounts:
    """Return intersection over union (P,) of pairs of boxes ``a`` (N, 4) and ``b`` (M, 4): 1 the same."""
    union = areas_of(a)[pairs.rows] + areas_of(b)[pairs.columns] - pairs.shared
    return np.asarray(pairs.shared / np.maximum(union, LEAST))


def assigned(rows: Places, columns: Places, gain: Amounts) -> dict[int, int]:
    """Return which column each row gets so that the sum of gains is largest; rows that get none are left out.

    Parameters
    ----------
    rows, columns : (P,) int64
        What may be given to what, each pair once.
    gain : (P,) float64
        By what; what gains nothing is not given.
    """
    # They take 0.1 s to load, and most runs find no events.
    from scipy.sparse import csr_array  # noqa: PLC0415
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415

    gains = gain > LEAST
    if not gains.any():
        return {}
    names, of = np.unique(rows[gains], return_inverse=True)
    n, m = len(names), int(columns.max()) + 1
    nothing = np.arange(n)  # A column for each row that is given nothing.
    graph = csr_array(
        (
            np.concatenate([gain[gains], np.full(n, LEAST)]),
            (np.concatenate([of, nothing]), np.concatenate([columns[gains], m + nothing])),
        ),
        shape=(n, m + n),
    )
    given = zip(*min_weight_full_bipartite_matching(graph, maximize=True), strict=True)
    return {int(names[i]): int(j) for i, j in given if j < m}


def best_of(keys: Places, gain: Amounts) -> Places:
    """Return the pair (of those at 0 to P − 1) with the largest gain for each key (P,), of equal ones the first."""
    order = np.lexsort((np.arange(len(keys)), -gain, keys))
    return order[np.unique(keys[order], return_index=True)[1]]
