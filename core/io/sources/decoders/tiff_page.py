"""Pages of TIFF files as they are to be seen, whatever their colours and packing, alike in stacks and in folders."""

from __future__ import annotations

import logging

import numpy as np
import tifffile
from numpy.typing import NDArray
from tifffile import PHOTOMETRIC, PLANARCONFIG

from core.io.sources import room
from core.io.sources.decoders import opencv
from core.io.sources.decoders.base import DAMAGED, Decoded, Unreadable, fitting, scaled, upright
from core.io.sources.single_page import single_page
from core.io.sources.unpacking import bound_unpacking

bound_unpacking()

logging.getLogger("tifffile").setLevel(logging.CRITICAL)  # what it logs is said in one sentence instead

MOST_SAMPLES = 4
"""Samples of a pixel, with alpha; what has more is no picture."""

CONVERTED: dict[int, str] = {PHOTOMETRIC.SEPARATED: "CMYK", PHOTOMETRIC.YCBCR: "YCbCr"}
"""Colours that OpenCV makes RGB of, where samples have 8 bits."""

REFUSED: dict[int, str] = {
    PHOTOMETRIC.CIELAB: "CIE Lab", PHOTOMETRIC.ICCLAB: "ICC Lab", PHOTOMETRIC.ITULAB: "ITU Lab",
    PHOTOMETRIC.CFA: "a camera's raw", PHOTOMETRIC.LINEAR_RAW: "a camera's raw", PHOTOMETRIC.LOGL: "LogL",
    PHOTOMETRIC.LOGLUV: "LogLuv",
}  # fmt: skip
"""Colours of which nothing here makes what they look like."""

GREY = frozenset((PHOTOMETRIC.MINISWHITE, PHOTOMETRIC.MINISBLACK, PHOTOMETRIC.MASK))

PHOTOMETRIC_TAG, ORIENTATION, EXTRA_SAMPLES, SAMPLE_FORMAT = 262, 274, 338, 339
_ASSOCIATED = 1
"""Alpha that colours are multiplied by already: OpenCV multiplies them by any other."""

_UNSIGNED = 1
_MOST_SIGNED = 32767
"""What counts with a sign reach: they are read as they are, as of 16 bits, and results have the same numbers."""


def what_is_wrong(error: Exception) -> str:
    """Return the end of a sentence about a file or page that could not be read, from what was raised.

    tifffile's own words are of its insides ("corrupted IFD structure"), and no help to who has the file.
    """
    if isinstance(error, Unreadable):
        return str(error)
    if "not a known COMPRESSION" in str(error):
        return "is packed in an unknown way; save it without compression"
    return DAMAGED


def check(page: tifffile.TiffPage) -> None:
    """Refuse a page of which no picture can be made, by its tags; raises `Unreadable`."""
    if page.samplesperpixel > MOST_SAMPLES:
        raise Unreadable(f"has {page.samplesperpixel} samples a pixel; only grey or RGB can be read")
    if page.imagedepth > 1:
        raise Unreadable(f"has pages of {page.imagedepth} depths each; save one page for each depth")
    colours = _colours(page)
    if colours not in {*GREY, *CONVERTED, PHOTOMETRIC.RGB, PHOTOMETRIC.PALETTE}:
        raise Unreadable(f"holds {REFUSED.get(colours, 'unknown')} colours; convert it to grey or RGB")
    if not isinstance(page.bitspersample, int):
        raise Unreadable("holds colours of several depths; convert it to RGB of 8 or 16 bits")
    if page.dtype is None or page.dtype.newbyteorder("=") not in (np.bool_, np.uint8, np.uint16, np.int16):
        kind = f"{page.bitspersample}-bit" if page.dtype is None else page.dtype.name
        how = ", from the least value of all to the greatest (in ImageJ: set that range, then Image > Type > 16-bit)"
        is_number = page.dtype is not None and page.dtype.kind in "fiu"
        raise Unreadable(f"holds {kind} samples; convert them to 8 or 16 bit integers{how if is_number else ''}")
    if colours in CONVERTED and page.bitspersample != 8:
        raise Unreadable(f"holds {CONVERTED[colours]} colours of {page.bitspersample} bits; convert it to RGB")
    n_bytes = page.parent.filehandle.size
    sizes = [(page.imagewidth, page.imagelength)]
    if page.is_tiled:
        sizes.append((page.tilewidth, page.tilelength))
    for width, height in sizes:
        if reason := room.too_large(width, height, n_bytes):
            raise Unreadable(reason)


def decoded(page: tifffile.TiffPage) -> Decoded:
    """Return a page of an open file as it is to be seen.

    Raises
    ------
    Unreadable
        No picture can be made of it.
    MemoryError
        There is too little for it. tifffile does not say what else it raises on files that are damaged.
    """
    check(page)
    if _colours(page) in CONVERTED:
        return shown(page, _by_opencv(page))
    try:
        samples = page.asarray()
    except ValueError as error:
        if "imagecodecs" not in str(error):
            raise
        return shown(page, _by_opencv(page))
    return shown(page, interleaved(page, samples))


def interleaved(page: tifffile.TiffPage, samples: np.ndarray) -> np.ndarray:
    """Return samples in the order of the page as (H, W) or (H, W, C)."""
    separate = samples.ndim == 3 and page.planarconfig == PLANARCONFIG.SEPARATE
    return np.moveaxis(samples, 0, -1) if separate else samples


def shown(page: tifffile.TiffPage, samples: np.ndarray) -> Decoded:
    """Return samples of a page as they are to be seen: all ways to read them end here.

    Parameters
    ----------
    page : TiffPage
    samples : (H, W) or (H, W, C), bool, uint8, uint16 or int16
        As stored, or in RGB where OpenCV has made that of them.

    Raises
    ------
    Unreadable
        It is no picture, or samples are below 0.
    """
    image = samples[:, :, :-1] if samples.ndim == 3 and samples.shape[2] in {2, 4} else samples
    if image.ndim == 3 and image.shape[2] == 1:
        image = image[:, :, 0]
    if image.ndim != 2 and (image.ndim != 3 or image.shape[2] != 3):
        raise Unreadable("holds pages that are no pictures; only grey or RGB can be read")
    colours, bits = _colours(page), int(page.bitspersample)
    image = image.astype(np.uint8 if bits <= 8 else np.uint16, copy=False)
    if colours == PHOTOMETRIC.PALETTE:
        image, bits = _table(page)[image] if image.ndim == 2 else image, 8
    largest = (1 << bits) - 1
    if _is_signed(page):
        largest = _MOST_SIGNED
        if image.max(initial=0) > largest:  # With the sign read as one more bit.
            raise Unreadable("holds samples below 0; add a number to all of them and save them as unsigned integers")
    if colours == PHOTOMETRIC.MINISWHITE:
        image = image.dtype.type(largest) - image
    if bits < 8:
        image, bits = scaled(image, (1 << bits) - 1), 8
    has_alpha = colours not in CONVERTED and page.samplesperpixel in {2, 4}
    turned = upright(image, int(page.tags.valueof(ORIENTATION, 1)))
    return Decoded(fitting(turned, bits), bits, has_alpha)


def _is_signed(page: tifffile.TiffPage) -> bool:
    return page.dtype is not None and page.dtype.kind == "i"


def _colours(page: tifffile.TiffPage) -> int:
    """Return what samples stand for, by TIFF's number; where it is not said as libtiff guesses."""
    if page.photometric or PHOTOMETRIC_TAG in page.tags:
        return int(page.photometric)
    return int(PHOTOMETRIC.RGB if page.samplesperpixel >= 3 else PHOTOMETRIC.MINISBLACK)


def _table(page: tifffile.TiffPage) -> NDArray[np.uint8]:
    """Return the colours of a palette (n, 3); entries have 16 bits, but some programs write 8, as libtiff knows."""
    if page.colormap is None:
        raise Unreadable("lacks the palette of its colours; convert it to RGB")
    table = np.asarray(page.colormap).T
    return (table >> 8 if table.max(initial=0) > 255 else table).astype(np.uint8)


def _by_opencv(page: tifffile.TiffPage) -> np.ndarray:
    """Return the samples of a page packed as LZW or JPEG, which tifffile alone does not unpack, as `shown` wants them.

    Raises
    ------
    Unreadable
        It is damaged, or OpenCV would make another picture of it.
    """
    colours, bits, n_samples = _colours(page), int(page.bitspersample), page.samplesperpixel
    is_grey = colours in GREY
    known = (
        (bits == 8 and (not is_grey or n_samples <= 2))
        or (bits == 16 and ((is_grey and n_samples == 1) or colours == PHOTOMETRIC.RGB))
        or (bits in {1, 10, 12, 14} and is_grey and n_samples == 1)
        or (bits == 4 and colours == PHOTOMETRIC.PALETTE)
    )
    if not known or (bits > 8 and n_samples > 1 and page.planarconfig == PLANARCONFIG.SEPARATE):
        name = getattr(page.compression, "name", page.compression)
        raise Unreadable(f"has samples of {bits} bits packed as {name}; save it without compression")
    instead = {ORIENTATION: 1, EXTRA_SAMPLES: _ASSOCIATED, SAMPLE_FORMAT: _UNSIGNED}
    if is_grey:
        instead[PHOTOMETRIC_TAG] = PHOTOMETRIC.MINISBLACK
    image = opencv.decoded(single_page(page, instead), upright=False)
    if bits == 1:
        return image > 0
    return image >> (16 - bits) if 8 < bits < 16 else image
