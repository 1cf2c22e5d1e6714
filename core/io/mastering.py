"""What a film of high dynamic range says of the display that it was made on, and of how much light it has: HDR10."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from av.buffer import Buffer

_DISPLAY = struct.Struct("=20i2i")
"""libav's AVMasteringDisplayMetadata: ten fractions, and which of them are told."""

_LIGHT = struct.Struct("=2I")
"""libav's AVContentLightMetadata."""

_BRIGHTEST = 10_000
"""Of PQ, cd/m²."""

_MOST_TOLD = 65_535
"""The largest number that a film has room for, cd/m²."""


@dataclass(frozen=True)
class MasteringDisplay:
    """The display on which a film was made (SMPTE ST 2086).

    Attributes
    ----------
    red, green, blue, white : (x, y)
        Chromaticities.
    darkest, brightest : Fraction
        Luminance, cd/m².
    """

    red: tuple[Fraction, Fraction]
    green: tuple[Fraction, Fraction]
    blue: tuple[Fraction, Fraction]
    white: tuple[Fraction, Fraction]
    darkest: Fraction
    brightest: Fraction

    def told(self, per_chromaticity: int, per_luminance: int, digits: int) -> str:
        """Return it as encoders take it, in these parts of a unit, rounded to so many decimals."""
        names = ("G", self.green), ("B", self.blue), ("R", self.red), ("WP", self.white)
        pairs = [(name, x * per_chromaticity, y * per_chromaticity) for name, (x, y) in names]
        pairs.append(("L", self.brightest * per_luminance, self.darkest * per_luminance))
        return "".join(f"{name}({float(one):.{digits}f},{float(other):.{digits}f})" for name, one, other in pairs)


@dataclass(frozen=True)
class Mastering:
    """What of HDR10 holds for a whole film.

    Attributes
    ----------
    display : MasteringDisplay or None
    light : (int, int) or None
        Luminance of the brightest pixel of all and of the brightest frame on the average, cd/m² (CTA-861.3).
    """

    display: MasteringDisplay | None
    light: tuple[int, int] | None


def mastering_of(side_data: Mapping[str, Buffer]) -> Mastering | None:
    """Return what a frame has of it beside its samples, by libav's names; None where that is nothing that can be."""
    display, light = _display(side_data), _light(side_data)
    return Mastering(display, light) if display or light else None


def _display(side_data: Mapping[str, Buffer]) -> MasteringDisplay | None:
    data = bytes(side_data.get("MASTERING_DISPLAY_METADATA", b""))
    if len(data) < _DISPLAY.size:
        return None
    *numbers, has_primaries, has_luminance = _DISPLAY.unpack_from(data)
    if not (has_primaries and has_luminance and all(numbers[1::2])):
        return None
    parts = [Fraction(over, under) for over, under in zip(numbers[::2], numbers[1::2], strict=True)]
    red, green, blue, white = ((parts[k], parts[k + 1]) for k in (0, 2, 4, 6))
    darkest, brightest = parts[8:]
    can_be = all(0 <= part <= 1 for part in parts[:8]) and 0 <= darkest < brightest <= _BRIGHTEST
    return MasteringDisplay(red, green, blue, white, darkest, brightest) if can_be else None


def _light(side_data: Mapping[str, Buffer]) -> tuple[int, int] | None:
    data = bytes(side_data.get("CONTENT_LIGHT_LEVEL", b""))
    if len(data) < _LIGHT.size:
        return None
    brightest, average = _LIGHT.unpack_from(data)
    return (brightest, average) if 0 < brightest <= _MOST_TOLD and average <= _MOST_TOLD else None
