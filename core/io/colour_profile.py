"""The colour profile (ICC.1) of an image: what its samples stand for, as bytes that programs which show it apply."""

from __future__ import annotations

from dataclasses import dataclass

from core.frames.frame import Values

_HEADER = 128
_SPACE, _SIGNATURE = slice(16, 20), slice(36, 40)
"""Where a profile says what space its samples are in, and that it is one."""

_GREY, _RGB = b"GRAY", b"RGB "

MOST_BYTES = 1 << 20
"""Those of cameras and screens have 0.5 to 20 kB; every image of a result has one."""


@dataclass(frozen=True)
class ColourProfile:
    """A profile.

    Attributes
    ----------
    data : bytes
        As the image has it.
    is_grey : bool
        Of grey samples; else of red, green and blue.
    """

    data: bytes
    is_grey: bool

    def fits(self, picture: Values) -> bool:
        """Tell whether it speaks of samples such as a picture (H, W), (H, W, 3) or (H, W, 4) has."""
        return self.is_grey == (picture.ndim == 2)


def profile_in(data: bytes) -> ColourProfile | None:
    """Return what some bytes are the profile of; None where they are none, or one of other samples (CMYK)."""
    is_profile = _HEADER <= len(data) <= MOST_BYTES and data[_SIGNATURE] == b"acsp"
    return ColourProfile(data, data[_SPACE] == _GREY) if is_profile and data[_SPACE] in {_GREY, _RGB} else None
