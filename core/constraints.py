"""Sets that the dictionary must stay in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def project_onto_nonnegative_balls(W: NDArray[np.floating]) -> NDArray[np.floating]:
    """Project each basis image onto ``{w ≥ 0, ‖w‖₂ ≤ 1}``; in place, and returned.

    Zhao & Tan (2017), eq. (22) and lemma S-4: clip at zero *first*, then divide by the norm of what is left where
    it exceeds 1. (Dividing by the norm before clipping shrinks too far.)

    Parameters
    ----------
    W : (K, F) float32 or float64
        One basis image a row.
    """
    np.maximum(W, 0, out=W)
    norms = np.sqrt(np.einsum("kf,kf->k", W, W))
    long = norms > 1
    W[long] /= norms[long, None]
    return W
