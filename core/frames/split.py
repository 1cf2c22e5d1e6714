"""What one step made of one vector."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout, Values
from core.runtime.cached import cached


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
    def mask(self) -> NDArray[np.uint8] | None:
        """The method's own mask (H, W), 255 foreground and 0 background; None where the method makes none."""

    def samples(self, layout: Layout) -> Values:
        """Return the background (F,) rounded to samples, as it is shown and saved.

        ``layout`` is that of the vector: what is made of numbers alone does not know it, other splits need not look.
        """


@dataclass(frozen=True)
class DenseSplit:
    """A split whose arrays were all computed; see `Split` for what they are."""

    background: NDArray[np.float32]
    residual: NDArray[np.float32]
    outliers: NDArray[np.float32] | None
    h: NDArray[np.float64]
    objective: float
    mask: NDArray[np.uint8] | None = field(default=None, kw_only=True)

    @cached
    def _rounded(self) -> dict[Layout, Values]:
        """What `samples` has returned: masks, plate and pictures of a frame ask for the same."""
        return {}

    def samples(self, layout: Layout) -> Values:
        """Return the background (F,) rounded to samples of ``layout``, as it is shown and saved."""
        if layout not in self._rounded:
            self._rounded[layout] = layout.quantise(self.background)
        return self._rounded[layout]
