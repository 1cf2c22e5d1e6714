"""Unpacking of TIFF pages that gives no more than a page holds."""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable, Mapping

import numpy as np
import tifffile
from numpy.typing import DTypeLike

DEFLATE, LZMA, PACKBITS = (8, 32946, 50013), 34925, 32773
"""TIFF's numbers of how samples are packed."""

Unpack = Callable[..., bytes]


def inflate(data: bytes, /, *, out: int | None = None) -> bytes:
    """Return what Deflate packed, at most ``out`` bytes of it: a strip may claim to hold gigabytes.

    Raises
    ------
    zlib.error
        It is damaged, or cut short.
    """
    if out is None:
        return zlib.decompress(data)
    unpacker = zlib.decompressobj()
    unpacked = unpacker.decompress(data, max(out, 1))
    if not unpacker.eof and len(unpacked) < out:
        raise zlib.error("incomplete or truncated stream")
    unpacker.decompress(unpacker.unconsumed_tail, 1)  # The end of the stream says whether it is whole.
    return unpacked


def unpack_lzma(data: bytes, /, *, out: int | None = None) -> bytes:
    """Return what LZMA packed, at most ``out`` bytes of it.

    Raises
    ------
    lzma.LZMAError
        It is damaged.
    EOFError
        It is cut short.
    """
    if out is None:
        return lzma.decompress(data)
    unpacker = lzma.LZMADecompressor()
    unpacked = unpacker.decompress(data, out)
    if not unpacker.eof and len(unpacked) < out:
        raise EOFError("incomplete or truncated stream")
    return unpacked


def unpack_packbits(data: bytes, /, *, out: int | None = None) -> bytes:
    """Return what PackBits packed (TIFF 6.0, section 9), at most ``out`` bytes of it and one run more."""
    unpacked = bytearray()
    place = 0
    while place < len(data) and (out is None or len(unpacked) < out):
        n = data[place]
        if n < 128:
            unpacked += data[place + 1 : place + n + 2]
            place += n + 2
        elif n == 128:
            place += 1
        else:
            unpacked += data[place + 1 : place + 2] * (257 - n)
            place += 2
    return bytes(unpacked)


class _Unpackers(dict[int, Unpack]):
    """Those below by TIFF's numbers, and tifffile's own for all other ways to pack."""

    def __init__(self, others: Mapping[int, Unpack]) -> None:
        super().__init__(dict.fromkeys(DEFLATE, inflate) | {LZMA: unpack_lzma, PACKBITS: unpack_packbits})
        self._others = others

    def __missing__(self, number: int) -> Unpack:
        return self._others[number]


def unpack_bits(data: bytes, /, dtype: DTypeLike, bitspersample: int, runlen: int = 0, **_: object) -> np.ndarray:
    """Return integers of 1 to 16 bits, highest bit first; ``runlen`` of them lie in a row of whole bytes."""
    n_bits = runlen * bitspersample or 8 * len(data)
    n_bytes = -(-n_bits // 8)
    rows = np.frombuffer(data, np.uint8, len(data) // n_bytes * n_bytes).reshape(-1, n_bytes)
    bits = np.unpackbits(rows, axis=1)[:, : n_bits // bitspersample * bitspersample].reshape(-1, bitspersample)
    values = np.zeros(len(bits), dtype)
    for place in range(bitspersample):
        values = (values << 1) | bits[:, place]
    return values


def bound_unpacking() -> None:
    """Let tifffile unpack with these, as it says how many bytes it wants but its own do not listen, or know less."""
    tifffile.TIFF.DECOMPRESSORS = _Unpackers(tifffile.TIFF.DECOMPRESSORS)
    codecs, whole = vars(tifffile.tifffile)["imagecodecs"], frozenset((1, 8, 16, 32, 64))
    others = codecs.packints_decode

    def packints_decode(data: bytes, /, dtype: DTypeLike, bitspersample: int, runlen: int = 0, **how: object) -> object:
        known = others if bitspersample in whole else unpack_bits
        return known(data, dtype, bitspersample, runlen=runlen, **how)

    codecs.packints_decode = packints_decode
