"""The weights of the head (`core.scene.masks.head`): those that come with the program, and those in other files."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.kernels.cell_features import N
from core.kernels.head import Network
from core.state_schema import ArraySpec, MisfitError, StateSchema

REACHES = (1, 2, 4, 8)
"""Dilation of each layer, cells."""

FEATURES = 2
"""Which features the kernels compute: it counts up whenever one changes, as weights fit no others."""

UNREADABLE = (OSError, KeyError, ValueError, EOFError, BadZipFile)
"""What reading a damaged file raises."""

_LAYERS = len(REACHES)

SCHEMA = StateSchema({
    name: ArraySpec(np.float32, shape)
    for name, shape in {
        "enter": (N, N), "enter_bias": (N,), "spread": (_LAYERS, N, 9), "mix": (_LAYERS, N, N),
        "mix_bias": (_LAYERS, N), "leave": (2, N), "leave_bias": (2,),
    }.items()
})  # fmt: skip
"""Of the arrays of `Weights`, by whose sizes the kernels go without a look."""


class Weights(Network):
    """What was learnt."""

    __slots__ = ()

    @staticmethod
    def of(arrays: dict[str, NDArray[np.generic]]) -> Weights:
        """Return the weights that arrays by these names hold, in the shapes of `SCHEMA`."""
        return Weights(**{name: np.ascontiguousarray(arrays[name], np.float32) for name in SCHEMA.arrays})


@cache
def shipped() -> Weights:
    """Return the weights that come with the program.

    Raises
    ------
    CleanplateError
        Their file is damaged.
    """
    try:
        return _read(resources.files("resources").joinpath("head.npz"))
    except UNREADABLE as error:
        raise CleanplateError(f"resources/head.npz is damaged{_reason(error)}; install the program again.") from error


def load_weights(path: Path) -> Weights:
    """Return the weights of a file.

    Raises
    ------
    CleanplateError
        It cannot be read, or holds none.
    """
    try:
        return _read(path)
    except UNREADABLE as error:
        raise CleanplateError(f"{path.name} holds no weights of the head{_reason(error)}.") from error


def _read(path: Traversable) -> Weights:
    with np.load(BytesIO(path.read_bytes())) as file:
        arrays = {name: file[name] for name in SCHEMA.arrays}
    SCHEMA.check(arrays)
    return Weights.of(arrays)


def _reason(error: Exception) -> str:
    return f": {error}" if isinstance(error, MisfitError) else ""
