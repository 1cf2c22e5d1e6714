"""The first bytes of an image file: its size, without decoding it."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass

ENOUGH = 1 << 16
"""Bytes from the start of a file in which the size is looked for."""

_PNM = re.compile(rb"P[2356]\s+(?:#[^\n]*\n\s*)*(\d+)\s+(?:#[^\n]*\n\s*)*(\d+)\s+(?:#[^\n]*\n\s*)*(\d+)\s")
# Start-of-frame markers of JPEG, and those that stand alone.
_SOF = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
_ALONE = {0x01, *range(0xD0, 0xD9)}


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


def read(data: bytes) -> Header | None:
    """Return what the first bytes of a PNG, JPEG, BMP, PGM or PPM say; None for all else."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 26:
        width, height = struct.unpack(">II", data[16:24])
        transparent = data.find(b"tRNS", 0, max(data.find(b"IDAT"), 0)) > 0
        return Header(frozenset((width, height)), None, bool(data[25] & 4) or transparent)
    if data.startswith(b"BM") and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return Header(frozenset((width, abs(height))))
    found = _PNM.match(data)
    if found:
        width, height, largest = map(int, found.groups())
        # OpenCV leaves samples as they are: 12 bits in 16 stay 12 bits.
        return Header(frozenset((width, height)), largest.bit_length() if 255 < largest < 65536 else None)
    if data.startswith(b"\xff\xd8"):
        return _jpeg(data)
    return None


def _jpeg(data: bytes) -> Header | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _SOF:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return Header(frozenset((width, height)))
        if marker == 0xFF:
            at += 1
        elif marker in _ALONE:
            at += 2
        else:
            at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None
