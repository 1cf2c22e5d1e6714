"""A learnt model on disk: arrays in an npz file, never a pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.publishing.single_file import replacing
from core.io.sources.base import Source
from core.io.sources.measured import WithContrast
from core.nmf.finite import check_finite
from core.parameter import Value
from core.session.model_file import HEADER, VERSION, Header, read_model, version_of

__all__ = ["HEADER", "VERSION", "Model"]


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
    method_state: Mapping[str, NDArray[np.generic]]
    mask_state: Mapping[str, NDArray[np.generic]]

    def __post_init__(self) -> None:
        """Refuse what is not finite, be it learnt or read."""
        check_finite(*(array for name, array in self.method_state.items() if name in {"W", "background"}))

    def check_layout(self, layout: Layout) -> None:
        """Raise an error where the model cannot be applied to frames of ``layout``; the bit depth may differ."""
        if layout.shapes != self.layout.shapes:
            raise CleanplateError(self._misfit(layout))
        levels = {True: "full range", False: "video levels"}
        if layout.full_range != self.layout.full_range:
            raise CleanplateError(
                f"The model was learnt from {levels[self.layout.full_range]}, the input has "
                f"{levels[layout.full_range]}: the same grey is another number; convert it, or learn a new model."
            )
        if layout.planes is Planes.YCC420 and layout.matrix != self.layout.matrix:
            raise CleanplateError(
                f"The model was learnt from colours by {self.layout.matrix}, the input's are by {layout.matrix}; "
                f"convert it, use grey for both, or learn a new model."
            )

    def _misfit(self, layout: Layout) -> str:
        """Return in a sentence how frames of ``layout`` differ from those that it was learnt from, and what helps."""
        learnt, given, remedies = [], [], []
        width, height, planes = self.layout.width, self.layout.height, self.layout.planes
        if (width, height) != (layout.width, layout.height):
            learnt.append(f"at {width}×{height}")
            given.append(f"{layout.width}×{layout.height}")
            remedies.append(f"work at its size (on the command line --size {width}x{height})")
        if planes is not layout.planes:
            learnt.append(f"in {planes.value}")
            given.append(f"in {layout.planes.value}")
            remedies += ["work in grey"] if planes is Planes.GREY else []
        what = " and ".join(remedies) + (", or " if remedies else "")
        return f"The model was learnt {' '.join(learnt)}, the input is {' '.join(given)}; {what}learn a new model."

    def with_contrast(self, source: Source) -> Source:
        """Return a source with the contrast that the model was learnt at, as its noise was; bit depths may differ."""
        ours, layout = self.layout, source.info.layout
        pedestal = round(ours.pedestal * layout.white / ours.white)
        is_same = (layout.used, layout.pedestal) == (ours.used, pedestal)
        return source if is_same else WithContrast(source, ours.used, pedestal)

    def save(self, path: Path) -> None:
        """Write the model to an npz file, complete or not at all.

        Raises
        ------
        CleanplateError
            The disk is full or refuses.
        """
        with replacing(Path(path)) as beside:
            self.write(beside)

    def write(self, path: Path) -> None:
        """Write the npz file at ``path`` itself; the same model gives the same bytes. Raises OSError."""
        states = {"method": self.method_state, "mask": self.mask_state}
        arrays = {f"{part}.{name}": array for part, state in states.items() for name, array in state.items()}
        layout = self.layout
        header = Header(
            version_of(layout, arrays), self.method, dict(self.values), layout.height, layout.width, layout.planes,
            layout.bit_depth, layout.full_range, layout.matrix, list(arrays),
            (layout.used, layout.pedestal) if layout.is_measured else None,
        )  # fmt: skip
        packed = np.frombuffer(msgspec.json.encode(header), np.uint8)
        with path.open("wb") as file:
            np.savez(file, allow_pickle=False, **{HEADER: packed}, **arrays)

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read a model that `save` wrote.

        Raises
        ------
        CleanplateError
            There is no such file, it is not a model, it is damaged, a newer program wrote it, or it holds what no model
            of its method and values does.
        """
        header, state = read_model(Path(path))
        parts: dict[str, dict[str, NDArray[np.generic]]] = {"method": {}, "mask": {}}
        for name, array in state.items():
            part, _, key = name.partition(".")
            parts[part][key] = array
        return cls(header.method, header.values, header.layout, parts["method"], parts["mask"])
