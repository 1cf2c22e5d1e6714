"""A contact sheet: input, truth, our mask and MOG2's, one row a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from core.bench.masks import MaskResult
from core.io.publishing.single_file import replacing
from core.io.sinks.images import png_bytes

TILE = 320
"""Width of a tile, pixels."""

GAP, CAPTION = 6, 20
"""Between tiles, and height of the line of text above a row, pixels."""

PAPER, INK = 255, 40


def contact_sheet(results: Sequence[MaskResult]) -> NDArray[np.uint8]:
    """Return the sheet (H, W, 3) RGB of the example frames of results."""
    rows = [_row(result) for result in results]
    return np.asarray(cv2.cvtColor(np.vstack(rows), cv2.COLOR_BGR2RGB), np.uint8)


def write_sheet(results: Sequence[MaskResult], path: Path) -> None:
    """Write the sheet as PNG; the name appears when the file is complete.

    Raises
    ------
    CleanplateError
        The file cannot be written.
    """
    write_picture(contact_sheet(results), path)


def write_picture(picture: NDArray[np.uint8], path: Path) -> None:
    """Write a picture, (H, W) grey or (H, W, 3) RGB, as PNG; the name appears when the file is complete.

    Raises
    ------
    CleanplateError
        The file cannot be written.
    """
    with replacing(path) as beside:
        beside.write_bytes(png_bytes(picture))


def _row(result: MaskResult) -> NDArray[np.uint8]:
    example = result.example
    tiles = [_tile(t) for t in (example.picture, example.truth, example.ours, example.mog2)]
    height = tiles[0].shape[0]
    row = np.full((CAPTION + height + GAP, 4 * TILE + 5 * GAP, 3), PAPER, np.uint8)
    captions = (
        f"{result.name}, frame {example.number}", "truth",
        f"Cleanplate, F {result.scores['ours'].f:.3f}", f"MOG2, F {result.scores['mog2'].f:.3f}",
    )  # fmt: skip
    for place, (tile, caption) in enumerate(zip(tiles, captions, strict=True)):
        left = GAP + place * (TILE + GAP)
        row[CAPTION : CAPTION + height, left : left + TILE] = tile
        cv2.putText(row, caption, (left, CAPTION - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (INK,) * 3, 1, cv2.LINE_AA)
    return row


def _tile(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    height = max(1, round(picture.shape[0] * TILE / picture.shape[1]))
    how = cv2.INTER_AREA if picture.shape[1] > TILE else cv2.INTER_NEAREST
    tile = cv2.resize(picture, (TILE, height), interpolation=how)
    return np.asarray(tile if tile.ndim == 3 else cv2.cvtColor(tile, cv2.COLOR_GRAY2BGR), np.uint8)
