"""How firmly clips hold the head's last layer to its weights: what a painted stroke must not undo.

It is the Fisher information of the layer's output of foreground: near its weights, the loss on all of these clips is
told by it without them (Kirkpatrick et al. 2017, "Overcoming catastrophic forgetting in neural networks", eq. 3; there
its diagonal and a factor, here all of it, as one layer is small, and as it is).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from core.kernels.cell_features import N
from core.scene.masks.head import Verdict, Weights
from core.scene.masks.lessons import probability


def experience(verdicts: Iterable[Verdict], weights: Weights) -> NDArray[np.float32]:
    """Return the mean of ``p (1 − p) a aᵀ`` over the cells that the head looked at, (N + 1, N + 1).

    ``a`` are the activations of its last layer and a 1, ``p`` is the probability of foreground.

    Parameters
    ----------
    verdicts : iterable of Verdict
        Of all the clips; each is looked at before the next is asked for.
    weights : Weights
        That they were made with.
    """
    total, n = np.zeros((N + 1, N + 1)), 0
    w = np.append(weights.leave[0], weights.leave_bias[0]).astype(np.float64)
    for verdict in verdicts:
        cells = verdict.activations()[:, verdict.looked_at].T
        a = np.column_stack([cells, np.ones(len(cells))]).astype(np.float64)
        p = probability(a @ w)
        total += (a * (p * (1 - p))[:, None]).T @ a
        n += len(a)
    return (total / max(n, 1)).astype(np.float32)
