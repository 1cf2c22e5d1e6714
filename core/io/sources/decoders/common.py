"""PNG, JPEG, BMP, PGM, PPM and WebP, by OpenCV."""

from __future__ import annotations

import io
import re

import numpy as np

from core.io.sources import headers
from core.io.sources.decoders import opencv
from core.io.sources.decoders.base import DAMAGED, Decoded, Undecoded, Unreadable, scaled

SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".pnm", ".webp")

MOST_SCANNED = 1 << 31
"""Pixels times scans of a JPEG at most. Progressive ones have some ten scans; a file of 100 kB can hold thousands, and
each is as much work as the whole picture."""

_JPEG_SCAN = b"\xff\xda"


_STARTS = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|BM|P[1-6]\s|RIFF....WEBP", re.DOTALL)


def begins(data: bytes) -> bool:
    """Tell whether a file begins as one of these does; damaged ones may not."""
    return _STARTS.match(data) is not None


def opened(data: bytes) -> Undecoded:
    """Return an image file with its header read; raises `Unreadable`."""
    size = headers.size_of(data)
    if size is None:
        raise Unreadable(DAMAGED)
    return Undecoded(size, lambda: _decoded(data, size))


def _decoded(data: bytes, size: tuple[int, int]) -> Decoded:
    if data.startswith(b"\xff\xd8") and size[0] * size[1] * data.count(_JPEG_SCAN) > MOST_SCANNED:
        raise Unreadable("is packed in more scans than any camera or program writes")
    image = opencv.decoded(data)
    if image.ndim == 3 and headers.is_grey_with_alpha(data):
        image = np.ascontiguousarray(image[:, :, 0])  # OpenCV makes colour of it.
    if largest := headers.unscaled_largest(data):
        image = scaled(image, largest)
    head = headers.of(io.BytesIO(data))
    depth = head.bit_depth if head and head.bit_depth else 8 * image.itemsize
    return Decoded(image, depth, bool(head and head.has_alpha))
