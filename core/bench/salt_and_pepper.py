"""Salt and pepper on sets of images that methods are measured on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def with_salt_and_pepper(
    clean: NDArray[np.float32], density: float, rng: np.random.Generator, share: float | None = None
) -> NDArray[np.float32]:
    """Return images with a part ``density`` of the pixels black or white, with equal chance; white is 1.

    Parameters
    ----------
    clean : (n, F) or (H, W) float32
    density : float
    rng : Generator
    share : float, optional
        The part of the rows, images (n, F), that is spoiled at all; by default each is.
    """
    hit = rng.random(clean.shape) < density
    if share is not None:
        hit &= rng.random((len(clean), 1)) < share
    return np.where(hit, rng.integers(0, 2, clean.shape), clean).astype(np.float32)
