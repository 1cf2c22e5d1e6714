"""Whether a file that another program writes holds all that it should."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Literal

from core.errors import CleanplateError
from core.io.sources import failing
from core.io.sources.headers import png_end
from core.io.sources.reading import LastPicture, UnreachableError, Unreadable, read_file
from core.io.sources.unusable import TooLargeError
from core.io.sources.video import VideoSource

FILM_STILL_S = 10.0
"""A film was not changed for so long before it is whole: of many kinds nothing tells where they end, and a program
that records at a low rate writes only every few seconds."""

NO_LENGTH_STILL_S = 30.0
"""The same of a film that does not say how long it is: one that was recorded to be sent meanwhile never does, and
others only once they are finished. What still grows gets a part every few seconds, of 5 at most where libav writes
Matroska, so this waits for six; it is less than `arrivals.GIVEN_UP_S`, by when a file is whole or left out."""

_JPEG_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")
"""All but those that stand within coded samples."""

_JPEG_BARE = frozenset({0x01, 0xD8})
"""Markers that no length follows."""

_JPEG_END = 0xD9


def is_whole_image(path: Path, pictures: LastPicture) -> bool:
    """Tell whether an image file is not cut short, as far as its format says where it ends; else by decoding it.

    Raises
    ------
    LostInputError
        It is there, but cannot be read.
    """
    try:
        data = read_file(path)
        if data.startswith(b"\xff\xd8"):
            return _has_jpeg_end(data)
        if data.startswith(b"\x89PNG"):
            return _has_png_end(data)
        if data.startswith((b"RIFF", b"BM")):
            at, more = (4, 8) if data.startswith(b"RIFF") else (2, 0)
            return len(data) >= int.from_bytes(data[at : at + 4], "little") + more
        pictures.read(path)
    except UnreachableError as error:
        return _nothing(path, error.reason)
    except MemoryError as error:
        raise failing.no_room(path.name) from error
    except Unreadable:
        return False
    return True


def is_whole_film(path: Path, still_s: float) -> bool:
    """Tell whether a film that was not changed for ``still_s`` can be opened, and lacks no bytes.

    One that does not say its length has to be still for longer.

    Raises
    ------
    LostInputError
        It is there, but cannot be read.
    """
    if still_s < FILM_STILL_S:
        return False
    try:
        with contextlib.closing(VideoSource(path)) as film:
            needed_s = FILM_STILL_S if film.info.n_frames is not None else NO_LENGTH_STILL_S
            return still_s >= needed_s and not film.is_cut_off()
    except TooLargeError:
        return True  # Whoever reads it is told of what stands in the way.
    except failing.LostInputError:
        raise
    except CleanplateError:
        return False


def _has_jpeg_end(data: bytes) -> bool:
    """Tell whether a JPEG comes to its end: behind it may lie anything, and a thumbnail with an end before it."""
    place = 2
    while (found := _JPEG_MARKER.search(data, place)) is not None:
        kind, place = found[1][0], found.end()
        if kind == _JPEG_END:
            return True
        if kind not in _JPEG_BARE:
            place += int.from_bytes(data[place : place + 2], "big")
    return False


def _has_png_end(data: bytes) -> bool:
    place = png_end(data)
    return data[place + 4 : place + 8] == b"IEND" and place + 12 <= len(data)


def _nothing(path: Path, error: OSError) -> Literal[False]:
    """Return False of a file that is not there; raise an error of one that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return False
    raise failing.failed(path.name, error) from error
