"""What to run and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core import catalogue
from core.parameter import Value
from core.scene.areas import Areas
from core.session.plan import check_passes


@dataclass(frozen=True)
class Settings:
    """What to run and how: the same in the window, on the command line and in a preset.

    Attributes
    ----------
    method : str
        Key of a row of the catalogue.
    values : dict
        Parameters of the method and of the mask that differ from their defaults, by name.
    passes : int
        How often the input is read. Earlier passes learn; the last one gives the results. A batch method reads it
        twice whatever this says, and a camera once.
    seed : int
        Random seed.
    painted : mapping of arrays
        What was painted by hand on an earlier run of the same input, as `StrokeHistory.painted` gave it.
    areas : Areas
        What is excluded of the input.
    """

    method: str = "fast"
    values: Mapping[str, Value] = field(default_factory=dict)
    passes: int = 1
    seed: int = 0
    painted: Mapping[str, NDArray[np.generic]] = field(default_factory=dict, compare=False)
    areas: Areas = field(default_factory=Areas)


def checked_settings(method: str, values: Mapping[str, Value], passes: int, seed: int) -> Settings:
    """Return settings whose values can be used.

    Parameters
    ----------
    method, values, passes, seed
        As in `Settings`.

    Raises
    ------
    CleanplateError
        The catalogue has no such method or parameter, or a value is out of range.
    """
    check_passes(passes)
    complete = catalogue.complete(catalogue.row(method), values)
    return Settings(method, {name: complete[name] for name in values}, passes, seed)
