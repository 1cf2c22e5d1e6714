"""One page of a TIFF file as a TIFF file of its own, for a decoder that knows what tifffile does not unpack."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from types import MappingProxyType

import tifffile

OFFSETS, COUNTS = {273: 279, 324: 325}, {279, 325}
"""Tags that say where strips and tiles lie, with those that say how long they are."""

POINTERS = frozenset({330, 34665, 34853, 40965})
"""Tags that point to other directories; their pictures are no part of the page."""

MOST_TAG_BYTES = 1 << 20
"""What decoders need of a page is smaller: tables of colours and of JPEG."""

SHORT, LONG = 3, 4
_HEAD = 8


def single_page(page: tifffile.TiffPage, instead: Mapping[int, int] = MappingProxyType({})) -> bytes:
    """Return a page as a file; only the bytes of that page are read, and none is unpacked.

    Parameters
    ----------
    page : TiffPage
    instead : mapping
        Numbers that tags of the page are to have, of two bytes, by code; tags that it lacks stay away.

    Raises
    ------
    ValueError
        The file ends before its samples.
    """
    handle, order = page.parent.filehandle, page.parent.byteorder
    segments, places, place = [], [], _HEAD
    for offset, count in zip(page.dataoffsets, page.databytecounts, strict=True):
        handle.seek(offset)
        segments.append(handle.read(count))
        if len(segments[-1]) < count:
            raise ValueError("the file ends in its samples")
        places.append(place)
        place += count
    entries, behind = [], b""
    first = place + 2 + 12 * len(page.tags) + 4
    for tag in sorted(page.tags, key=lambda tag: tag.code):
        dtype, count = int(tag.dtype), tag.count
        if tag.code in OFFSETS or tag.code in COUNTS:
            numbers = places if tag.code in OFFSETS else page.databytecounts
            dtype, count, raw = LONG, len(numbers), struct.pack(f"{order}{len(numbers)}I", *numbers)
        elif tag.code in instead:
            dtype, count, raw = SHORT, 1, struct.pack(f"{order}H", instead[tag.code])
        elif tag.code in POINTERS or dtype > 13 or tag.valuebytecount > MOST_TAG_BYTES:
            continue
        else:
            handle.seek(tag.valueoffset)
            raw = handle.read(tag.valuebytecount)
        if len(raw) > 4:
            place, behind = first + len(behind), behind + raw + bytes(len(raw) % 2)
            raw = struct.pack(f"{order}I", place)
        entries.append(struct.pack(f"{order}HHI", tag.code, dtype, count) + raw.ljust(4, b"\0"))
    samples = b"".join(segments)
    head = (b"II" if order == "<" else b"MM") + struct.pack(f"{order}HI", 42, _HEAD + len(samples))
    directory = struct.pack(f"{order}H", len(entries)) + b"".join(entries) + bytes(4)
    gap = bytes(first - _HEAD - len(samples) - len(directory))
    return head + samples + directory + gap + behind
