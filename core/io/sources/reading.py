"""Image files: bytes to a picture."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import cv2
import numpy as np

from core.errors import CleanplateError
from core.frames.frame import Values
from core.io.regular_file import open_regular
from core.io.sources import headers, room
from core.runtime.memory import available_bytes

IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm", ".pnm", ".tif", ".tiff", ".webp")
"""Image files that can be opened."""

MOST_SCANNED = 1 << 31
"""Pixels times scans of a JPEG at most. Progressive ones have some ten scans; a file of 100 kB can hold thousands, and
each is as much work as the whole picture."""

_JPEG_SCAN = b"\xff\xda"

# What OpenCV prints of damaged images and absent cameras is said in one sentence instead.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


class Unreadable(Exception):  # noqa: N818 - a word of this package, not an error for people
    """A file is no image that can be used; the text ends a sentence that begins with the file's name."""


class UnreachableError(Unreadable):
    """A file is not there any more, or what it lies on refuses to read it; `reason` is the system's."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(f"cannot be read ({reason.strerror})")
        self.reason = reason


@dataclass(frozen=True)
class Picture:
    """What an image file holds.

    Attributes
    ----------
    image : (H, W) grey or (H, W, 3) RGB, uint8 or uint16
    bit_depth : int
        Significant bits: those of the type, or fewer where the file says so (PGM, PPM).
    had_alpha : bool
        Was an alpha channel left out?
    n_bytes : int
        Size of the file.
    """

    image: Values
    bit_depth: int
    had_alpha: bool
    n_bytes: int


def read_picture(path: Path) -> Picture:
    """Read an image file, turned upright where it carries an EXIF orientation.

    Raises
    ------
    Unreadable
        The file is damaged, or holds samples other than 8 or 16 bit integers; `UnreachableError`: it may be whole.
    MemoryError
        There is too little for it.
    """
    data = _read(path)
    size = headers.size_of(data)
    if size is None:
        raise Unreadable("is damaged or not an image")
    if reason := room.too_large(*size, len(data)):
        raise Unreadable(reason)
    if data.startswith(b"\xff\xd8") and size[0] * size[1] * data.count(_JPEG_SCAN) > MOST_SCANNED:
        raise Unreadable("is packed in more scans than any camera or program writes")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_ANYDEPTH | cv2.IMREAD_ANYCOLOR)
    except cv2.error as error:
        if error.code == cv2.Error.StsNoMem:
            raise MemoryError from error
        image = None
    if image is None:
        raise Unreadable("is damaged or not an image")
    if image.dtype not in (np.uint8, np.uint16):
        raise Unreadable(f"holds {image.dtype} samples; convert it to 8 or 16 bit integers")
    if image.ndim == 3:
        image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
    head = headers.of(io.BytesIO(data))
    depth = head.bit_depth if head and head.bit_depth else 8 * image.itemsize
    return Picture(cast("Values", image), depth, bool(head and head.has_alpha), len(data))


def _read(path: Path) -> bytes:
    try:
        # Read first, then decode: OpenCV cannot open every path on Windows.
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > (available_bytes() or size):
                raise Unreadable("does not fit into memory")
            data = file.read()
    except CleanplateError as error:
        raise Unreadable("is no file") from error
    except OSError as error:
        raise UnreachableError(error) from error
    if not data:
        raise Unreadable("is empty")
    return data
