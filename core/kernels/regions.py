"""Small connected regions of a mask, found run by run: what that costs goes by their edges, not by their pixels."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from core.kernels.arguments import Bytes, Floats, Integers, Scalar
from core.kernels.arrays import add_runs, longer


@njit(cache=True, nogil=True)
def drop_small(
    runs: Integers, smallest: int, holes: int, stays: NDArray[np.bool_], logit: Floats, side: int, doubt: Scalar,
    mask: Bytes, covered: Bytes,
) -> None:  # fmt: skip
    """Drop regions of fewer than ``smallest`` pixels, fill holes of fewer than ``holes``; what is left is covered too.

    Smaller regions stay as well where one of their cells is to stay, and larger holes are filled where they touch no
    edge of the picture and their mean logit exceeds ``doubt``.

    Runs of neighbouring rows that touch are joined (union-find), and their lengths added up. The runs of the holes are
    what lies between those of the regions, so that no pixel is looked at.

    Parameters
    ----------
    runs : (3, n) int32
        Row, start and stop of each run of 255 in the mask, as `core.kernels.arrays.add_runs` writes them; overwritten.
    smallest, holes : int
        Pixels.
    stays : (h, w) bool
        Cells whose regions are kept at any size.
    logit : (h, w) float32
        Of each cell.
    side : int
        Rows and columns of pixels of a cell.
    doubt : float
        Infinite: holes are filled by their size alone.
    mask : (H, W) uint8
        255 and 0; changed. Regions are 8-connected, holes 4-connected.
    covered : (H, W) uint8
        Changed: 255 in what is left of the mask.
    """
    rows, starts, stops = runs[0], runs[1], runs[2]
    roots = _roots(starts, stops, rows, 1)
    drops = _areas(starts, stops, roots) < smallest
    _keep_with(stays, side, starts, stops, rows, roots, drops)
    count = 0
    for run in range(starts.size):
        if drops[roots[run]]:
            mask[rows[run], starts[run] : stops[run]] = 0
        else:
            covered[rows[run], starts[run] : stops[run]] = 255
            starts[count], stops[count], rows[count] = starts[run], stops[run], rows[run]
            count += 1
    by_size_alone = doubt == np.inf
    if count == 0 or (holes <= 1 and by_size_alone):  # no region is left that could have holes, or they stay
        return
    starts, stops, rows = _gaps(starts[:count], stops[:count], rows[:count], mask.shape[0], mask.shape[1])
    roots = _roots(starts, stops, rows, 0)
    areas = _areas(starts, stops, roots)
    fills = areas < holes
    if not by_size_alone:
        asked = ~fills & _inner(starts, stops, rows, roots, mask.shape)
        fills |= _doubtful(starts, stops, rows, roots, asked, logit, side, doubt)
    for run in range(starts.size):
        if fills[roots[run]]:
            mask[rows[run], starts[run] : stops[run]] = 255
            covered[rows[run], starts[run] : stops[run]] = 255


@njit(cache=True, nogil=True)
def drop_apart(logit: Floats, low: Scalar, mask: Bytes, side: int, doubted: Bytes) -> None:
    """Write 0 where what is in doubt hangs together with nothing in a mask.

    Parameters
    ----------
    logit : (h, w) float32
        Of each cell.
    low : float32
        Cells over it are in doubt; regions of them are 8-connected.
    mask : (H, W) uint8
        Not 0 in the mask.
    side : int
        Rows and columns of pixels of a cell.
    doubted : (H, W) uint8
        Not 0 in cells in doubt and those around. Changed: 0 there, unless a region around holds a pixel of the mask.
    """
    # As a product: where numba compiles np.where, it takes ten times as long.
    runs = runs_of((logit > low).view(np.uint8) * np.uint8(255))
    rows, starts, stops = runs[0], runs[1], runs[2]
    roots = _roots(starts, stops, rows, 1)
    keeps = np.zeros(starts.size, np.bool_)
    for run in range(starts.size):
        if not keeps[roots[run]]:
            keeps[roots[run]] = _is_marked(mask, rows[run], starts[run], stops[run], side)
    kept = np.zeros((logit.shape[0] + 2, logit.shape[1] + 2), np.bool_)  # With a rim.
    for run in range(starts.size):
        if keeps[roots[run]]:
            kept[rows[run] + 1, starts[run] + 1 : stops[run] + 1] = True
    for run in range(starts.size):
        if keeps[roots[run]]:
            continue
        for i in range(max(rows[run] - 1, 0), min(rows[run] + 2, logit.shape[0])):
            for j in range(max(starts[run] - 1, 0), min(stops[run] + 1, logit.shape[1])):
                if doubted[i * side, j * side] and not kept[i : i + 3, j : j + 3].any():
                    doubted[i * side : i * side + side, j * side : j * side + side] = 0


@njit(cache=True, nogil=True)
def _is_marked(mask: Bytes, row: int, start: int, stop: int, side: int) -> bool:
    """Tell whether a mask (H, W) has a pixel in a run of cells."""
    for y in range(row * side, min(row * side + side, mask.shape[0])):
        for x in range(start * side, min(stop * side, mask.shape[1])):
            if mask[y, x]:
                return True
    return False


@njit(cache=True, nogil=True)
def runs_of(mask: Bytes) -> Integers:
    """Return row, start and stop (exclusive) of every run of 255 in a mask (H, W), (3, n) int32, in their order."""
    height, width = mask.shape
    runs, count = np.empty((3, width), np.int32), 0
    for y in range(height):
        if count + width > runs.shape[1]:  # A row has no more runs than pixels.
            runs = longer(runs, width)
        count = add_runs(mask, y, 0, width, count, runs)
    return runs[:, :count].copy()


@njit(cache=True, nogil=True)
def keep_resting(regions: Bytes, marked: Bytes, still: Bytes, share: Scalar, out: Bytes) -> bool:
    """Write 255 for regions of whose marked pixels enough are still; return whether any was found.

    Parameters
    ----------
    regions : (H, W) uint8
        255 and 0; regions are 8-connected.
    marked, still : (H, W) uint8
        Not 0 where a pixel is; it counts for the region in which it lies.
    share : float
    out : (H, W) uint8
        Written; 0 elsewhere.
    """
    runs = runs_of(regions)
    rows, starts, stops = runs[0], runs[1], runs[2]
    roots = _roots(starts, stops, rows, 1)
    counts = np.zeros((2, starts.size), np.int64)
    for run in range(starts.size):
        seen, resting = marked[rows[run], starts[run] : stops[run]], still[rows[run], starts[run] : stops[run]]
        n_seen = n_resting = 0
        for j in range(seen.size):
            n_seen += seen[j] != 0
            n_resting += resting[j] != 0
        counts[0, roots[run]] += n_seen
        counts[1, roots[run]] += n_resting
    out[:] = 0
    some = False
    for run in range(starts.size):
        n_seen, n_resting = counts[0, roots[run]], counts[1, roots[run]]
        if n_seen and n_resting >= share * n_seen:
            out[rows[run], starts[run] : stops[run]] = 255
            some = True
    return some


@njit(cache=True, nogil=True)
def _areas(starts: Integers, stops: Integers, roots: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the pixels of each region at its root; at all other runs 0."""
    areas = np.zeros(starts.size, np.int64)
    for run in range(starts.size):
        areas[roots[run]] += stops[run] - starts[run]
    return areas


@njit(cache=True, nogil=True)
def _keep_with(
    stays: NDArray[np.bool_], side: int, starts: Integers, stops: Integers, rows: Integers, roots: NDArray[np.int64],
    drops: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Drop no region, by its root, that has a pixel in a cell that is to stay."""
    for run in range(starts.size):
        root = roots[run]
        if drops[root] and stays[rows[run] // side, starts[run] // side : (stops[run] - 1) // side + 1].any():
            drops[root] = False


@njit(cache=True, nogil=True)
def _doubtful(
    starts: Integers, stops: Integers, rows: Integers, roots: NDArray[np.int64], asked: NDArray[np.bool_],
    logit: Floats, side: int, doubt: Scalar,
) -> NDArray[np.bool_]:  # fmt: skip
    """Return, at their roots, which of the regions that are ``asked`` for have a larger mean logit than ``doubt``."""
    excess = np.zeros(starts.size)
    for run in range(starts.size):
        if not asked[roots[run]]:
            continue
        row, more = logit[rows[run] // side], 0.0
        for j in range(starts[run] // side, (stops[run] - 1) // side + 1):
            overlap = min(stops[run], (j + 1) * side) - max(starts[run], j * side)
            more += overlap * (row[j] - doubt)
        excess[roots[run]] += more
    return excess > 0


@njit(cache=True, nogil=True)
def _inner(
    starts: Integers, stops: Integers, rows: Integers, roots: NDArray[np.int64], shape: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return, at their roots, which regions touch no edge of a picture (H, W)."""
    inner = np.ones(starts.size, np.bool_)
    for run in range(starts.size):
        if starts[run] == 0 or stops[run] == shape[1] or rows[run] == 0 or rows[run] == shape[0] - 1:
            inner[roots[run]] = False
    return inner


@njit(cache=True, nogil=True)
def _roots(starts: Integers, stops: Integers, rows: Integers, reach: int) -> NDArray[np.int64]:
    """Return for each run the first of its region; ``reach`` is 1 for 8-connected regions, 0 for 4-connected ones."""
    count = starts.size
    parent = np.arange(count)
    above = first = 0  # runs above .. first are of the row before, first .. of this one
    for run in range(count):
        if run == first or rows[run] != rows[run - 1]:
            above = first if run and rows[run] == rows[run - 1] + 1 else run
            first = run
        while above < first and stops[above] + reach <= starts[run]:
            above += 1
        root, other_run = run, above
        while other_run < first and starts[other_run] < stops[run] + reach:
            other = _root(parent, other_run)
            root, high = min(root, other), max(root, other)
            parent[high] = root
            other_run += 1
    for run in range(count):
        parent[run] = parent[parent[run]]  # of what comes before it, the root is known by now
    return parent


@njit(cache=True, nogil=True)
def _gaps(
    starts: Integers, stops: Integers, rows: Integers, height: int, width: int,
) -> tuple[Integers, Integers, Integers]:  # fmt: skip
    """Return start, stop and row of what lies between runs, in the order of the rows."""
    most = starts.size + height
    out_starts, out_stops, out_rows = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int32)
    count = run = 0
    for i in range(height):
        j = 0
        while run < starts.size and rows[run] == i:
            if starts[run] > j:
                out_starts[count], out_stops[count], out_rows[count] = j, starts[run], i
                count += 1
            j = stops[run]
            run += 1
        if j < width:
            out_starts[count], out_stops[count], out_rows[count] = j, width, i
            count += 1
    return out_starts[:count], out_stops[:count], out_rows[:count]


@njit(cache=True, nogil=True)
def _root(parent: NDArray[np.int64], run: int) -> int:
    for _ in range(parent.size):  # A parent comes before its runs.
        if parent[run] == run:
            break
        parent[run] = parent[parent[run]]
        run = parent[run]
    return run
