"""AVIF, by OpenCV; Pillow reads the header, by the same library."""

from __future__ import annotations

import io

import av
import numpy as np
from PIL import ExifTags, Image

from core.io.sources.container import refuse
from core.io.sources.decoders import opencv
from core.io.sources.decoders.base import DAMAGED, Decoded, Undecoded, Unreadable, fitting, upright
from core.io.sources.decoders.brands import brands_of

_BRANDS = frozenset((b"avif", b"avis"))

_CODEC, _TWELVE_BITS = b"av1C", 1 << 5
"""The box that says how the codec is set up, and a bit of the third byte of what it holds."""

MOST_CODED, SLACK = 4, 1 << 20
"""Coded pixels that a pixel may take at most, as of an animation with alpha that has a cover; and what tiles that are
larger than the picture may take beside."""


def begins(data: bytes) -> bool:
    """Tell whether a file begins as AVIF does."""
    return not _BRANDS.isdisjoint(brands_of(data))


def opened(data: bytes) -> Undecoded:
    """Return an image with its header read; raises `Unreadable`."""
    try:
        with Image.open(io.BytesIO(data), formats=("AVIF",)) as image:
            size, has_alpha = image.size, image.has_transparency_data
            # Pillow has this of the container. What EXIF says beside that counts for nothing, by the standard (MIAF).
            orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    except MemoryError:
        raise
    except Exception as error:  # Pillow does not say what it raises on damaged files.
        raise Unreadable(DAMAGED) from error
    if _n_coded(data) > MOST_CODED * size[0] * size[1] + SLACK:
        raise Unreadable(DAMAGED)
    return Undecoded(size, lambda: _decoded(data, orientation, has_alpha))


def _decoded(data: bytes, orientation: int, has_alpha: bool) -> Decoded:
    image = opencv.decoded(data, upright=False)
    depth = 8 if image.dtype == np.uint8 else _deep(data)
    return Decoded(fitting(upright(image, orientation), depth), depth, has_alpha)


def _n_coded(data: bytes) -> int:
    """Return how many pixels are decoded by what their own headers say, whatever the container claims.

    Raises
    ------
    Unreadable
        They cannot be found.
    """
    sizes: dict[int, int] = {}
    try:
        with av.open(
            io.BytesIO(data), "r", format="mov", metadata_errors="ignore", io_open=refuse,
            container_options={"protocol_whitelist": "none"},
            options={"max_pixels": "1"},  # Nothing is decoded to find out what the streams are.
        ) as file:  # fmt: skip
            for packet in file.demux(*file.streams.video):
                if packet.size and packet.stream_index not in sizes:
                    parser = av.CodecContext.create("av1", "r")
                    parser.parse(bytes(packet))
                    parser.parse(None)
                    sizes[packet.stream_index] = parser.width * parser.height
    except MemoryError:
        raise
    except (av.FFmpegError, OSError, ValueError) as error:
        raise Unreadable(DAMAGED) from error
    return sum(sizes.values())


def _deep(data: bytes) -> int:
    """Return how many bits samples of more than 8 have: 10, or 12."""
    place = data.find(_CODEC) + len(_CODEC) + 2
    return 12 if data[place : place + 1] and data[place] & _TWELVE_BITS else 10
