"""DPX, as film scanners write it (SMPTE 268M), by libav: code values as they are, no curve is undone."""

from __future__ import annotations

import struct

import av

from core.frames.frame import Planes, Values
from core.io.sources import pixels
from core.io.sources.decoders.base import DAMAGED, Decoded, Undecoded, Unreadable, fitting, upright

_ORDERS = {b"SDPX": ">", b"XPDS": "<"}
"""How a file begins whose numbers have their highest byte first, or last."""

_ORIENTATION, _SIZE, _ELEMENT = 768, 772, 800
"""Where it stands how lines run, width and height, and what the samples of the first element are."""

_EXIF = (1, 2, 4, 3, 5, 6, 8, 7)
"""The numbers that EXIF has for those of how lines run."""

_LUMA, _RGB, _RGBA, _ABGR = 6, 50, 51, 52
_DEPTHS = frozenset((8, 10, 12, 16))


def begins(data: bytes) -> bool:
    """Tell whether a file begins as DPX does."""
    return data[:4] in _ORDERS


def opened(data: bytes) -> Undecoded:
    """Return an image with its header read; raises `Unreadable`."""
    order = _ORDERS[data[:4]]
    try:
        (orientation,) = struct.unpack_from(f"{order}H", data, _ORIENTATION)
        width, height = struct.unpack_from(f"{order}II", data, _SIZE)
        samples, _, _, depth, _, run_lengths = struct.unpack_from(f"{order}4B2H", data, _ELEMENT)
    except struct.error as error:
        raise Unreadable(DAMAGED) from error
    if not width or not height:
        raise Unreadable(DAMAGED)
    if samples not in {_LUMA, _RGB, _RGBA, _ABGR}:
        raise Unreadable("holds samples that are neither grey nor RGB; save it in RGB, or as TIFF")
    if depth not in _DEPTHS:
        raise Unreadable(f"holds {depth}-bit samples; convert it to integers of 10 or 16 bits")
    if run_lengths:
        raise Unreadable("is packed by run lengths; save it without, or as TIFF")
    return Undecoded((width, height), lambda: _decoded(data, orientation))


def _decoded(data: bytes, orientation: int) -> Decoded:
    decoder = av.CodecContext.create("dpx", "r")
    try:
        frame = next(iter(decoder.decode(av.Packet(data))))
        chosen = pixels.of_frame(frame)
        values, layout = chosen.values(frame), chosen.layout
    except MemoryError:
        raise
    except (*pixels.UNUSABLE, StopIteration) as error:
        raise Unreadable(DAMAGED) from error
    image: Values = layout.plane(values, 0) if layout.planes is Planes.GREY else layout.image(values)
    # Who does not know writes ones.
    turned = upright(image, _EXIF[orientation]) if orientation < len(_EXIF) else image
    return Decoded(fitting(turned, layout.bit_depth), layout.bit_depth, chosen.drops_alpha)
