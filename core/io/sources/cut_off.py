"""Whether a film lacks its end: containers are chains of elements, each of which says how long it is.

What a container says of its duration does not tell by itself: it may be that of the sound, or the last picture may be
shown for minutes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import BinaryIO

from core.runtime import signs_of_life

_Element = tuple[int, int]
"""Where the next element begins, and where this one ends, which may hold the next; bytes from its beginning."""

_SEGMENT = 0x18538067
_UNKNOWN = 0
"""Ends an element that does not say how long it is."""

_BOXES = frozenset(b"ftyp styp moov mdat moof mfra sidx free skip wide uuid meta udta pnot PICT emsg prft pdin".split())
"""Elements of MP4 and MOV that no other holds."""

_MOST_HEAD = 32
"""Bytes by which the longest head of an element, and more, is known."""


def _matroska(head: bytes) -> _Element | None:
    key = _number(head, 0, 4)
    size = key and _number(head, key[1], 8)
    if not key or not size:
        return None
    first_bits = 7 * (size[1] - key[1])  # The others say how long the number is.
    length = size[0] & ((1 << first_bits) - 1)
    is_known = length < (1 << first_bits) - 1
    end = size[1] + length if is_known else _UNKNOWN
    return (size[1], max(end, size[1])) if key[0] == _SEGMENT else (end, end)


def _number(head: bytes, place: int, longest: int) -> tuple[int, int] | None:
    """Return a number of EBML and the place behind it; None where there is none."""
    length = 9 - head[place].bit_length() if place < len(head) else 9
    if length > longest or place + length > len(head):
        return None
    return int.from_bytes(head[place : place + length], "big"), place + length


def _flash(head: bytes) -> _Element | None:
    if head.startswith(b"FLV"):
        end = int.from_bytes(head[5:9], "big") + 4
    elif head[0] & 0x1F in {8, 9, 18}:
        end = 11 + int.from_bytes(head[1:4], "big") + 4
    else:
        return None
    return end, end


def _mxf(head: bytes) -> _Element | None:
    if not head.startswith(b"\x06\x0e\x2b\x34") or len(head) < 17:
        return None
    n_bytes = head[16] & 0x7F if head[16] >= 0x80 else 0
    end = 17 + n_bytes + (int.from_bytes(head[17 : 17 + n_bytes], "big") if n_bytes else head[16] & 0x7F)
    return end, end


def _iso(head: bytes) -> _Element:
    size = int.from_bytes(head[8:16] if head[:4] == b"\0\0\0\x01" else head[:4], "big")
    is_box = head[4:8] in _BOXES and size >= 8  # Cameras write other things behind the last one.
    return (size, size) if is_box else (_UNKNOWN, _UNKNOWN)


def _avi(head: bytes) -> _Element:
    size = int.from_bytes(head[4:8], "little") if head.startswith(b"RIFF") else 0
    return (8 + size, size) if size else (_UNKNOWN, _UNKNOWN)  # Some programs count the first eight bytes, too.


_CHAINS: Mapping[str, Callable[[bytes], _Element | None]] = {
    "matroska,webm": _matroska, "flv": _flash, "mxf": _mxf, "mov,mp4,m4a,3gp,3g2,mj2": _iso, "avi": _avi,
}  # fmt: skip
"""By libav's names: what element begins so, None where none does."""

SAID_AHEAD = frozenset({"matroska,webm", "flv", "mxf"})
"""Containers that say at their beginning how long they last, and are played where they are cut, by libav's names."""


def is_cut_off(file: BinaryIO, container: str) -> bool:
    """Tell whether a file lacks bytes that one of its elements says it has, or has none where it should go on.

    False where that cannot be told: of what was recorded while it was sent, elements may not say how long they are, and
    most containers have none that hold all others.

    Parameters
    ----------
    file : BinaryIO
    container : str
        By libav's name.
    """
    if (element_at := _CHAINS.get(container)) is None:
        return False
    n_bytes = file.seek(0, os.SEEK_END)
    place, needed = 0, 0
    while place < n_bytes:
        signs_of_life.give()
        file.seek(place)
        element = element_at(file.read(_MOST_HEAD))
        if element is None:
            return place > 0
        step, end = element
        if step == _UNKNOWN:
            break
        place, needed = place + step, max(needed, place + end)
    return needed > n_bytes
