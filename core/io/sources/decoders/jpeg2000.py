"""JPEG 2000, by OpenCV: JP2 files, and code streams alone.

The size is that of the code stream (ISO 15444-1, A.5.1), which is what is decoded: what a JP2 file says of it may
differ.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from core.io.sources.decoders import opencv
from core.io.sources.decoders.base import DAMAGED, Decoded, Undecoded, Unreadable, fitting

_FILE = b"\0\0\0\x0cjP  \r\n\x87\n"
_CODE = b"\xff\x4f\xff\x51"
"""Start of a code stream, and of its header."""

_HEADER = struct.Struct(">HH8IH")
"""Its length and what decoder it needs, size and origin of the reference grid, those of tiles, number of components."""

MOST_TILES = 1 << 14
"""Each takes 10 kB before anything of it is decoded. Photographs from the air have some thousands."""

_SIGNED = 0x80


@dataclass(frozen=True)
class Header:
    """What a code stream says of itself.

    Attributes
    ----------
    size : (int, int)
        Width and height, pixels.
    n_tiles : int
    depths : tuple of int
        Bits of the samples of each component.
    is_signed : bool
        Can samples of any component be below 0?
    """

    size: tuple[int, int]
    n_tiles: int
    depths: tuple[int, ...]
    is_signed: bool


def begins(data: bytes) -> bool:
    """Tell whether a file begins as JPEG 2000 does."""
    return data.startswith((_FILE, _CODE))


def opened(data: bytes) -> Undecoded:
    """Return an image with its header read; raises `Unreadable`."""
    head = header_of(data)
    if head is None:
        raise Unreadable(DAMAGED)
    depth = max(head.depths)
    if head.is_signed or min(head.depths) < 8 or depth > 16:
        kind = f"{'signed ' if head.is_signed else ''}{min(head.depths) if depth < 8 else depth}-bit"
        raise Unreadable(f"holds {kind} samples; convert it to integers of 8 or 16 bits, without sign")
    if head.n_tiles > MOST_TILES:
        raise Unreadable("is cut into more tiles than any camera or program writes")
    return Undecoded(head.size, lambda: _decoded(data, depth, has_alpha=len(head.depths) in {2, 4}))


def header_of(data: bytes) -> Header | None:
    """Return what the code stream in a file says of itself; None where it is damaged, or no picture."""
    place = _start_of_code(data)
    if place is None or not data.startswith(_CODE, place):
        return None
    place += len(_CODE)
    try:
        _, _, *grid, n_components = _HEADER.unpack_from(data, place)
        right, bottom, left, top, tile_width, tile_height, tile_left, tile_top = grid
        components = [
            struct.unpack_from("BBB", data, place + _HEADER.size + 3 * i) for i in range(min(n_components, 5))
        ]
    except struct.error:
        return None
    width, height = right - left, bottom - top
    if min(width, height, tile_width, tile_height) < 1 or n_components not in range(1, 5):
        return None
    n_tiles = -((tile_left - right) // tile_width) * -((tile_top - bottom) // tile_height)
    depths = tuple((kind & ~_SIGNED) + 1 for kind, _, _ in components)
    return Header((width, height), n_tiles, depths, any(kind & _SIGNED for kind, _, _ in components))


def _start_of_code(data: bytes) -> int | None:
    """Return where the first code stream begins; None where a JP2 file has none."""
    if data.startswith(_CODE):
        return 0
    place = 0
    while place + 8 <= len(data):
        length, name, head = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8], 8
        if length == 1:
            length, head = int.from_bytes(data[place + 8 : place + 16], "big"), 16
        if name == b"jp2c":
            return place + head
        if length < head:
            return None
        place += length
    return None


def _decoded(data: bytes, depth: int, *, has_alpha: bool) -> Decoded:
    return Decoded(fitting(opencv.decoded(data, upright=False), depth), depth, has_alpha)
