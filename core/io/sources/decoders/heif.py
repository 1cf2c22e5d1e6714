"""HEIC and HEIF, as phones write photographs, by libheif (pi-heif)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.io.sources.decoders.base import DAMAGED, Decoded, Undecoded, Unreadable, fitting
from core.io.sources.decoders.brands import brands_of

if TYPE_CHECKING:
    from pi_heif import HeifFile

SUFFIXES = (".heic", ".heif", ".hif")

_BRANDS = frozenset((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"mif2", b"msf1"))


def begins(data: bytes) -> bool:
    """Tell whether a file begins as HEIF does."""
    return not _BRANDS.isdisjoint(brands_of(data))


def opened(data: bytes) -> Undecoded:
    """Return the primary image of a file with its header read; raises `Unreadable`."""
    import pi_heif  # noqa: PLC0415 - libraries of 4 MB that few inputs need

    try:
        file = pi_heif.open_heif(data, convert_hdr_to_8bit=False, hdr_to_16bit=False)
        size = file.size
    except MemoryError:
        raise
    except Exception as error:  # Beside what libheif says, what reading EXIF and XMP may raise.
        raise Unreadable(DAMAGED) from error
    return Undecoded(size, lambda: _decoded(file))


def _decoded(file: HeifFile) -> Decoded:
    """Return the image: libheif turns it as the container says, and what EXIF says beside that counts for nothing."""
    image = file[file.primary_index]
    try:
        samples = np.array(image)
    except MemoryError:
        raise
    except Exception as error:
        raise Unreadable(DAMAGED) from error
    depth = int(image.info["bit_depth"])
    colours = samples[..., :3] if samples.ndim == 3 else samples
    return Decoded(fitting(colours, depth), depth, image.has_alpha)
