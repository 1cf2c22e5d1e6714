"""Brands, by which files of the ISO's container say what they hold: HEIF and AVIF have it in common with MP4."""

from __future__ import annotations

_HEAD = 8
"""Bytes of a box before what it holds: how long it is, and its name."""

_MOST = 1 << 10
"""Files have a dozen brands at most, of four bytes."""


def brands_of(data: bytes) -> frozenset[bytes]:
    """Return the brands of a file that starts with ``data``; none where it has no such container."""
    if data[4:_HEAD] != b"ftyp":
        return frozenset()
    end = min(int.from_bytes(data[:4], "big"), len(data), _MOST)
    first, others = data[_HEAD : _HEAD + 4], range(_HEAD + 8, end - 3, 4)  # Between them is a version.
    return frozenset((first, *(data[place : place + 4] for place in others)))
