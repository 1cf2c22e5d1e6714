"""What methods without factorization have in common: one background image, and masks of their own.

Their backgrounds are written as factors, so that all that works on methods works on them: the background image is the
only column of ``W``, and ``h = [1]``. The background of a step is the one after the frame was learnt from, as these
methods are used everywhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Layout, Values, Vector
from core.frames.split import DenseSplit, Split
from core.methods.background_subtractors.pictures import Mask, picture
from core.methods.base import Unguided
from core.nmf.inner_products import inner
from core.parameter import Value
from core.state_schema import COUNT, SAMPLES, ArraySpec, StateSchema


def background_schema(layout: Layout, _values: Mapping[str, Value]) -> StateSchema:
    """Return what a `BackgroundImageMethod` saves."""
    return StateSchema({
        "background": ArraySpec(np.float32, (layout.n_values,), (SAMPLES,)),
        "n_seen": ArraySpec(np.int64, (), (COUNT,)),
    })  # fmt: skip


class BackgroundImageMethod(Unguided, ABC):
    """Keeps one background image, and makes masks of its own.

    Parameters
    ----------
    layout : Layout
    values : mapping
        A value for each parameter of the method's row.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        self._layout = layout
        self._values = dict(values)
        self._background = np.zeros(layout.n_values, np.float32)
        self._n_seen = 0
        self._pictured: tuple[NDArray[np.float32], NDArray[np.uint8]] | None = None

    @property
    def W(self) -> NDArray[np.float32]:
        """The background image as the only column (F, 1), units of white; 0 before the first frame."""
        return self._background[:, None]

    @property
    def values(self) -> Mapping[str, Value]:
        """Parameters in force, by name."""
        return self._values

    def set(self, name: str, value: Value) -> None:
        """Change a parameter; takes effect at the next step."""
        self._values[name] = value

    def drop(self, k: int) -> None:
        """Do nothing: there is one column, and it stays."""

    def step(self, v: Vector) -> Split:
        """Learn from a vector; split it with the background image as it then is."""
        self._n_seen += 1
        return self._split(v, self._learn(self._layout.in_samples(v)))

    def transform(self, v: Vector) -> Split:
        """Split a vector; learn nothing."""
        if not self._n_seen:
            raise CleanplateError("The model is empty; learn from at least one frame before applying it.")
        return self._split(v, self._look(self._layout.in_samples(v)))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        return {"background": self._background.copy(), "n_seen": np.array(self._n_seen)}

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Load a state."""
        self._background = np.array(state["background"], np.float32)
        self._n_seen = int(state["n_seen"])

    @abstractmethod
    def _learn(self, samples: Values) -> Mask:
        """Learn from samples (F,), put a new array in place of the background, and return the mask (H, W)."""

    @abstractmethod
    def _look(self, samples: Values) -> Mask:
        """Return the mask (H, W) of samples (F,); learn nothing."""

    def _background_picture(self) -> NDArray[np.uint8]:
        """Return the background as `picture` gives it; made anew only where it has changed."""
        if self._pictured is None or self._pictured[0] is not self._background:
            self._pictured = self._background, picture(self._layout.quantise(self._background), self._layout)
        return self._pictured[1]

    def _split(self, v: Vector, mask: Mask) -> DenseSplit:
        residual = self._layout.in_white(v) - self._background
        objective = 0.5 * inner(residual, residual)
        return DenseSplit(self._background.copy(), residual, None, np.ones(1), objective, mask=mask)
