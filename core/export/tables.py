"""The numbers of every frame: coefficients, and what curves are drawn of; as arrays and as text."""

from __future__ import annotations

import csv
import math
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.export.frame_names import FrameNames
from core.frames.residual import residual_rms
from core.io.publishing.refusals import writing
from core.io.sources.base import SourceInfo
from core.session.report import Report

Columns = dict[str, NDArray[Any]]
"""By name, each (N,) or (N, K), with N frames; numbers, or text."""


def coefficients_of(report: Report) -> dict[str, float]:
    """Return h, one coefficient for each basis image, from 1."""
    return {f"h{k}": float(value) for k, value in enumerate(report.split.h, 1)}


def curves_of(report: Report) -> dict[str, float]:
    """Return what is known of a frame in single numbers; times are left out, which differ from run to run.

    ``foreground`` is a share of the pixels, ``noise`` and ``residual`` are in units of white, ``objective`` is the
    method's loss; then what is known where the truth is, as in `Report.figures`.
    """
    return {
        "foreground": report.foreground_share,
        "noise": report.noise,
        "residual": residual_rms(report.frame, report.split),
        "objective": report.split.objective,
        **report.scored().figures,
    }


TABLES: dict[str, Callable[[Report], dict[str, float]]] = {
    "coefficients": coefficients_of, "curves": curves_of, "times": lambda report: {},
}  # fmt: skip
"""The products that are numbers, by key, and where those of a frame come from."""


class Table:
    """Numbers of frames, kept in some hundred bytes a frame. `add` each report, then `write`.

    Parameters
    ----------
    product : str
        Key of `TABLES`.
    info : SourceInfo
        Of the input.
    names : FrameNames, optional
        Of the images of frames, where ``times`` is to say which is whose.
    """

    def __init__(self, product: str, info: SourceInfo, names: FrameNames | None = None) -> None:
        self._numbers_of, self._product, self._names = TABLES[product], product, names
        self._words: dict[str, list[str]] = {}
        self._number_of = info.number_of
        self._columns: dict[str, array[float]] = {}
        self._n = 0

    def add(self, report: Report) -> None:
        """Take the numbers of a frame; what earlier or later frames do not have is not a number there."""
        frame = report.frame
        number = self._number_of(frame.index)
        for name, value in {"frame": number, "time_s": frame.input_s, **self._numbers_of(report)}.items():
            column = self._columns.setdefault(name, array("d"))
            column.extend([np.nan] * (self._n - len(column)))
            column.append(float(value))
        if self._product == "times":
            self._words.setdefault("file_name", []).append(frame.full.name)
            if self._names is not None:
                self._words.setdefault("image", []).append(self._names.of(report))
        self._n += 1

    def write(self, arrays: Path, text: Path) -> None:
        """Write an NPZ file with the arrays ``frame``, ``time_s`` and ``h`` (N, K), or one for each curve; and CSV.

        ``times`` has the arrays of text ``file_name``, where frames are files, and ``image``.

        Raises
        ------
        CleanplateError
            The disk is full or refuses.
        """
        columns = {name: self._whole(column) for name, column in self._columns.items()}
        columns["frame"] = columns["frame"].astype(np.int64)
        columns |= {name: np.array(words, np.str_) for name, words in self._words.items() if any(words)}
        write_columns(self._product, columns, arrays, text)

    def _whole(self, column: array[float]) -> NDArray[Any]:
        column.extend([np.nan] * (self._n - len(column)))
        return np.frombuffer(column, np.float64)


def write_columns(product: str, columns: Columns, arrays: Path, text: Path) -> None:
    """Write the numbers of frames as `Table.write` does.

    Parameters
    ----------
    product : str
        Key of `TABLES`.
    columns : dict of (N,) arrays
        ``frame``, ``time_s`` and the others, in the order of the text.
    arrays, text : Path
    """
    with writing(arrays):
        np.savez(arrays, allow_pickle=False, **(_with_h(columns) if product == "coefficients" else columns))
    with writing(text), text.open("w", newline="", encoding="utf-8", errors="surrogateescape") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(columns)
        lines.writerows(
            [value if isinstance(value, str) else "" if math.isnan(value) else repr(value) for value in row]
            for row in zip(*(column.tolist() for column in columns.values()), strict=True)
        )


def read_columns(product: str, arrays: Path) -> Columns:
    """Return the columns of a file that `write_columns` wrote a moment ago."""
    with np.load(arrays, allow_pickle=False) as file:
        columns = {name: file[name] for name in file.files}
    if product == "coefficients":
        h = columns.pop("h")
        columns |= {f"h{k}": column for k, column in enumerate(h.T, 1)}
    return columns


def joined_columns(parts: Sequence[Columns]) -> Columns:
    """Return the columns of several parts one after another; what a part does not have is not a number there.

    Of text, it is empty.
    """
    blank = {name: "" if column.dtype.kind == "U" else np.nan for part in parts for name, column in part.items()}
    return {
        name: np.concatenate([part.get(name, np.full(len(part["frame"]), nothing)) for part in parts])
        for name, nothing in blank.items()
    }


def _with_h(columns: Columns) -> Columns:
    h = [column for name, column in columns.items() if name not in {"frame", "time_s"}]
    stacked = np.stack(h, axis=1) if h else np.empty((len(columns["frame"]), 0))
    return {"frame": columns["frame"], "time_s": columns["time_s"], "h": stacked}
