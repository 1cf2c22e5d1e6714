"""The header of an image file: what it says without being decoded."""

from __future__ import annotations

import io
import logging
import re
import struct
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from PIL import Image

from core.errors import CleanplateError
from core.io.regular_file import open_regular

FORMATS = ("PNG", "JPEG", "BMP", "PPM")
"""Formats whose headers Pillow reads without decoding anything; PPM stands for PGM too."""

_PNG = b"\x89PNG\r\n\x1a\n"

SIZED = (*FORMATS, "TIFF", "GIF")
"""Formats of which Pillow reads the size without decoding anything."""

_PNM_START = 4096
_PNM_LARGEST = re.compile(rb"P([2356])\s+(?:#[^\n]*\n\s*)*\d+\s+(?:#[^\n]*\n\s*)*\d+\s+(?:#[^\n]*\n\s*)*(\d+)\s")
# Tables of Huffman codes and of arithmetic coding have numbers among those of the frames' headers.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_BARE = frozenset({0x01, *range(0xD0, 0xD9)})

# Only headers are read, and a large picture is refused by who knows how much memory there is; what is wrong with a file
# is said when it is decoded.
Image.MAX_IMAGE_PIXELS = None
warnings.filterwarnings("ignore", module=r"PIL\.")
logging.getLogger("PIL").addHandler(logging.NullHandler())


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


def read(path: Path, formats: tuple[str, ...] = FORMATS) -> Header | None:
    """Return what the header of a file in one of these formats says; None for all else."""
    try:
        with open_regular(path) as file:
            return of(file, formats)
    except (OSError, CleanplateError):
        return None


def of(file: BinaryIO, formats: tuple[str, ...] = FORMATS) -> Header | None:
    """Return what the header of an open file says, as `read` does."""
    try:
        with Image.open(file, formats=formats) as image:
            size, has_alpha, is_pnm = frozenset(image.size), image.has_transparency_data, image.format == "PPM"
            file.seek(0)
            return Header(size, _pnm_depth(file.read(_PNM_START)) if is_pnm else None, has_alpha)
    except Exception:
        # Pillow does not say what it raises on damaged files; decoding them tells what is wrong.
        return None


def size_of(data: bytes) -> tuple[int, int] | None:
    """Return width and height of an image file by its header, before anything is decoded; None where it says none.

    Where a decoder takes a file in spite of damage, so does this: Pillow is asked only about formats whose headers lie
    at no fixed place.
    """
    if data.startswith(_PNG):
        return _fields(">II", data, 16) if _has_its_chunks(data) else None
    if data.startswith(b"\xff\xd8"):
        return _jpeg_size(data)
    if data.startswith(b"BM"):
        old = data[14:18] == struct.pack("<I", 12)
        size = _fields("<HH" if old else "<ii", data, 18)
        return size and (abs(size[0]), abs(size[1]))
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp_size(data)
    try:
        with Image.open(io.BytesIO(data), formats=SIZED) as image:
            return image.size
    except Exception:  # As above.
        return None


def is_grey_with_alpha(data: bytes) -> bool:
    """Tell whether a file that starts with ``data`` is a PNG of grey samples with alpha."""
    return data.startswith(_PNG) and data[25:26] == b"\x04"


def is_animated_webp(data: bytes) -> bool:
    """Tell whether a file that starts with ``data`` is an animated WebP."""
    return data[:4] == b"RIFF" and data[8:16] == b"WEBPVP8X" and len(data) > 20 and bool(data[20] & 0x02)


def is_animated_png(data: bytes) -> bool:
    """Tell whether a file that starts with ``data`` is an animated PNG: says so before its first picture."""
    place = 8
    while data.startswith(_PNG) and place + 8 <= len(data):
        kind = data[place + 4 : place + 8]
        if kind in {b"acTL", b"IDAT"}:
            return kind == b"acTL" and int.from_bytes(data[place + 8 : place + 12], "big") > 1
        place += 12 + int.from_bytes(data[place : place + 4], "big")
    return False


def is_animated_avif(data: bytes) -> bool:
    """Tell whether a file that starts with ``data`` is an animated AVIF: stills never name its brand first."""
    return data[4:12] == b"ftypavis"


def is_animated(data: bytes) -> bool:
    """Tell whether a file that starts with ``data`` holds several pictures that follow each other."""
    return is_animated_png(data) or is_animated_webp(data) or is_animated_avif(data)


def _fields(form: str, data: bytes, place: int) -> tuple[int, int] | None:
    try:
        first, second = struct.unpack_from(form, data, place)
    except struct.error:
        return None
    return first, second


def _has_its_chunks(data: bytes) -> bool:
    """Tell whether no chunk of a PNG claims more than is there; OpenCV takes none of those, but the memory first."""
    return png_end(data) <= len(data)


def png_end(data: bytes) -> int:
    """Return where the last chunk of a PNG begins, or where the chunks that are there end, if it is not among them."""
    place = 8
    while place + 8 <= len(data) and data[place + 4 : place + 8] != b"IEND":
        place += 12 + int.from_bytes(data[place : place + 4], "big")
    return place


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    place = 2
    while (place := data.find(b"\xff", place)) >= 0 and place + 4 <= len(data):
        marker = data[place + 1]
        if marker in _JPEG_FRAMES:
            size = _fields(">HH", data, place + 5)
            return size and size[::-1]
        if marker in {0x00, 0xFF} or marker in _JPEG_BARE:
            place += 1 if marker == 0xFF else 2
        else:
            place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    size = _fields("<HH", data, 26) if kind == b"VP8 " else None
    return size and (size[0] & 0x3FFF, size[1] & 0x3FFF)


def _pnm_depth(start: bytes) -> int | None:
    """Return the significant bits of a PGM or PPM: OpenCV leaves samples as they are, 12 bits in 16 stay 12 bits."""
    found = _PNM_LARGEST.match(start)
    return int(found[2]).bit_length() if found and 255 < int(found[2]) < 65536 else None


def unscaled_largest(data: bytes) -> int | None:
    """Return what is white in a binary PGM or PPM, where below 255: OpenCV scales only those written as text."""
    found = _PNM_LARGEST.match(data[:_PNM_START])
    return int(found[2]) if found and found[1] in b"56" and 0 < int(found[2]) < 255 else None
