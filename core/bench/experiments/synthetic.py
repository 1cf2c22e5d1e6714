"""Synthetic data of known factors, with the noise that each divergence is made for: Zhao, Tan & Xu (2017), 6.3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Planes

WHITE = 255
"""The products of factors that the paper draws lie about 30; taken as grey levels of 255."""

SHIFT = 0.1
"""Least entry of the factors."""

GAMMA_SHAPE = 25
"""Of multiplicative noise of mean 1: it is 20 % strong."""

SIGMA = 2.0
"""Of normal noise, grey levels."""

SPOILED = 0.1
"""Share of the values that are outliers, uniform from black to twice the brightest clean value."""


@dataclass(frozen=True)
class Synthetic:
    """Samples of known factors.

    Attributes
    ----------
    layout : Layout
        Of one sample; the pixels stand in no order.
    V : (N, F) float32
        One noisy sample a row, units of white.
    W : (K, F) float32
        The dictionary that they were made of.
    """

    layout: Layout
    V: NDArray[np.float32]
    W: NDArray[np.float32]


def synthetic(noise: str, shape: tuple[int, int], n: int, rank: int, seed: int) -> Synthetic:
    """Return products of factors with entries ``SHIFT + |N(0, 1)|``, and noise on them.

    Parameters
    ----------
    noise : {"gamma", "poisson", "normal", "outliers"}
        Gamma noise multiplies, Poisson's is that of counts, normal noise is added; outliers replace values.
    shape : (height, width)
        ``F`` is their product.
    n, rank : int
        ``N`` and ``K``.
    seed : int
    """
    rng = np.random.default_rng(seed)
    layout = Layout(*shape, Planes.GREY)
    W, H = (SHIFT + np.abs(rng.standard_normal(size, np.float32)) for size in ((rank, layout.n_values), (n, rank)))
    clean = H @ W
    if noise == "gamma":
        V = clean * (rng.standard_gamma(GAMMA_SHAPE, clean.shape, np.float32) / GAMMA_SHAPE)
    elif noise == "poisson":
        V = rng.poisson(clean).astype(np.float32)
    elif noise == "normal":
        V = np.maximum(0, clean + np.float32(SIGMA) * rng.standard_normal(clean.shape, np.float32))
    elif noise == "outliers":
        hit = rng.random(clean.shape, np.float32) < SPOILED
        V = np.where(hit, 2 * clean.max() * rng.random(clean.shape, np.float32), clean)
    else:
        raise ValueError(f"there is no noise {noise!r}")
    return Synthetic(layout, np.asarray(V / WHITE, np.float32), np.asarray(W, np.float32))
