"""Dictionaries to start from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Planes
from core.kernels import shading as shading_kernel
from core.runtime import bands

IMAGE_SET_VALUES = 50_000
"""Vectors up to this long, unless decoded from video, are taken for an image set."""


WAVES = ((1, 1, 0), (1, 0, 1), (1, 1, 1), (1, 2, 0), (-1, 1, 0), (-1, 0, 1), (1, 0, 2))
"""Signs, and half periods down and across, of the shadings after the first. Coefficients are not negative, so each ramp
has its opposite: light could fade where the first ones are dark, but never grow there beyond that of the plate. These
do not come before the fifth: with a rank of 5, `fall` and `caviar2` lose 0.008 and 0.012 of F by them in two passes."""

FINER_WAVES = tuple(
    (sign, down, halves - down)
    for halves in range(1, 13)
    for down in range(halves + 1)
    for sign in (1, -1)
    if (sign, down, halves - down) not in WAVES
)
"""Those of high ranks: none is twice among them."""

SHADINGS = ((1, 0, 0), *WAVES, *FINER_WAVES)
"""All of them, in the order of the columns; the first is none."""


def looks_like_video(layout: Layout) -> bool:
    """Guess from the layout whether frames show one scene (video) or each something else (an image set).

    The two want another start and another rank: a video's frames are all nearly one image.
    """
    return layout.planes is Planes.YCC420 or layout.n_values > IMAGE_SET_VALUES


def random_dictionary(rank: int, n_values: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a random dictionary (K, F), nonnegative with rows of norm 1, as in Zhao & Tan (2017), section IV."""
    W = rng.random((rank, n_values), dtype=np.float32) + np.float32(1e-3)
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    return W


def shaded_dictionary(plate: NDArray[np.float32], layout: Layout, rank: int) -> NDArray[np.float32]:
    """Return a dictionary (K, F) of a plate and smooth shadings of it, for light that changes unevenly; rows of norm 1.

    Parameters
    ----------
    plate : (F,) float32
        An image of the scene, units of white.
    layout : Layout
    rank : int
    """
    W = np.empty((rank, plate.size), np.float32)
    for k in range(rank):
        shaded_column(plate, layout, k, W[k])
    return W


def shaded_column(plate: NDArray[np.float32], layout: Layout, k: int, out: NDArray[np.float32]) -> None:
    """Write column k (F,) of the dictionary that `shaded_dictionary` returns, whatever its rank."""
    tasks: list[Callable[[], float]] = []
    for index, (y, x) in enumerate(_waves(layout, k)):
        planes = layout.plane(plate, index), layout.plane(out, index)
        tasks += bands.rows(shading_kernel.shade_band, y.size, out.size, planes[0], np.float32(1e-4), y, x, planes[1])
    norm = max(float(np.sqrt(sum(bands.all_of(tasks, out.size)))), 1e-6)

    def scale(start: int, stop: int) -> None:
        out[start:stop] *= np.float32(1 / norm)

    bands.run(scale, out.size)


def leftover_columns(unexplained: NDArray[np.float32], layout: Layout, first: int, rank: int) -> NDArray[np.float32]:
    """Return columns ``first`` to ``rank`` - 1 of a dictionary that grows, (rank - first, F); rows of norm 1.

    They are made of what the others leave unexplained, shaded so that they differ.

    Parameters
    ----------
    unexplained : (F,) float32
        Mean of what stood above the background, units of white.
    layout : Layout
    first, rank : int
        Rank before and after.
    """
    leftover = unexplained + np.float32(1e-4)
    columns = np.stack([leftover * shading(layout, k) for k in range(first, rank)]) + np.float32(1e-6)
    columns /= np.linalg.norm(columns, axis=1, keepdims=True)
    return columns


def shading(layout: Layout, k: int) -> NDArray[np.float32]:
    """Return the k-th smooth field over the image, in [0, 1], as a vector (F,): 1, ramps, then finer waves."""
    return np.concatenate([(np.float32(0.5) + np.float32(0.5) * np.outer(y, x)).ravel() for y, x in _waves(layout, k)])


def _waves(layout: Layout, k: int) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Yield what `shading` is made of in each plane: waves down (h,) and across (w,)."""
    sign, i, j = SHADINGS[k % len(SHADINGS)]
    for height, width in layout.shapes:
        y = np.float32(sign) * np.cos(np.pi * i * (np.arange(height, dtype=np.float32) + 0.5) / height)
        x = np.cos(np.pi * j * (np.arange(width, dtype=np.float32) + 0.5) / width)
        yield y, x
