"""A model file as it is read: held against what a method of its values saves before anything is made of it."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from core import catalogue
from core.errors import CleanplateError, quoted
from core.frames.colour import Matrix
from core.frames.frame import Layout, Planes
from core.io.array_file import ArrayFile, ArrayFileError, array_file
from core.scene.masks.corrections import Corrections
from core.scene.masks.foreground import Foreground
from core.state_schema import MisfitError, StateSchema
from core.untrusted_json import Side, UnreadableJsonError, check_version, decoded

VERSION = 4
"""File version; larger numbers come from newer programs."""

_PEDESTAL = 2
"""The first version that knows a pedestal as it is now."""

_BT2020 = 3
"""The first version that knows its colours."""

HEADER = "header"

MOST_HEADER_BYTES = 64 << 10
"""The header of a model takes 2 kB."""


def version_of(layout: Layout, names: Collection[str]) -> int:
    """Return the first version that could read arrays of these names, learnt from frames of a layout."""
    if "method.dark" in names:
        return VERSION
    if layout.matrix == "bt2020":
        return _BT2020
    return _PEDESTAL if layout.has_pedestal else 1


class Header(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a model file says of itself, as JSON in the array ``header``."""

    version: int
    """1 where black is no light, 2 where there is a pedestal, from which light then counts (`Layout.dark`), 3 where
    colours are by BT.2020, 4 where light counts from below black."""
    method: str
    values: dict[str, float | int | bool | str | None]
    height: Side
    width: Side
    planes: Planes
    bit_depth: Annotated[int, Meta(ge=8, le=16)]
    full_range: bool
    matrix: Matrix
    arrays: list[str]
    """Names of the arrays in the file, each ``method.`` or ``mask.`` and a name."""
    contrast: tuple[Annotated[float, Meta(gt=0, le=1)], Annotated[int, Meta(ge=0, lt=1 << 16)]] | None = None
    """``used`` and ``pedestal`` of the layout; left out where they were not measured, as in earlier files."""

    @property
    def layout(self) -> Layout:
        """Layout of the frames that it was learnt from."""
        return Layout(
            self.height, self.width, self.planes, self.bit_depth, self.full_range, self.matrix, *(self.contrast or ())
        )

    @property
    def schema(self) -> StateSchema:
        """What a method and a mask of these values save, as the names in the file begin.

        Raises
        ------
        CleanplateError
            There is no such method or parameter, or a value is out of its range.
        """
        row, layout = catalogue.row(self.method), self.layout
        values = catalogue.complete(row, self.values)
        mask = Corrections.schema(layout).joined(Foreground.schema(layout, values))
        return row.schema(layout, values).prefixed("method.").joined(mask.prefixed("mask."))


def read_model(path: Path) -> tuple[Header, dict[str, NDArray[np.generic]]]:
    """Return the header of a model file and its arrays, which fit the schema of the header.

    Raises
    ------
    CleanplateError
        There is no such file, it is not a model, it is damaged, a newer program wrote it, or it holds what no model
        of its method and values does.
    """
    try:
        with array_file(path) as file:
            header = _header(file, path)
            return header, _arrays(file, header)
    except FileNotFoundError:
        raise CleanplateError(f"There is no model {path}; give a file that a run with --save model wrote.") from None
    except (ArrayFileError, MisfitError) as error:
        raise CleanplateError(
            f"{path} is not a model that Cleanplate can read, or it is damaged: {error}; learn and save it again."
        ) from error
    except OSError as error:
        raise CleanplateError(f"The model {path} cannot be read ({error.strerror}); choose another file.") from error


def _arrays(file: ArrayFile, header: Header) -> dict[str, NDArray[np.generic]]:
    declared = {name: said for name, said in file.declared.items() if name != HEADER}
    if len(header.arrays) != len(declared) or set(header.arrays) != set(declared):
        differ = min(set(header.arrays) ^ set(declared), default="")
        raise MisfitError(f"its header and its arrays disagree on {quoted(differ)}")
    if header.version < _PEDESTAL and header.layout.has_pedestal:
        raise MisfitError("an earlier version wrote it, whose light counts from another grey")
    try:
        schema = header.schema
    except CleanplateError as error:
        raise MisfitError(str(error).rstrip(".")) from error
    schema.check_declared(declared)
    state = {name: file.read(name) for name in header.arrays}
    schema.check_contents(state)
    return state


def _header(file: ArrayFile, path: Path) -> Header:
    """Return the header; a newer file may hold fields that this program does not know."""
    dtype, shape = file.declared.get(HEADER, (np.dtype(np.uint8), ()))
    if dtype != np.uint8 or len(shape) != 1:
        raise ArrayFileError("it has no header")
    if shape[0] > MOST_HEADER_BYTES:
        raise ArrayFileError(f"its header takes {shape[0]:,} bytes")
    packed = file.read(HEADER).tobytes()
    try:
        check_version(packed, VERSION, str(path))
        return decoded(packed, Header)
    except UnreadableJsonError as error:
        raise ArrayFileError(f"its header is none ({error})") from error
