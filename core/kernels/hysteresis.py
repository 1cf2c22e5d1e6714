"""Weak pixels next to strong ones: a mask grows over what differs by less, where it hangs together.

Only the outline of the mask and what is added to it are looked at, so that the cost follows the outline.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Bytes, Integers, Samples, Scalar
from core.kernels.arrays import CHUNK, longer
from core.kernels.neighbourhoods import beyond_range


@njit(cache=True, nogil=True)
def grow(
    mask: Bytes, luma: Samples, blue: Samples, red: Samples, known: Samples, known_blue: Samples, known_red: Samples,
    limit: Samples, limit_blue: Samples, limit_red: Samples, share: Scalar, reach: int,
) -> None:  # fmt: skip
    """Add weak pixels that are connected (8 neighbours) to a mask, in place.

    A pixel is weak where it differs from the background's neighbourhood, as in `core.kernels.masks.mark_band`, by more
    than ``share`` of the limit in any plane.

    Parameters
    ----------
    mask : (H, W) uint8
        255 or 0; changed.
    luma, known, limit : (H, W) uint8 or uint16
        The frame, the background, and the largest difference that is noise, samples.
    blue, red, known_blue, known_red, limit_blue, limit_red : (⌈H/2⌉, ⌈W/2⌉), of the same type, or empty
        The same for chroma; empty for grey.
    share : float32
        From 0 to 1.
    reach : int
        Pixels the mask grows by at most.
    """
    height, width = mask.shape
    rows, columns = _outline(mask)
    for _ in range(reach):
        out_rows, out_columns = np.empty(4 * rows.size + 8, np.int32), np.empty(4 * rows.size + 8, np.int32)
        count = 0
        for k in range(rows.size):
            y, x = rows[k], columns[k]
            if count + 8 > out_rows.size:
                out_rows, out_columns = longer(out_rows, 8), longer(out_columns, 8)
            for v in range(max(y - 1, 0), min(y + 2, height)):
                for u in range(max(x - 1, 0), min(x + 2, width)):
                    if mask[v, u]:
                        continue
                    weak = beyond_range(luma, known, v, u) > share * limit[v, u]
                    if not weak and blue.size:
                        h, w = v // 2, u // 2
                        weak = beyond_range(blue, known_blue, h, w) > share * limit_blue[h, w]
                        weak |= beyond_range(red, known_red, h, w) > share * limit_red[h, w]
                    if weak:
                        mask[v, u] = 255
                        out_rows[count], out_columns[count] = v, u
                        count += 1
        if count == 0:
            return
        rows, columns = out_rows[:count], out_columns[:count]


@njit(cache=True, nogil=True)
def _outline(mask: Bytes) -> tuple[Integers, Integers]:
    """Return row and column (n,) int32 of the pixels of a mask that have one outside among their 8 neighbours."""
    height, width = mask.shape
    rows, columns = np.empty(width, np.int32), np.empty(width, np.int32)
    count = 0
    for i in range(height):
        above, here, below = mask[max(i - 1, 0)], mask[i], mask[min(i + 1, height - 1)]
        if count + width > rows.size:
            rows, columns = longer(rows, width), longer(columns, width)
        for low in range(0, width, CHUNK):
            high = min(low + CHUNK, width)
            some = np.uint8(0)
            for j in range(low, high):
                some |= here[j]
            if some == 0:
                continue
            for j in range(low, high):
                if here[j] == 0:
                    continue
                every = above[j] & below[j]
                for u in range(max(j - 1, 0), min(j + 2, width)):
                    every &= above[u] & here[u] & below[u]
                if every == 0:
                    rows[count], columns[count] = i, j
                    count += 1
    return rows[:count], columns[:count]
