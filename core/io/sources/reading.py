"""Image files: bytes to a picture."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.errors import CleanplateError
from core.io.colour_profile import ColourProfile
from core.io.regular_file import open_regular
from core.io.sources import decoders, headers, room
from core.io.sources.decoders.base import Decoded, Unreadable
from core.io.sources.embedded_profile import embedded_profile
from core.runtime.memory import available_bytes

__all__ = [
    "IMAGE_SUFFIXES", "LastPicture", "Picture", "UnreachableError", "Unreadable", "may_differ", "read_file",
    "read_picture",
]  # fmt: skip

IMAGE_SUFFIXES = decoders.SUFFIXES
"""Image files that can be opened."""

_START = 1 << 16
"""Bytes in which headers lie."""


class UnreachableError(Unreadable):
    """A file is not there any more, or what it lies on refuses to read it; `reason` is the system's."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(f"cannot be read ({reason.strerror})")
        self.reason = reason


@dataclass(frozen=True)
class Picture(Decoded):
    """What an image file holds.

    Attributes
    ----------
    n_bytes : int
        Size of the file.
    profile : ColourProfile or None
        What its samples stand for, where it says so.
    is_animated : bool
        It is the first of several pictures in an animated PNG, WebP or AVIF.
    """

    n_bytes: int
    profile: ColourProfile | None
    is_animated: bool = False


def read_picture(path: Path) -> Picture:
    """Read an image file, turned upright where it says how.

    Raises
    ------
    Unreadable
        The file is damaged, or holds samples other than 8 or 16 bit integers; `UnreachableError`: it may be whole.
    MemoryError
        There is too little for it.
    """
    data = read_file(path)
    found = decoders.opened(data)
    if reason := room.too_large(*found.size, len(data)):
        raise Unreadable(reason)
    decoded = found.decode()
    profile, is_animated = embedded_profile(data), headers.is_animated(data)
    return Picture(decoded.image, decoded.bit_depth, decoded.had_alpha, len(data), profile, is_animated)


class LastPicture:
    """Reads image files, and has the one that was read last at hand while it stays as it was.

    Who looks whether a file is whole before it is read decodes it once.
    """

    def __init__(self) -> None:
        self._held: tuple[object, Picture] | None = None

    def read(self, path: Path) -> Picture:
        """Return what `read_picture` does, and raise what it raises."""
        state = _state(path)
        if self._held is None or self._held[0] != state:
            self.forget()
            self._held = state, read_picture(path)
        return self._held[1]

    def forget(self) -> None:
        """Hold no picture any more."""
        self._held = None


def _state(path: Path) -> object:
    """Return what is another where a file has been written anew; of one that is not there, what equals nothing."""
    try:
        found = path.stat()
    except OSError:
        return object()
    return path, found.st_ino, found.st_size, found.st_mtime_ns


def may_differ(path: Path, size: tuple[int, int]) -> bool:
    """Tell whether an image may have another size than ``size``, width and height, by its first bytes.

    Where these do not tell it is said that it has not. Of what may be turned by its own tags either order is the same.
    """
    if header := headers.read(path, (*headers.FORMATS, "TIFF")):
        return header.size != frozenset(size)
    if not path.name.lower().endswith(decoders.OWN_SUFFIXES):
        return False
    try:
        with open_regular(path) as file:
            return decoders.opened(file.read(_START)).size != size
    except (OSError, CleanplateError, Unreadable):
        return False


def read_file(path: Path) -> bytes:
    """Return the bytes of a file that fit into memory; raises `Unreadable` where there are none."""
    try:
        # Read first, then decode: OpenCV cannot open every path on Windows.
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if size > room.ALWAYS and size > (available_bytes() or size):
                raise Unreadable("does not fit into memory")
            data = file.read()
    except CleanplateError as error:
        raise Unreadable("is no file") from error
    except OSError as error:
        raise UnreachableError(error) from error
    if not data:
        raise Unreadable("is empty")
    return data
