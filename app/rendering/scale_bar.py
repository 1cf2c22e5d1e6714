"""How long a scale bar is, and what is said of lengths and areas of the scene. Values, no Qt here."""

from __future__ import annotations

import math

from core.io.calibration import METRES, PixelSize

PREFIXES = ((1e3, "km"), (1.0, "m"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm"))

STEPS = (5, 2, 1)


def bar(size: PixelSize, scale: float, room: float) -> tuple[float, str]:
    """Return the length of a bar and its words: 1, 2 or 5 times a power of ten.

    Parameters
    ----------
    size : PixelSize
    scale : float
        Points of the pane for each pixel of the picture.
    room : float
        Points that the bar may take.
    """
    metres = METRES.get(size.unit.lower())
    largest = room / scale * size.width * (metres or 1)
    power = 10.0 ** math.floor(math.log10(largest))
    length = next(step * power for step in STEPS if step * power <= largest * (1 + 1e-9))
    if metres is None:
        return length / size.width * scale, f"{length:g} {size.unit}"
    unit, name = next((pair for pair in PREFIXES if length >= 0.999 * pair[0]), PREFIXES[-1])
    return length / metres / size.width * scale, f"{length / unit:.4g} {name}"


def area_text(n_pixels: int, size: PixelSize) -> str:
    """Return the area of pixels as people read it, such as ``465.6 µm²``."""
    if size.metres is None:
        return f"{_four_digits(n_pixels * size.width**2 * size.aspect)} {size.unit}²"
    area = n_pixels * size.metres[0] * size.metres[1]
    unit, name = next((pair for pair in PREFIXES if area >= pair[0] ** 2), PREFIXES[-1])
    return f"{_four_digits(area / unit**2)} {name}²"


def _four_digits(number: float) -> str:
    return f"{number:.4g}" if number < 1000 else f"{number:,.0f}".replace(",", "\u202f")
