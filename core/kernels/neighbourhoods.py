"""What kernels of the mask ask of the pixels around one: the range of their samples."""

from __future__ import annotations

from numba import njit

from core.kernels.arguments import Samples


@njit(cache=True, nogil=True)
def leave_range(seen: Samples, known: Samples, i: int, high: Samples, low: Samples, beyond: Samples) -> None:
    """Write by how much each sample of row ``i`` leaves the range of the background's 3×3 neighbourhood; 0 inside."""
    n = seen.size
    above, here, below = known[max(i - 1, 0)], known[i], known[min(i + 1, known.shape[0] - 1)]
    most, least = high[1 : n + 1], low[1 : n + 1]
    for j in range(n):
        a, b, c = above[j], here[j], below[j]
        ab = a if a > b else b
        most[j] = ab if ab > c else c
        ab = a if a < b else b
        least[j] = ab if ab < c else c
    high[0], low[0], high[n + 1], low[n + 1] = high[1], low[1], high[n], low[n]
    left, right, left_low, right_low = high[0:n], high[2 : n + 2], low[0:n], low[2 : n + 2]
    for j in range(n):
        a, b, c = left[j], most[j], right[j]
        ab = a if a > b else b
        top = ab if ab > c else c
        a, b, c = left_low[j], least[j], right_low[j]
        ab = a if a < b else b
        bottom = ab if ab < c else c
        x = seen[j]
        nearest = top if x > top else x
        nearest = bottom if nearest < bottom else nearest
        beyond[j] = x - nearest if x > nearest else nearest - x
