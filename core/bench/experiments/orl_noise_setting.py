"""Faces under three kinds of noise: how they are spoiled, and what is compared on them (Guan et al., 2019)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.bench.experiments import orl_noise_figures as printed
from core.bench.experiments.laplace_readings import Spoil, add_laplace

Matrix = NDArray[np.float32]

SIDE, RANK, ITERATIONS = 32, 40, 100
CLUSTERINGS = 10
"""k-means is repeated so often, as in the paper."""

NAMES = {
    "k-means": "k-means", "l2": "L2", "l21": "L2,1", "rnmf-l1": "RNMF-L1", "l1": "L1", "huber": "Huber",
    "cim": "CIM, least squares", "cim-multiplicative": "CIM", "cauchy": "Cauchy",
    "truncated-cauchy": "truncated Cauchy", "truncated-at-once": "truncated throughout",
}  # fmt: skip
"""The paper's seven methods, k-means on the spoiled images, and what the paper's tables 2 and 3 do not have: `BESIDE`.
CIM is that of its authors, by multiplicative updates.

Keys of the catalogue, but for those in `BESIDE` that are read from `VARIANTS` or are no row.
"""

ROBUST = "truncated-cauchy"
MULTIPLICATIVE = "cim-multiplicative"
"""Correntropy NMF by its authors' updates; the row ``cim`` minimises the same loss further."""

UPDATES = 300
"""Of these. The paper does not say how many it did; its figures lie where 200 to 500 have led here."""

VARIANTS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "truncated-at-once": (ROBUST, {"lenient": 0, "strict": 1000}),
}
"""Rows of the catalogue with what is chosen of their parameters, in no claim."""

BESIDE = {"cim", "cauchy", *VARIANTS}
"""Left out where the paper's tables 2 and 3 are judged."""

PRINTED_AS = {MULTIPLICATIVE: "cim", "cim": ""}
"""Whose figures of the paper stand below a row, where that is not its key."""

COMPARED, COMPARED_LEVELS = ("l2", "l1", ROBUST), (120.0, 280.0)
"""With which methods, and where, readings are compared."""

BLOCK_LEVEL = 550 / 255


@dataclass(frozen=True)
class Noise:
    """A kind of noise at several levels.

    Attributes
    ----------
    title, words, unit : str
        What was measured; how the images were spoiled; what a level is.
    levels : tuple of float
    spoil : callable
        ``spoil(clean, level, rng)`` returns spoiled images (n, F) float32, nonnegative.
    error : mapping, optional
        The paper's relative errors, %, by key of the catalogue.
    accuracy, nmi : mapping, optional
        The paper's figures of clustering, %.
    """

    title: str
    table: str
    words: str
    unit: str
    levels: tuple[float, ...]
    spoil: Spoil
    error: Mapping[str, tuple[float, ...]]
    accuracy: Mapping[str, tuple[float, ...]]
    nmi: Mapping[str, tuple[float, ...]]


def add_salt_pepper(clean: Matrix, level: float, rng: np.random.Generator) -> Matrix:
    """Set ``level`` percent of the pixels (n, F) to black or white."""
    hit = rng.random(clean.shape) < level / 100
    return np.where(hit, rng.random(clean.shape) < 0.5, clean).astype(np.float32)


def add_blocks(clean: Matrix, level: float, rng: np.random.Generator) -> Matrix:
    """Lay a square of side ``level`` pixels and grey level 550 at a random place of each image (n, F)."""
    images, side = clean.reshape(-1, SIDE, SIDE).copy(), int(level)
    for image, (y, x) in zip(images, rng.integers(0, SIDE - side + 1, (len(images), 2)), strict=True):
        image[y : y + side, x : x + side] = BLOCK_LEVEL
    return images.reshape(clean.shape)


LAPLACE = Noise(
    "Faces under Laplace noise", "table 2 and figure 6",
    "the positive half of Laplace noise of standard deviation δ added, and nothing cut off", "δ, grey levels",
    tuple(range(40, 281, 40)), add_laplace, printed.LAPLACE, {}, {},
)  # fmt: skip
SALT_PEPPER = Noise(
    "Faces under salt and pepper", "table 3 and figure 7", "a part p of the pixels black or white", "p, %",
    (5, 10, 20, 30, 40, 50, 60), add_salt_pepper, printed.SALT_PEPPER, {}, {},
)  # fmt: skip
OCCLUSION = Noise(
    "Faces under blocks", "table 4", "a block of b × b pixels of grey level 550 on each image", "b, pixels",
    tuple(range(10, 23, 2)), add_blocks, {}, printed.OCCLUSION_ACCURACY, printed.OCCLUSION_NMI,
)  # fmt: skip

NOISES = {"laplace": LAPLACE, "salt-pepper": SALT_PEPPER, "occlusion": OCCLUSION}
"""Tables 2, 3 and 4 of the paper, by the names of their experiments."""

Figures = dict[str, dict[str, list[float]]]
"""By measure (error, accuracy, nmi, seconds) and method, one figure a level."""
