"""The colour profile that an image file carries."""

from __future__ import annotations

import io

from PIL import Image

from core.io.colour_profile import ColourProfile, profile_in
from core.io.sources.decoders import heif

FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "AVIF")
"""Formats of which Pillow reads the profile without decoding anything."""


def embedded_profile(data: bytes) -> ColourProfile | None:
    """Return the profile in the bytes of a whole image file; None where it has none that can be read."""
    try:
        return profile_in(_of_heif(data) if heif.begins(data) else _of_others(data))
    except MemoryError:
        raise
    except Exception:  # Libraries do not say what they raise on damaged files; the picture is there all the same.
        return None


def _of_others(data: bytes) -> bytes:
    with Image.open(io.BytesIO(data), formats=FORMATS) as image:
        return image.info.get("icc_profile") or b""


def _of_heif(data: bytes) -> bytes:
    import pi_heif  # noqa: PLC0415 - libraries of 4 MB that few inputs need

    file = pi_heif.open_heif(data)
    return file[file.primary_index].info.get("icc_profile") or b""
