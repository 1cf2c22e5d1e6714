"""What kernels of the mask ask of the pixels around one: the range of their samples."""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.arguments import Samples

_u = np.uint64  # for places: the check for negative ones keeps loops from being vectorised


@njit(cache=True, nogil=True)
def leave_range(seen: Samples, known: Samples, height: int, width: int, first: int, last: int, beyond: Samples) -> None:
    """Write by how much samples of some rows leave the range of the background's 3×3 neighbourhood; 0 inside.

    Rows are taken together, as if they were one: at a few hundred columns a loop costs more to begin than to run.

    Parameters
    ----------
    seen, known : (H W,) uint8 or uint16
        A plane of the frame and of the background, row by row.
    height, width : int
        H and W.
    first, last : int
        The first row, and the one behind the last.
    beyond : (n,), of the same type
        Written, as far as the rows go.
    """
    w, none, one, inner = _u(width), _u(0), _u(1), _u(max(width - 2, 0))
    top, bottom = max(first, 1), min(last, height - 1)
    if inner and top < bottom:
        _leave(seen, known, _u(top) * w + one, _u(bottom - top) * w - _u(2), w, w, one, one, beyond,
               _u(top - first) * w + one)  # fmt: skip
    for y in range(first, last):
        at, to = _u(y) * w, _u(y - first) * w
        up, down = w if y > 0 else none, w if y < height - 1 else none
        if inner and not (up and down):
            _leave(seen, known, at + one, inner, up, down, one, one, beyond, to + one)
        _leave(seen, known, at, one, up, down, none, one if width > 1 else none, beyond, to)
        if width > 1:
            _leave(seen, known, at + w - one, one, up, down, one, none, beyond, to + w - one)


@njit(cache=True, nogil=True)
def _leave(
    seen: Samples, known: Samples, at: np.uint64, n: np.uint64, up: np.uint64, down: np.uint64, left: np.uint64,
    right: np.uint64, beyond: Samples, to: np.uint64,
) -> None:  # fmt: skip
    """Do ``n`` samples from a place on, whose neighbours are so far away."""
    for j in range(n):
        p = at + j
        a, b, c = known[p - up - left], known[p - up], known[p - up + right]
        d, e, f = known[p - left], known[p], known[p + right]
        g, h, i = known[p + down - left], known[p + down], known[p + down + right]
        top = _higher(_higher(_higher(a, b), _higher(c, d)), _higher(_higher(e, f), _higher(_higher(g, h), i)))
        low = _lower(_lower(_lower(a, b), _lower(c, d)), _lower(_lower(e, f), _lower(_lower(g, h), i)))
        x = seen[p]
        nearest = top if x > top else x
        nearest = low if nearest < low else nearest
        beyond[to + j] = x - nearest if x > nearest else nearest - x


@njit(cache=True, nogil=True, inline="always")
def _higher(a: int, b: int) -> int:
    return a if a > b else b


@njit(cache=True, nogil=True, inline="always")
def _lower(a: int, b: int) -> int:
    return a if a < b else b
