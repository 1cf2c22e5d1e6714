"""What one step made of one vector."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values


class Split(Protocol):
    """What one step made of one vector ``v``. Nothing in it is written again."""

    @property
    def background(self) -> NDArray[np.float32]:
        """``W h`` (F,), units of white."""

    @property
    def residual(self) -> NDArray[np.float32]:
        """``v − W h`` (F,), units of white."""

    @property
    def outliers(self) -> NDArray[np.float32] | None:
        """``r`` (F,), units of white; None where the method has none."""

    @property
    def h(self) -> NDArray[np.float64]:
        """Coefficients (K,)."""

    @property
    def objective(self) -> float:
        """The method's loss of this vector."""

    @property
    def iterations(self) -> int:
        """Inner iterations spent."""

    def samples(self, layout: Layout) -> Values:
        """Return the background (F,) rounded to samples of ``layout``, as it is shown and saved."""


@dataclass(frozen=True)
class DenseSplit:
    """A split whose arrays were all computed; see `Split` for what they are."""

    background: NDArray[np.float32]
    residual: NDArray[np.float32]
    outliers: NDArray[np.float32] | None
    h: NDArray[np.float64]
    objective: float
    iterations: int = 1

    def samples(self, layout: Layout) -> Values:
        """Return the background (F,) rounded to samples of ``layout``, as it is shown and saved."""
        return layout.quantise(self.background)


@dataclass(frozen=True)
class MaskedSplit(DenseSplit):
    """A split of a method that makes its own masks, which then are taken as they are.

    Attributes
    ----------
    mask : (H, W) uint8
        255 foreground, 0 background.
    """

    mask: NDArray[np.uint8] = field(kw_only=True)
