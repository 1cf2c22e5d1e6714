"""The problem that methods for image sets are measured on: faces, some of them spoiled."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.bench.salt_and_pepper import with_salt_and_pepper
from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.io.sources.samples.faces import LAYOUT
from core.nmf.encoders.base import gram, least_squares_start
from core.nmf.encoders.projected_gradient import ProjectedGradientEncoder
from core.nmf.initialisation import random_dictionary
from core.nmf.outlier_losses import OutlierLoss

RANK, BATCH = 49, 10
"""As in Zhao & Tan (2017) on CBCL."""

SPOILED_IMAGES, SPOILED_PIXELS = 0.7, 0.1
"""Share of the images with salt and pepper, and share of their pixels."""

CBCL = Path("faces", "cbcl.mat")


@dataclass(frozen=True)
class Problem:
    """Data, start and λ that all methods share.

    Attributes
    ----------
    title : str
    layout : Layout
        Of a sample.
    V : (N, F) float32
        Samples in random order, each with maximum 1 before it was spoiled.
    W : (K, F) float32
        Dictionary to start from, columns of norm 1.
    lam : float
        ``1/√F``.
    seed : int
    """

    title: str
    layout: Layout
    V: NDArray[np.float32]
    W: NDArray[np.float32]
    lam: float
    seed: int

    @property
    def batches(self) -> list[NDArray[np.float32]]:
        """The samples in mini-batches (`BATCH`, F), in order; a remainder is left out."""
        return [self.V[i : i + BATCH] for i in range(0, len(self.V) - BATCH + 1, BATCH)]


def faces(folder: Path | None, seed: int = 0) -> Problem:
    """Return the CBCL faces in ``folder``, or the drawn faces where none is given.

    Raises
    ------
    CleanplateError
        There is no such file in the folder, or it is damaged.
    """
    title, layout, clean = ("Drawn faces", LAYOUT, _drawn()) if folder is None else ("CBCL faces", *cbcl(folder))
    rng = np.random.default_rng(seed)
    clean = clean[rng.permutation(len(clean))]
    clean /= clean.max(axis=1, keepdims=True)
    V = with_salt_and_pepper(clean, SPOILED_PIXELS, rng, SPOILED_IMAGES)
    W = random_dictionary(RANK, layout.n_values, np.random.default_rng(seed))
    return Problem(title, layout, V, W, layout.n_values**-0.5, seed)


class Objective:
    """Mean over all samples of ``min over h ≥ 0, r of ½‖v − W h − r‖² + λ‖r‖₁`` (Zhao & Tan 2017, eq. 6), for any W.

    One encoder judges all methods. It runs until a step changes the sum by less than a millionth, which is within a
    ten-thousandth of the minimum.
    """

    def __init__(self, problem: Problem) -> None:
        self._V = problem.V
        self._loss = OutlierLoss(problem.lam, -np.inf, np.inf)
        self._encoder = ProjectedGradientEncoder(1.0, True, 1e-6, 3000)

    def of(self, W: NDArray[np.floating]) -> float:
        """Return the objective of a dictionary (K, F); the lengths of its columns do not matter."""
        norms = np.linalg.norm(W, axis=1, keepdims=True)
        W = np.ascontiguousarray(W / np.maximum(norms, 1e-12), np.float32)
        self._encoder.prepare(W)
        H = least_squares_start(gram(W), self._V @ W.T)
        return self._encoder.encode(self._V, H, self._loss).loss / len(self._V)


def _drawn() -> NDArray[np.float32]:
    source = open_source(InputSpec("sample:faces"))
    try:
        return np.stack([frame.values for frame in source.frames()]).astype(np.float32)
    finally:
        source.close()


def cbcl(folder: Path) -> tuple[Layout, NDArray[np.float32]]:
    """Return the CBCL faces (n, F) in ``folder``, as they are but for black ones, and the layout of one.

    Raises
    ------
    CleanplateError
        There is no such file, or it is damaged.
    """
    try:
        from scipy.io import loadmat  # noqa: PLC0415 - takes a while, and few need it
    except ImportError as error:  # As in a bundle.
        raise CleanplateError(
            "MATLAB files need all of SciPy, which is not here; leave out --data, or install Cleanplate's wheel."
        ) from error
    path = next((p for p in (folder / CBCL, folder / CBCL.name) if p.is_file()), None)
    if path is None:
        raise CleanplateError(f"There is no {CBCL} in {folder}; leave out --data to measure on drawn faces.")
    try:
        X = loadmat(path)["X"].T.astype(np.float32)
    except (OSError, ValueError, TypeError, KeyError, NotImplementedError) as error:
        raise CleanplateError(f"{path} cannot be read as a MATLAB file with faces in X; fetch it again.") from error
    side = round(X.shape[1] ** 0.5)
    return Layout(side, side, Planes.GREY), X[X.max(axis=1) > 0]
