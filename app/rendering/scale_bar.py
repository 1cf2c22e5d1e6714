"""How long a scale bar is, and what it says. Values, no Qt here."""

from __future__ import annotations

import math

from core.io.calibration import PixelSize

METRES = {
    "nm": 1e-9, "nanometer": 1e-9, "um": 1e-6, "µm": 1e-6, "μm": 1e-6, "micron": 1e-6, "microns": 1e-6,
    "micrometer": 1e-6, "mm": 1e-3, "millimeter": 1e-3, "cm": 1e-2, "centimeter": 1e-2, "m": 1.0, "meter": 1.0,
    "inch": 0.0254, "inches": 0.0254, "km": 1e3,
}  # fmt: skip
"""Units that files use, in metres."""

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
