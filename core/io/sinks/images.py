"""Sequences of pictures: one PNG or TIFF file a frame."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import tifffile

from core.errors import CleanplateError
from core.frames.colour import ColourStandard
from core.frames.frame import Values
from core.io.calibration import Calibration
from core.io.colour_profile import ColourProfile
from core.io.sinks.base import Sink

TO_OPENCV = {3: cv2.COLOR_RGB2BGR, 4: cv2.COLOR_RGBA2BGRA}


_HEADER_ENDS = 33
"""Bytes of a PNG file up to the end of its header, which has a fixed size: what follows is written there."""


def png_bytes(picture: Values, standard: ColourStandard | None = None, profile: ColourProfile | None = None) -> bytes:
    """Encode a picture as PNG.

    Run-length strategy at the lowest level: measured at 1080p against zlib's default at level 1, it is as fast and a
    fifth smaller for masks (4 ms, 69 KB, unfiltered) and for photographs nearly as small (34 ms, filter "up").

    Parameters
    ----------
    picture : (H, W), (H, W, 3) RGB or (H, W, 4) RGBA, uint8 or uint16
    standard : ColourStandard, optional
        What its samples stand for; said in the file where viewers would take it for another.
    profile : ColourProfile, optional
        The same of images; said in the file where it is of such samples.
    """
    grey = picture.ndim == 2
    line_filter = cv2.IMWRITE_PNG_FILTER_NONE if grey and _is_mask(picture) else cv2.IMWRITE_PNG_FILTER_UP
    options = [
        cv2.IMWRITE_PNG_COMPRESSION, 1,
        cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_RLE,
        cv2.IMWRITE_PNG_FILTER, line_filter,
    ]  # fmt: skip
    stored = picture if grey else cv2.cvtColor(picture, TO_OPENCV[picture.shape[2]])
    done, encoded = cv2.imencode(".png", stored, options)
    if not done:
        raise CleanplateError(f"A picture of {picture.shape[1]}×{picture.shape[0]} cannot be stored as PNG; use TIFF.")
    packed = bytes(encoded)
    if profile is not None and profile.fits(picture):
        # Its name, which may not be empty, and how it is packed: as zlib does.
        return _with_chunk(packed, b"iCCP", b"ICC profile\0\0" + zlib.compress(profile.data))
    if standard is None or standard.is_usual:
        return packed
    # PNG's third edition: RGB, full range.
    return _with_chunk(packed, b"cICP", bytes([standard.primaries, standard.transfer, 0, 1]))


def _with_chunk(packed: bytes, kind: bytes, data: bytes) -> bytes:
    """Return a PNG file with one more chunk: what its samples stand for is said before them."""
    chunk = struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return packed[:_HEADER_ENDS] + chunk + packed[_HEADER_ENDS:]


def tiff_bytes(picture: Values, profile: ColourProfile | None = None, calibration: Calibration | None = None) -> bytes:
    """Encode a picture as TIFF, lossless; ``profile`` as `png_bytes` has it, with the scale of the input."""
    memory, scale = io.BytesIO(), calibration or Calibration()
    tifffile.imwrite(
        memory, picture, **tiff_options(picture, profile),
        description=scale.description(1, picture.shape, picture.dtype.name).encode() or None,
        resolution=scale.resolution, resolutionunit=scale.resolution_unit if scale.resolution else None,
    )  # fmt: skip
    return memory.getvalue()


def tiff_options(picture: Values, profile: ColourProfile | None = None) -> dict[str, Any]:
    """Return how tifffile packs a picture: deflate with horizontal differences; a fourth plane is straight alpha."""
    return {
        "iccprofile": profile.data if profile is not None and profile.fits(picture) else None,
        "photometric": "minisblack" if picture.ndim == 2 else "rgb",
        "extrasamples": ["unassalpha"] if picture.ndim == 3 and picture.shape[2] == 4 else None,
        "compression": "zlib", "compressionargs": {"level": 1}, "predictor": 2,
        "metadata": None, "software": False,
    }  # fmt: skip


class ImageSequence(Sink):
    """A folder of files, by name or number. Files are independent, so several threads may write at once."""

    ordered = False
    suffix = ""

    def _open(self, path: Path) -> None:
        path.mkdir()

    def _write(self, number: int, time_s: float, picture: Values, stem: str) -> None:
        assert self._path is not None
        name = (stem or f"{number:06d}") + self.suffix
        packed = self.encode(picture)
        try:
            (self._path / name).write_bytes(packed)
        except OSError:
            (self._path / name).unlink(missing_ok=True)  # Those before it are whole, and may be kept.
            raise

    def _close(self) -> None:
        pass

    def _is_of_use(self) -> bool:
        return self._path is not None and any(self._path.iterdir())

    def encode(self, picture: Values) -> bytes:
        """Return the file that holds a picture."""
        raise NotImplementedError


class PngSequence(ImageSequence):
    """``000001.png``, …: 8 or 16 bits, grey, RGB or RGBA; ``standard`` and ``profile`` as `png_bytes` has them."""

    suffix = ".png"

    def __init__(
        self, final: Path, standard: ColourStandard | None = None, profile: ColourProfile | None = None
    ) -> None:
        super().__init__(final)
        self._standard, self._profile = standard, profile

    def encode(self, picture: Values) -> bytes:
        """Return the PNG file that holds a picture."""
        return png_bytes(picture, self._standard, self._profile)


class TiffSequence(ImageSequence):
    """``000001.tif``, …: 8 or 16 bits, grey, RGB or RGBA; ``profile`` and ``calibration`` as `tiff_bytes` has them."""

    suffix = ".tif"

    def __init__(
        self, final: Path, profile: ColourProfile | None = None, calibration: Calibration | None = None
    ) -> None:
        super().__init__(final)
        self._profile, self._calibration = profile, calibration

    def encode(self, picture: Values) -> bytes:
        """Return the TIFF file that holds a picture."""
        return tiff_bytes(picture, self._profile, self._calibration)


def _is_mask(picture: Values) -> bool:
    """Only black and white? Looks at every 16th row, which is enough to choose a filter."""
    rows = picture[::16]
    white = np.iinfo(picture.dtype).max
    return bool(((rows == 0) | (rows == white)).all())
