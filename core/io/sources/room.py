"""Whether a picture fits into memory, by what its header says and before anything is decoded."""

from __future__ import annotations

from core.errors import NoRoomError
from core.frames.frame import Layout
from core.io.sources.base import SourceInfo
from core.io.sources.unusable import TooLargeError
from core.runtime.memory import available_bytes

DECODED = 40
"""Bytes that decoding takes for a pixel: pictures of RGB in the slots of the reader and their conversions take 20,
video with the 16 frames that a decoder may refer to about as much again."""

KEPT = 60
"""Bytes that are kept of an original pixel beside the working size, with decoding: 55 were measured at 3840×2160."""

WORKED = (120, 75)
"""Bytes that the path takes for a pixel, and for each of its values: measured with two passes and everything that is
saved by default, 345 a pixel of RGB, 245 of 4:2:0 and 185 of grey."""

A_CELL = 256
"""Bytes that the mask takes for a cell: 255 were measured at 2048×2048 with cells of one pixel, of 16-bit grey."""

PACKED = 30
"""Pixels that a byte of a file stands for at most in what a camera has seen: photographs as small JPEGs have 20, flat
ones 60, and bombs thousands."""

LEAST = 3 << 29
"""Memory that any picture may take, bytes: what is packed closer than `PACKED` is given no more."""

ALWAYS = 1 << 26
"""Bytes that are had without looking."""


def most_pixels(n_bytes: int | None) -> int:
    """Return how many pixels a picture may have that is decoded from ``n_bytes``; None where that is not known."""
    free = available_bytes()
    most = free if free is not None else 1 << 40
    packed = most if n_bytes is None else max(LEAST, n_bytes * PACKED * DECODED)
    return max(ALWAYS, min(most, packed)) // DECODED


def check_decoding(name: str, width: int, height: int, n_bytes: int | None) -> None:
    """Raise an error where a picture is too large to be decoded.

    Parameters
    ----------
    name : str
    width, height : int
        Pixels.
    n_bytes : int or None
        Of the file that the picture is decoded from.

    Raises
    ------
    TooLargeError
        It takes more memory than there is, or than a picture so closely packed may take.
    """
    if reason := too_large(width, height, n_bytes):
        raise TooLargeError.of(name, reason, "make it smaller with another program")


def too_large(width: int, height: int, n_bytes: int | None) -> str | None:
    """Return the middle of a sentence that says why a picture is too large to be decoded; None where it is not."""
    need = width * height * DECODED
    if need <= ALWAYS:
        return None
    limit = _limit(width * height, n_bytes)
    if limit is None or need <= limit:
        return None
    return (
        f"{_what(width, height, n_bytes)}, and to decode that takes about {_amount(need)} of memory, of which it can "
        f"have {_amount(limit)}"
    )


def check_working(whole: SourceInfo, view: SourceInfo) -> None:
    """Raise an error where frames are too large to be worked on.

    Parameters
    ----------
    whole : SourceInfo
        Of the input as it is.
    view : SourceInfo
        Of what is worked on.

    Raises
    ------
    NoRoomError
        That takes more memory than there is, or than a picture so closely packed may take.
    """
    working, need = view.layout, _working_bytes(view.layout)
    if view.original is not None:
        need += view.original.n_pixels * KEPT
    if need <= ALWAYS:
        return
    limit = _limit(whole.layout.n_pixels, whole.n_bytes)
    if limit is not None and need > limit:
        at = "" if view.original is None else f" at {working.width}×{working.height}"
        size_helps = view.full.n_pixels * KEPT < limit  # Results keep their size, and so do the frames behind them.
        way = "a smaller working size (--size) or region (--roi)" if size_helps else "a region (--roi)"
        raise NoRoomError(
            f"{whole.title} {_what(view.full.width, view.full.height, whole.n_bytes)}, and to work on that{at} takes "
            f"about {_amount(need)} of memory, of which it can have {_amount(limit)}; choose {way}."
        )


def check_cells(info: SourceInfo, n_cells: int) -> None:
    """Raise an error where the mask of frames is decided in more cells than there is memory for.

    Parameters
    ----------
    info : SourceInfo
        Of what is worked on.
    n_cells : int
        Of a frame.

    Raises
    ------
    NoRoomError
        They and the frames take more memory than there is.
    """
    need = _working_bytes(info.layout) + n_cells * A_CELL
    free = available_bytes()
    if need > ALWAYS and free is not None and need > free:
        raise NoRoomError(
            f"To decide the mask of {info.title} in {n_cells} cells takes about {_amount(need)} of memory, of which it "
            f"can have {_amount(free)}; choose larger cells (--set cell=2), a smaller working size or a region."
        )


def _working_bytes(layout: Layout) -> int:
    pixel, value = WORKED
    return layout.n_pixels * pixel + layout.n_values * value


def _limit(n_pixels: int, n_bytes: int | None) -> int | None:
    free = available_bytes()
    if n_bytes is None or n_pixels <= n_bytes * PACKED:
        return free
    return LEAST if free is None else min(free, LEAST)


def _what(width: int, height: int, n_bytes: int | None) -> str:
    packed = "" if n_bytes is None or width * height <= n_bytes * PACKED else f" packed into {_amount(n_bytes)}"
    return f"has {width}×{height} pixels{packed}"


def _amount(n_bytes: int) -> str:
    """Return a number of bytes as people write it."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if n_bytes >= size:
            return f"{n_bytes / size:.1f} {unit}" if n_bytes < 10 * size else f"{n_bytes / size:.0f} {unit}"
    return f"{n_bytes} bytes"
