"""A learnt model on disk: arrays in an npz file, never a pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frame import Layout
from core.methods import Value


@dataclass(frozen=True)
class Model:
    """What a run learnt, and what is needed to apply it to another input.

    Attributes
    ----------
    method : str
        Key of the method.
    values : mapping
        Every parameter of method and mask, by name.
    layout : Layout
        Of the frames that it was learnt from.
    method_state, mask_state : mapping of arrays
    """

    method: str
    values: Mapping[str, Value]
    layout: Layout
    method_state: Mapping[str, NDArray]
    mask_state: Mapping[str, NDArray]

    def check_layout(self, layout: Layout) -> None:
        """Raise an error where the model cannot be applied to frames of ``layout``."""
        if layout.shapes != self.layout.shapes:
            raise CleanplateError(
                f"The model was learnt at {self.layout.width}×{self.layout.height} in {self.layout.planes.value}, the "
                f"input is {layout.width}×{layout.height} in {layout.planes.value}; "
                f"set the working size or grey to match, or learn a new model."
            )
