"""The header of an image file: what it says without being decoded."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

FORMATS = ("PNG", "JPEG", "BMP", "PPM")
"""Formats whose headers Pillow reads without decoding anything; PPM stands for PGM too."""

_PNM_START = 4096
_PNM_LARGEST = re.compile(rb"P[2356]\s+(?:#[^\n]*\n\s*)*\d+\s+(?:#[^\n]*\n\s*)*\d+\s+(?:#[^\n]*\n\s*)*(\d+)\s")

# Only headers are read: a large picture is no bomb, and what is wrong with a file is said when it is decoded.
Image.MAX_IMAGE_PIXELS = None
warnings.filterwarnings("ignore", module=r"PIL\.")


@dataclass(frozen=True)
class Header:
    """What a header says.

    Attributes
    ----------
    size : frozenset of int
        Width and height in either order, for an EXIF orientation may swap them.
    bit_depth : int or None
        Significant bits where they are fewer than the type's.
    has_alpha : bool
    """

    size: frozenset[int]
    bit_depth: int | None = None
    has_alpha: bool = False


def read(path: Path) -> Header | None:
    """Return what the header of a PNG, JPEG, BMP, PGM or PPM file says; None for all else."""
    try:
        with path.open("rb") as file, Image.open(file, formats=FORMATS) as image:
            size, has_alpha, is_pnm = frozenset(image.size), image.has_transparency_data, image.format == "PPM"
            file.seek(0)
            return Header(size, _pnm_depth(file.read(_PNM_START)) if is_pnm else None, has_alpha)
    except Exception:
        # Pillow does not say what it raises on damaged files; decoding them tells what is wrong.
        return None


def _pnm_depth(start: bytes) -> int | None:
    """Return the significant bits of a PGM or PPM: OpenCV leaves samples as they are, 12 bits in 16 stay 12 bits."""
    found = _PNM_LARGEST.match(start)
    return int(found[1]).bit_length() if found and 255 < int(found[1]) < 65536 else None
