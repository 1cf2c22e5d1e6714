"""A learnt model on disk: arrays in an npz file, never a pickle."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from numpy.lib import format
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.colour import Matrix
from core.frames.frame import Layout, Planes
from core.io.sinks.base import Partial, writing
from core.io.sources.base import Source
from core.io.sources.measured import WithContrast
from core.nmf.finite import check_finite
from core.parameter import Value

VERSION = 1
"""File version; larger numbers come from newer programs."""

HEADER = "header"


class Header(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a model file says of itself, as JSON in the array ``header``."""

    version: int
    method: str
    values: dict[str, float | int | bool | str | None]
    height: int
    width: int
    planes: Planes
    bit_depth: int
    full_range: bool
    matrix: Matrix
    arrays: list[str]
    """Names of the arrays in the file, each ``method.`` or ``mask.`` and a name."""
    contrast: tuple[float, int] | None = None
    """``used`` and ``pedestal`` of the layout; left out where they were not measured, as in earlier files."""


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
            raise CleanplateError(
                f"The model was learnt at {self.layout.width}×{self.layout.height} in {self.layout.planes.value}, the "
                f"input is {layout.width}×{layout.height} in {layout.planes.value}; "
                f"set the working size or grey to match, or learn a new model."
            )
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
        partial = Partial(Path(path))
        try:
            with writing(partial.final):
                self.write(partial.path)
            partial.publish()
        except BaseException:
            partial.discard()
            raise

    def write(self, path: Path) -> None:
        """Write the npz file at ``path`` itself; the same model gives the same bytes. Raises OSError."""
        states = {"method": self.method_state, "mask": self.mask_state}
        arrays = {f"{part}.{name}": array for part, state in states.items() for name, array in state.items()}
        layout = self.layout
        header = Header(
            VERSION, self.method, dict(self.values), layout.height, layout.width, layout.planes, layout.bit_depth,
            layout.full_range, layout.matrix, list(arrays),
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
            There is no such file, it is not a model, it is damaged, or a newer program wrote it.
        """
        path = Path(path)
        try:
            with zipfile.ZipFile(path) as file:
                version, header = _header(_array(file, HEADER).tobytes())
                if version > VERSION:
                    raise CleanplateError(
                        f"{path} was written by a newer Cleanplate (file version {version}); update this one to use it."
                    )
                arrays = {name: _array(file, name) for name in header.arrays}
        except FileNotFoundError:
            raise CleanplateError(
                f"There is no model {path}; give a file that a run with --save model wrote."
            ) from None
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, msgspec.MsgspecError,
                AttributeError, TypeError, IndexError, RuntimeError) as error:  # fmt: skip
            raise CleanplateError(
                f"{path} is not a model that Cleanplate can read, or it is damaged; learn and save it again."
            ) from error
        states: dict[str, dict[str, NDArray[np.generic]]] = {"method": {}, "mask": {}}
        for name, array in arrays.items():
            part, _, key = name.partition(".")
            states.setdefault(part, {})[key] = array
        layout = Layout(
            header.height, header.width, header.planes, header.bit_depth, header.full_range, header.matrix,
            *(header.contrast or ()),
        )  # fmt: skip
        return cls(header.method, header.values, layout, states["method"], states["mask"])


def _array(file: zipfile.ZipFile, name: str) -> NDArray[np.generic]:
    """Read an array of an npz file; its checksum is looked at where it was read to its end, and only there."""
    with file.open(f"{name}.npy") as member:
        array: NDArray[np.generic] = format.read_array(member, allow_pickle=False)
        if member.read(1):
            raise ValueError(f"{name} is longer than it says")
    return array


class _Version(msgspec.Struct):
    version: int


def _header(packed: bytes) -> tuple[int, Header]:
    """Return version and header; a newer file may hold fields that this program does not know."""
    version = msgspec.json.decode(packed, type=_Version).version
    if version > VERSION:
        empty = Header(version, "", {}, 1, 1, Planes.GREY, 8, True, "bt601", [])
        return version, empty
    return version, msgspec.json.decode(packed, type=Header)
