"""The first pages of TIFF files, as stacks have them."""

from __future__ import annotations

import io

import tifffile

from core.io.sources.decoders import tiff_page
from core.io.sources.decoders.base import DAMAGED, Decoded, Undecoded, Unreadable

SUFFIXES = (".tif", ".tiff")

_STARTS = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
"""Of files with their lowest byte first, or last; and of those larger than 4 GB."""


def begins(data: bytes) -> bool:
    """Tell whether a file begins as TIFF does."""
    return data.startswith(_STARTS)


def opened(data: bytes) -> Undecoded:
    """Return the first page of a file with its tags read; raises `Unreadable`."""
    try:
        page = tifffile.TiffFile(io.BytesIO(data)).pages[0]
    except MemoryError:
        raise
    except Exception as error:  # tifffile does not say what it raises on damaged files.
        raise Unreadable(DAMAGED) from error
    assert isinstance(page, tifffile.TiffPage)
    return Undecoded((page.imagewidth, page.imagelength), lambda: _decoded(page))


def _decoded(page: tifffile.TiffPage) -> Decoded:
    try:
        return tiff_page.decoded(page)
    except (MemoryError, Unreadable):
        raise
    except Exception as error:  # As above.
        raise Unreadable(tiff_page.what_is_wrong(error)) from error
