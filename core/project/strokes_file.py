"""What was painted by hand, in a file: arrays that are held against what people can have painted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.array_file import ArrayFile, ArrayFileError, array_file
from core.scene.masks.corrections import Corrections
from core.scene.masks.lessons_schema import lessons_schema
from core.state_schema import MisfitError

Strokes = Mapping[str, NDArray[np.generic]]
"""As `core.session.stroke_history.StrokeHistory.painted` gives it."""

MOST_SIDE = 1_000_000
"""Pixels; no picture that is read has more rows or columns."""


def write_strokes(painted: Strokes, path: Path) -> None:
    """Write strokes at ``path`` itself. Raises OSError."""
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **painted)


def read_strokes(path: Path) -> Strokes:
    """Return the strokes in a file.

    Raises
    ------
    CleanplateError
        There is no such file, it cannot be read, or it holds what nobody has painted.
    """
    try:
        with array_file(path) as file:
            schema = Corrections.schema(layout := _layout(file)).joined(lessons_schema(layout))
            schema.check_declared(file.declared)
            painted = {name: file.read(name) for name in file.declared}
            schema.check_contents(painted)
            return painted
    except (ArrayFileError, MisfitError) as error:
        raise CleanplateError(f"What was painted by hand, in {path}, is damaged: {error}; restore the file.") from error
    except OSError as error:
        raise CleanplateError(
            f"What was painted by hand, in {path}, cannot be read ({error.strerror}); keep it beside its project."
        ) from error


def _layout(file: ArrayFile) -> Layout:
    """Return the layout of the frames that were painted on, as far as the strokes tell it."""
    for name in ("painted_shapes", "taught_shapes"):
        dtype, shape = file.declared.get(name, (np.dtype(np.float64), ()))
        if dtype == np.int64 and shape in ((1, 2), (3, 2)):
            shapes = file.read(name).tolist()
            break
    else:
        raise ArrayFileError("it says nothing of the size of the pictures")
    (height, width), chroma = shapes[0], shapes[-1]
    if not (1 <= height <= MOST_SIDE and 1 <= width <= MOST_SIDE):
        raise ArrayFileError("no picture has such a size")
    planes = Planes.GREY if len(shapes) == 1 else Planes.RGB if chroma == [height, width] else Planes.YCC420
    bits = 8
    if file.declared.get("painted_white") == (np.dtype(np.int64), ()):
        bits = int(file.read("painted_white")).bit_length()
    if not 8 <= bits <= 16:
        raise ArrayFileError("no picture has such samples")
    return Layout(height, width, planes, bits)
