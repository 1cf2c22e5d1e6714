"""Look-up tables: the colours in which brightness is shown. They change what is seen, nothing that is measured."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

GREY, SIGNED = "grey", "red-blue"
"""The tables that pictures have until a person chooses: samples, and differences with a sign."""

TABLES = {
    GREY: "Grey, or its own colours",
    "fire": "Fire",
    "viridis": "Viridis",
    SIGNED: "Red–blue, for signed values",
}
"""All tables by key, in words for people."""

_FIRE = (
    (0, 0, 1, 25, 49, 73, 98, 122, 146, 162, 173, 184, 195, 207, 217, 229, 240, 252, *([255] * 14)),
    (*([0] * 13), 14, 35, 57, 79, 101, 117, 133, 147, 161, 175, 190, 205, 219, 234, 248, *([255] * 4)),
    (0, 61, 96, 130, 165, 192, 220, 227, 210, 181, 151, 122, 93, 64, 35, 5, *([0] * 11), 35, 98, 160, 223, 255),
)
"""Red, green and blue at 32 even steps, as ImageJ's table of that name has them."""

_RED_BLUE = (
    (5, 33, 67, 146, 209, 247, 253, 244, 214, 178, 103),
    (48, 102, 147, 197, 229, 247, 219, 165, 96, 24, 0),
    (97, 172, 195, 222, 240, 247, 199, 130, 77, 43, 31),
)
"""Red, green and blue at 11 even steps: ColorBrewer's RdBu from its blue end to its red one."""


@lru_cache(maxsize=len(TABLES))
def table(key: str) -> NDArray[np.uint8]:
    """Return the colours (256, 3) RGB of a table from the darkest to the brightest."""
    if key == GREY:
        return np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, axis=1)
    if key == "viridis":
        ramp = np.arange(256, dtype=np.uint8)[:, None]
        return np.ascontiguousarray(cv2.applyColorMap(ramp, cv2.COLORMAP_VIRIDIS)[:, 0, ::-1])
    planes = _FIRE if key == "fire" else _RED_BLUE
    at = np.linspace(0, 1, 256)
    return np.stack([np.rint(np.interp(at, np.linspace(0, 1, len(p)), p)) for p in planes], axis=1).astype(np.uint8)


@lru_cache(maxsize=len(TABLES))
def screen_table(key: str) -> NDArray[np.uint32]:
    """Return the same (256,) as pixels of the screen: blue, green, red and 255 one after the other in memory."""
    colours = np.full((256, 4), 255, np.uint8)
    colours[:, :3] = table(key)[:, ::-1]
    return colours.view(np.uint32)[:, 0].copy()
