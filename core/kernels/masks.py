"""Kernels of the mask: which differences stand out of the noise, and what each pixel's noise is.

The planes are luma at full size and two chroma planes at half size, in whole samples; flicker is one number for each
block of `BLOCK` by `BLOCK` pixels. Loops run over a band of rows.
"""

from __future__ import annotations

import numpy as np
from numba import njit

BLOCK = 8
"""Side of a flicker block, pixels."""

RING = 5
"""Rows of marks that are kept at a time: those that a pixel's neighbourhood reaches over."""

CHUNK = 64
"""Pixels of a row that are passed over at once where nothing is marked."""


@njit(cache=True, nogil=True)
def opponent_band(start, stop, r, g, b, centre, luma, blue, red):
    """Write luma and half-size chroma (BT.601) of RGB planes, for a band of rows of chroma.

    Parameters
    ----------
    start, stop : int
        The band.
    r, g, b : (H, W) uint8 or uint16
    centre : float32
        Sample that stands for no colour.
    luma : (H, W), of the same type
        Written.
    blue, red : (⌈H/2⌉, ⌈W/2⌉), of the same type
        Written: means over 2×2 pixels, fewer at an odd edge.
    """
    height, width = r.shape
    half = np.float32(0.5)
    for i in range(start, stop):
        for j in range(blue.shape[1]):
            u = v = np.float32(0)
            n = np.float32(0)
            for y in range(2 * i, min(2 * i + 2, height)):
                for x in range(2 * j, min(2 * j + 2, width)):
                    red_, green_, blue_ = np.float32(r[y, x]), np.float32(g[y, x]), np.float32(b[y, x])
                    grey = np.float32(0.299) * red_ + np.float32(0.587) * green_ + np.float32(0.114) * blue_
                    luma[y, x] = grey + half
                    u += blue_ - grey
                    v += red_ - grey
                    n += np.float32(1)
            blue[i, j] = centre + np.float32(0.564) * u / n + half
            red[i, j] = centre + np.float32(0.713) * v / n + half


@njit(cache=True, nogil=True)
def mark_band(
    start, stop, luma, blue, red, known, known_blue, known_red, limit, limit_blue, limit_red, raw, mask, step, least,
    luma_out, known_out, differs, asked,
):  # fmt: skip
    """Mark the pixels that differ from the background, and from its neighbours, by more than a limit in any plane.

    What a sample differs by is how far it leaves the range of the background's 3×3 neighbourhood: a camera that
    trembles by a pixel, and texture that sways by one, stay inside.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    luma, known : (H, W) uint8 or uint16
        The frame and the background.
    blue, red, known_blue, known_red : (⌈H/2⌉, ⌈W/2⌉), of the same type, or empty
        The same for chroma; empty for grey.
    limit, limit_blue, limit_red : of the shapes and the type of the planes
        Largest difference that is noise, samples.
    raw : (H, W) uint8
        Written: 255 marked, 0 not.
    mask : (H, W) uint8
        Written: 255 where most of the 5×5 neighbourhood are marked, 0 elsewhere; edges mirror.
    step : int
        Every ``step``-th row and column, from the first, is a point of a coarser grid.
    least : int
        On the grid differences up to this do not count, samples.
    luma_out, known_out : (⌈H/step⌉, ⌈W/step⌉), of the type of the planes
        Written: luma of the frame and of the background on the grid.
    differs : (⌈H/step⌉, ⌈W/step⌉) uint8
        Written: 255 where the pixel is marked, or differs from the background itself by more than the limit: thin
        remnants lie within the range of their neighbours. Else 0.
    asked : (⌈H/step⌉, ⌈W/step⌉) uint8
        Written: the mask on the grid.
    """
    height, width = luma.shape
    first, last = start * BLOCK, min(stop * BLOCK, height)
    top, bottom = max(first - 2, 0), min(last + 2, height)
    marks, padded = np.empty((RING, width), np.uint8), np.empty(width + 4, np.uint8)
    high, low = np.empty(width + 2, luma.dtype), np.empty(width + 2, luma.dtype)
    e, u, v = np.empty(width, luma.dtype), np.empty(blue.shape[1], luma.dtype), np.empty(blue.shape[1], luma.dtype)
    tinted = np.empty(blue.shape[1], np.uint8)
    for i in range(top, bottom):
        row = marks[i % RING]
        _leave_range(luma[i], known, i, high, low, e)
        ends = limit[i]
        for j in range(width):
            row[j] = np.uint8(255) if e[j] > ends[j] else np.uint8(0)
        if blue.size:
            half = i // 2
            if i % 2 == 0 or i == top:
                _leave_range(blue[half], known_blue, half, high, low, u)
                _leave_range(red[half], known_red, half, high, low, v)
                ends_blue, ends_red = limit_blue[half], limit_red[half]
                for j in range(tinted.size):
                    tinted[j] = np.uint8(255) if (u[j] > ends_blue[j]) | (v[j] > ends_red[j]) else np.uint8(0)
            for j in range(width // 2):
                row[2 * j] |= tinted[j]
                row[2 * j + 1] |= tinted[j]
            if width % 2:
                row[width - 1] |= tinted[width // 2]
        if first <= i < last:
            kept = raw[i]
            for j in range(width):
                kept[j] = row[j]
        if i - 2 >= first:
            _majority(marks, i - 2, height, padded, mask[i - 2])
    for i in range(max(bottom - 2, first), last):  # at the lower edge
        _majority(marks, i, height, padded, mask[i])
    e, bar = np.empty(differs.shape[1], luma.dtype), np.empty(differs.shape[1], luma.dtype)
    for i in range(-(-first // step), -(-last // step)):
        y = i * step
        if step == 1:  # the loop over neighbours is vectorised, that over every n-th pixel is not
            _thin(luma[y], known[y], limit[y], raw[y], mask[y], least, luma_out[i], known_out[i], differs[i], asked[i],
                  e, bar)  # fmt: skip
        else:
            _thin(luma[y, ::step], known[y, ::step], limit[y, ::step], raw[y, ::step], mask[y, ::step], least,
                  luma_out[i], known_out[i], differs[i], asked[i], e, bar)  # fmt: skip


@njit(cache=True, nogil=True, inline="always")  # A call of so many arrays, for each row, takes as long as its work.
def _thin(luma, known, limit, raw, mask, least, luma_out, known_out, differs, asked, e, bar):
    for j in range(differs.size):
        x, y, end = luma[j], known[j], limit[j]
        luma_out[j], known_out[j], asked[j] = x, y, mask[j]
        e[j] = x - y if x > y else y - x
        bar[j] = end if end > least else least
    for j in range(differs.size):
        differs[j] = raw[j] | (np.uint8(255) if e[j] > bar[j] else np.uint8(0))


@njit(cache=True, nogil=True)
def _leave_range(seen, known, i, high, low, beyond):
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


@njit(cache=True, nogil=True)
def uncover_band(start, stop, mask, taken, step, out):
    """Take some pixels from a mask; write 255 where most of the 5×5 neighbourhood are left, for a band of rows.

    Parameters
    ----------
    start, stop : int
        The band.
    mask : (H, W) uint8
        255 or 0.
    taken : (⌈H/step⌉, ⌈W/step⌉) uint8
        Not 0 what is taken from the mask.
    step : int
        Rows and columns of the mask to one of ``taken``.
    out : (H, W) uint8
        Written. Edges mirror.
    """
    height, width = mask.shape
    top, bottom = max(start - 2, 0), min(stop + 2, height)
    left, padded = np.empty((RING, width), np.uint8), np.empty(width + 4, np.uint8)
    for i in range(top, bottom):
        row, before, gone = left[i % RING], mask[i], taken[i // step]
        for j in range(width):
            row[j] = before[j]
        some = np.uint8(0)
        for j in range(gone.size):
            some |= gone[j]
        if some:
            for j in range(gone.size):
                if gone[j]:
                    row[j * step : min(j * step + step, width)] = 0
        if i - 2 >= start:
            _majority(left, i - 2, height, padded, out[i - 2])
    for i in range(max(bottom - 2, start), stop):  # at the lower edge
        _majority(left, i, height, padded, out[i])


@njit(cache=True, nogil=True)
def _majority(marks, i, height, padded, out):
    """Write row ``i`` of the mask; row y of the picture is row ``y % RING`` of ``marks``."""
    width = out.size
    counts = padded[2 : width + 2]
    a, b = marks[_mirrored(i - 2, height) % RING], marks[_mirrored(i - 1, height) % RING]
    c = marks[i % RING]
    d, e = marks[_mirrored(i + 1, height) % RING], marks[_mirrored(i + 2, height) % RING]
    for j in range(width):
        counts[j] = (a[j] & 1) + (b[j] & 1) + (c[j] & 1) + (d[j] & 1) + (e[j] & 1)
    for side in (1, 2):
        padded[2 - side] = counts[_mirrored(-side, width)]
        padded[width + 1 + side] = counts[_mirrored(width - 1 + side, width)]
    p, q, r, s, t = padded[0:width], padded[1 : width + 1], counts, padded[3 : width + 3], padded[4 : width + 4]
    for j in range(width):
        n = np.uint8(p[j] + q[j] + r[j] + s[j] + t[j])
        out[j] = np.uint8(255) if n > np.uint8(12) else np.uint8(0)


@njit(cache=True, nogil=True)
def _mirrored(i, n):
    """Return the index that lies beyond the edge as ``i`` does, mirrored on the outermost pixel's centre."""
    while n > 1 and not 0 <= i < n:
        i = -i if i < 0 else 2 * (n - 1) - i
    return i if n > 1 else 0


@njit(cache=True, nogil=True)
def widen_band(start, stop, mask, out):
    """Write a mask (H, W) uint8 of 255 and 0, a pixel wider all around, for a band of rows."""
    height, width = mask.shape
    padded = np.zeros(width + 2, np.uint8)
    middle, left, right = padded[1 : width + 1], padded[0:width], padded[2 : width + 2]
    for i in range(start, stop):
        above, here, below = mask[max(i - 1, 0)], mask[i], mask[min(i + 1, height - 1)]
        for j in range(width):
            middle[j] = above[j] | here[j] | below[j]
        wide = out[i]
        for j in range(width):
            wide[j] = left[j] | middle[j] | right[j]


@njit(cache=True, nogil=True)
def limit_band(start, stop, variance, step, flicker, threshold, calm, limit):
    """Write ``threshold · σ · (1 + calm · flicker)``, rounded down, for a band of rows of blocks.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    variance : (H, W) float32
        Squares of the noise scale σ, samples².
    step : int
        Rows and columns of the picture to one of the plane: 1 or 2.
    flicker : (h, w) float32
        Share of the pixels of a block that change sides from frame to frame.
    threshold, calm : float32
    limit : (H, W) uint8 or uint16
        Written.
    """
    height, width = variance.shape
    side = BLOCK // step
    scale = np.empty(width, np.float32)
    for block in range(start, stop):
        for b in range(flicker.shape[1]):
            scale[b * side : b * side + side] = threshold * (np.float32(1) + calm * flicker[block, b])
        for i in range(block * side, min(block * side + side, height)):
            _limit(variance[i], scale, limit[i])


@njit(cache=True, nogil=True)
def _limit(squares, scale, limit):
    largest = np.float32(255) if limit.itemsize == 1 else np.float32(65535)
    for j in range(limit.size):
        limit[j] = np.int32(min(scale[j] * np.sqrt(squares[j]), largest))


@njit(cache=True, nogil=True)
def learn_noise_band(
    start, stop, seen, known, mask, step, flicker, n, rate, clip, spread, floor, ceiling, threshold, calm, variance,
    limit,
):  # fmt: skip
    """Move the variance towards ``e²`` where the mask is 0, and the limit with it, for a band of rows of blocks.

    ``e`` is what a sample differs by, as in `mark_band`: computed again, as that is cheaper than to keep it. A step is
    ``s ← s + rate (min(e², (clip + spread · flicker) s) − s)``, and ``n`` are taken at once. What passes by less
    than ``1 / clip`` of the time cannot inflate the noise without bound; texture that sways flickers, and may. What is
    above the ceiling falls, and does not grow.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    seen, known : (H, W) uint8 or uint16
        A plane of the frame and of the background.
    mask : (H·step, W·step) uint8
        Foreground, at full size.
    step : int
        Rows and columns of the mask to one of the plane: 1 or 2.
    flicker : (h, w) float32
        As in `limit_band`.
    n : int
        Steps.
    rate, clip, spread : float32
        See above.
    floor : float32
        Least variance, samples².
    ceiling : (h, w) float32
        Largest, for each block.
    threshold, calm : float32
        As in `limit_band`.
    variance : (H, W) float32
        Changed.
    limit : (H, W) uint8 or uint16
        Written.
    """
    height, width = seen.shape
    side = BLOCK // step
    one = np.float32(1)
    share = one - (one - rate) ** n
    high, low = np.empty(width + 2, seen.dtype), np.empty(width + 2, seen.dtype)
    e = np.empty(width, seen.dtype)
    growth, gain, scale = np.empty(width, np.float32), np.empty(width, np.float32), np.empty(width, np.float32)
    highest = np.empty(width, np.float32)
    for block in range(start, stop):
        for b in range(flicker.shape[1]):
            most = (one + rate * (clip + spread * flicker[block, b] - one)) ** n
            bar = threshold * (one + calm * flicker[block, b])
            at = slice(b * side, b * side + side)
            growth[at], scale[at], highest[at] = most, bar, ceiling[block, b]
        for i in range(block * side, min(block * side + side, height)):
            covered = mask[i * step]
            for j in range(width):
                gain[j] = np.float32(0) if covered[j * step] else share
            squares = variance[i]
            _leave_range(seen[i], known, i, high, low, e)
            for j in range(width):
                s = squares[j]
                x = np.float32(e[j])
                moved = min(s + gain[j] * (x * x - s), growth[j] * s)
                squares[j] = min(max(moved, floor), max(highest[j], s))
            _limit(squares, scale, limit[i])


@njit(cache=True, nogil=True)
def learn_flicker_band(start, stop, raw, before, near, near_before, rate, flicker, cover):
    """Move each block's flicker and cover towards its shares of pixels that changed sides and that foreground is near.

    Parameters
    ----------
    start, stop : int
        The band, rows of blocks.
    raw, before : (H, W) uint8
        Pixels over the threshold (255), before any clean-up, of this frame and the one before.
    near, near_before : (H, W) uint8
        The same of what is near foreground, where changes do not count.
    rate : float32
        Share of the way.
    flicker, cover : (⌈H/BLOCK⌉, ⌈W/BLOCK⌉) float32
        Changed.
    """
    height, width = raw.shape
    columns, hides = np.empty(width, np.uint8), np.empty(width, np.uint8)
    for block in range(start, stop):
        columns[:] = 0
        hides[:] = 0
        low, high = block * BLOCK, min(block * BLOCK + BLOCK, height)
        for i in range(low, high):
            now, then, hidden, hidden_before = raw[i], before[i], near[i], near_before[i]
            for j in range(width):
                columns[j] += (now[j] ^ then[j]) & ~(hidden[j] | hidden_before[j]) & np.uint8(1)
            for j in range(width):  # By itself: both in one loop are too many arrays to vectorise.
                hides[j] += hidden[j] & np.uint8(1)
        for b in range(flicker.shape[1]):
            left, right = b * BLOCK, min(b * BLOCK + BLOCK, width)
            changed = covered = 0
            for j in range(left, right):
                changed += columns[j]
                covered += hides[j]
            size = np.float32((high - low) * (right - left))
            flicker[block, b] += rate * (np.float32(changed) / size - flicker[block, b])
            cover[block, b] += rate * (np.float32(covered) / size - cover[block, b])


@njit(cache=True, nogil=True)
def age_band(start, stop, luma, blue, red, step, seen, marked, near, age):
    """Count for how many frames each marked pixel has looked the same, for a band of rows of a grid.

    Parameters
    ----------
    start, stop : int
        The band.
    luma : (h, w) uint8 or uint16
        The frame on the grid.
    blue, red : of the same type
        Chroma of half the picture's size, or empty.
    step : int
        Rows and columns of the picture to one of the grid.
    seen : (P, h, w), of the same type
        What it is compared with; taken from the frame where the count starts anew.
    marked : (h, w) uint8
        Where this is 0 the count is 0.
    near : (P,) int32
        Differences up to these are the same look, samples. A different look halves the count.
    age : (h, w) uint16
        Changed.
    """
    width = luma.shape[1]
    for i in range(start, stop):
        asked, ages, y = marked[i], age[i], i * step // 2
        for low in range(0, width, CHUNK):
            high = min(low + CHUNK, width)
            ahead, some = asked[low:high], np.uint8(0)
            for j in range(ahead.size):
                some |= ahead[j]
            if some == 0:
                ages[low:high] = 0
                continue
            for j in range(low, high):
                if asked[j] == 0:
                    ages[j] = 0
                    continue
                same = ages[j] > 0 and abs(np.int32(luma[i, j]) - np.int32(seen[0, i, j])) <= near[0]
                if blue.size and same:
                    x = j * step // 2
                    same = abs(np.int32(blue[y, x]) - np.int32(seen[1, i, j])) <= near[1]
                    same &= abs(np.int32(red[y, x]) - np.int32(seen[2, i, j])) <= near[2]
                if same:
                    ages[j] = min(np.int64(ages[j]) + 1, 65535)
                elif ages[j] > 1:
                    ages[j] //= 2
                else:
                    ages[j] = 1
                    seen[0, i, j] = luma[i, j]
                    if blue.size:
                        x = j * step // 2
                        seen[1, i, j], seen[2, i, j] = blue[y, x], red[y, x]
