"""Decoders of image files; which of them reads a file is told by how it begins, for its name may lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.io.sources.decoders import avif, common, dpx, heif, jpeg2000, tiff
from core.io.sources.decoders.base import Undecoded


@dataclass(frozen=True)
class Decoder:
    """What reads one kind of image file.

    Attributes
    ----------
    suffixes : tuple of str
        In small letters, each with its full stop.
    begins : callable
        ``begins(data)`` tells whether a file that starts with ``data`` is of this kind.
    open : callable
        ``open(data)`` reads the header of a whole file, and decodes nothing; raises `Unreadable`.
    """

    suffixes: tuple[str, ...]
    begins: Callable[[bytes], bool]
    open: Callable[[bytes], Undecoded]


DECODERS: dict[str, Decoder] = {
    "avif": Decoder((".avif",), avif.begins, avif.opened),
    "dpx": Decoder((".dpx",), dpx.begins, dpx.opened),
    "heif": Decoder(heif.SUFFIXES, heif.begins, heif.opened),
    "jpeg2000": Decoder((".jp2", ".j2k"), jpeg2000.begins, jpeg2000.opened),
    "tiff": Decoder(tiff.SUFFIXES, tiff.begins, tiff.opened),
    # Last: it is asked about all else.
    "common": Decoder(common.SUFFIXES, lambda _: True, common.opened),
}  # fmt: skip
"""The first that says that a file begins as its own has it."""

OWN_SUFFIXES = tuple(
    suffix for key, decoder in DECODERS.items() for suffix in decoder.suffixes if key not in {"common", "tiff"}
)
"""Of those whose decoders read their headers themselves, from the first bytes: TIFF files may have them last."""

SUFFIXES = (*common.SUFFIXES, *tiff.SUFFIXES, *OWN_SUFFIXES)
"""Of all image files that are read."""


def begins(data: bytes) -> bool:
    """Tell whether a file that starts with ``data`` is an image of a kind that is read here, and no TIFF file."""
    own = (decoder.begins for key, decoder in DECODERS.items() if key not in {"common", "tiff"})
    return common.begins(data) or any(begins(data) for begins in own)


def opened(data: bytes) -> Undecoded:
    """Return an image file with its header read, and nothing decoded; raises `Unreadable`."""
    return next(decoder for decoder in DECODERS.values() if decoder.begins(data)).open(data)
