"""TIFF files of every kind of colour, written tag by tag: packed and not, of one page or several."""

import struct
import zlib

import numpy as np

UNPACKED, LZW, DEFLATE, UNKNOWN = 1, 5, 8, 158
WHITE_IS_ZERO, BLACK_IS_ZERO, RGB, PALETTE, CMYK, YCBCR, LAB = 0, 1, 2, 3, 5, 6, 8
SHORT, LONG = 3, 4


def packed_bits(rows, bits):
    """Return rows (H, n) of integers as bytes, ``bits`` each, every row filled up to a whole byte."""
    if bits in (8, 16):
        return np.ascontiguousarray(rows, f"<u{bits // 8}").tobytes()
    places = np.arange(bits - 1, -1, -1)
    return np.packbits((rows[..., None].astype(int) >> places & 1).reshape(len(rows), -1), axis=1).tobytes()


def lzw(data):
    """Return bytes as LZW that never finds a repetition: each stands for itself, and the table is cleared in time."""
    codes = []
    for start in range(0, len(data), 200):
        codes += [256, *data[start : start + 200]]
    bits = "".join(f"{code:09b}" for code in [*codes, 257])
    return int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")


PACK = {UNPACKED: bytes, LZW: lzw, DEFLATE: zlib.compress, UNKNOWN: bytes}


def tiff_of(
    pages, photometric, bits=8, packing=UNPACKED, *, planar=False, colours=None, extra=(), orientation=None, more=()
):
    """Return a file of pages, each (H, W) or (H, W, C) integers.

    ``colours`` is a table (3, 2**bits), ``extra`` what samples beyond the colours are, ``more`` are further tags.
    """
    contents, end_of_chain = bytearray(b"II*\0" + bytes(4)), 4
    for page in pages:
        samples = page[..., None] if page.ndim == 2 else page
        height, width, count = samples.shape
        planes = [samples[..., [i]] for i in range(count)] if planar else [samples]
        strips = [PACK[packing](packed_bits(plane.reshape(height, -1), bits)) for plane in planes]
        places = []
        for strip in strips:
            places.append(len(contents))
            contents += strip + bytes(len(strip) % 2)
        entries = [
            (256, LONG, [width]), (257, LONG, [height]), (258, SHORT, [bits] * count), (259, SHORT, [packing]),
            (262, SHORT, [photometric]), (273, LONG, places), (277, SHORT, [count]), (278, LONG, [height]),
            (279, LONG, [len(strip) for strip in strips]), (284, SHORT, [1 + planar]), *more,
        ]  # fmt: skip
        if colours is not None:
            entries.append((320, SHORT, np.ravel(colours).tolist()))
        if extra:
            entries.append((338, SHORT, list(extra)))
        if orientation is not None:
            entries.append((274, SHORT, [orientation]))
        directory = b""
        for tag, kind, values in sorted(entries):
            raw = struct.pack(f"<{len(values)}{'H' if kind == SHORT else 'I'}", *values)
            if len(raw) > 4:
                raw, place = b"", len(contents)
                contents += struct.pack(f"<{len(values)}{'H' if kind == SHORT else 'I'}", *values)
                raw = struct.pack("<I", place)
            directory += struct.pack("<HHI", tag, kind, len(values)) + raw.ljust(4, b"\0")
        contents += bytes(len(contents) % 2)
        contents[end_of_chain : end_of_chain + 4] = struct.pack("<I", len(contents))
        contents += struct.pack("<H", len(entries)) + directory
        end_of_chain = len(contents)
        contents += bytes(4)
    return bytes(contents)
