"""How a picture has moved against one that is known: hints of it, a search, and how well a motion fits.

Pictures are compared at points where the known one has an edge, up to other light on all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid, Plane
from core.frames.frame import Layout
from core.frames.motion import AT_REST, NO_SHIFT, Motion, Shift
from core.frames.reduce import shrunk
from core.kernels import registration as kernel

POINTS = 1500
"""Points of a picture that are followed, about: one in each square of its area by this number."""

FEWEST_POINTS = 60
"""A picture with fewer that can be followed is taken to be still."""

LEAST_SLOPE = 8 / 255
"""A point can be followed where the picture changes by this much over two pixels, units of the contrast."""

COARSE_ROWS = 72
"""Rows, or columns, of the smallest copy, at most: the fewer of both."""

HINT, COARSE_HINT = 0.25, 0.08
"""Hints of movement this large are looked into: pixels, and those of the smallest copy, where less is noise. What moved
by less than that is seen at full size."""

ALIKE = 24 / 255
"""Differences count up to this much where shifts are compared, units of the contrast."""

ROUNDS = 8
"""Steps of the finer search on each copy, at most."""

TURN_HINT = 0.5
"""Hints that a corner turns by more than this are looked into, pixels."""

REGIONS, POINTS_A_REGION = 6, 8
"""A picture is divided into so many rows and columns of regions; those with fewer points do not count."""

FEWEST_REGIONS = 12
"""Fewer regions with points may all belong to one thing that moves."""

NEAR = 0.5
"""A quarter moves like the whole picture where it does within this share of its shift."""

Points = tuple[NDArray[np.int32], NDArray[np.int32]]
"""Rows and columns (N,)."""

Copies = list[tuple[Plane, Plane]]
"""Two pictures, and smaller and smaller copies of them, each of half the size."""


class Registration:
    """Pictures of one size, and the points at which they are compared with one that is known.

    Parameters
    ----------
    layout : Layout
        Of the frames whose luma, or green, these are.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._unit = layout.contrast / 255
        self._stride = Grid(layout.height, layout.width).step
        self._n_halvings = 0
        while min(layout.height, layout.width) >> self._n_halvings > COARSE_ROWS:
            self._n_halvings += 1
        self._cell = max(4, round((layout.n_pixels / POINTS) ** 0.5))
        cells = (layout.height // self._cell + 1) * (layout.width // self._cell + 1)
        self._places = np.empty((2, cells), np.int32)
        self._rows, self._columns = self._places[:, :0]
        self._radius = max(layout.height, layout.width) / 2
        self._coarse: Plane = np.empty((0, 0), layout.dtype)

    @property
    def has_points(self) -> bool:
        """Whether the known picture has enough to be followed by."""
        return len(self._rows) >= FEWEST_POINTS

    def choose_points(self, known: Plane) -> None:
        """Compare pictures from now on where a known one has an edge."""
        least = round(LEAST_SLOPE * self._layout.contrast)
        count = kernel.steepest(known, self._cell, max(1, self._cell // 8), least, self._places[0], self._places[1])
        self._rows, self._columns = self._places[:, :count]
        self._coarse = self._small(known)

    def _small(self, picture: Plane) -> Plane:
        """Return a small copy of a picture, made of the points of the grid only: it is for hints."""
        size = (self._layout.height >> self._n_halvings, self._layout.width >> self._n_halvings)
        seen = np.ascontiguousarray(picture[:: self._stride, :: self._stride])
        return shrunk(seen, size)

    def may_have_moved(self, now: Plane, known: Plane) -> bool:
        """Return whether there is a hint of movement: one step at full size, or on the small copy, is not small."""
        if extent(self._track(now, known, 0, NO_SHIFT, 1)) > HINT or self.may_have_turned(now, known, NO_SHIFT):
            return True
        small, part = self._small(now), 1 << self._n_halvings
        if extent(self._track(small, self._coarse, self._n_halvings, NO_SHIFT, 1)) > max(HINT, COARSE_HINT * part):
            return True
        turned = self._turned(small, self._coarse, self._n_halvings, AT_REST, 1)
        return self._extent_of_turn(turned) > max(TURN_HINT, COARSE_HINT * part)

    def may_have_turned(self, now: Plane, known: Plane, shift: Shift) -> bool:
        """Return whether there is a hint that a picture turns or zooms, beside a shift: one step is not small."""
        return self._extent_of_turn(self._turned(now, known, 0, Motion(shift), 1)) > TURN_HINT

    def _extent_of_turn(self, motion: Motion) -> float:
        return motion.turn.extent(self._layout.height, self._layout.width)

    def copies(self, now: Plane, known: Plane) -> Copies:
        """Return two pictures and their copies, the smallest last."""
        pairs = [(now, known)]
        for _ in range(self._n_halvings):
            larger = pairs[-1]
            size = (larger[0].shape[0] // 2, larger[0].shape[1] // 2)
            pairs.append((shrunk(larger[0], size), shrunk(larger[1], size)))
        return pairs

    def coarsely(self, copies: Copies, largest: float) -> Shift:
        """Return the best of all whole shifts of the smallest copies, up to ``largest`` percent of the width."""
        now, known = copies[-1]
        # Eighths of a step of 255, about the mean: other light on all of the picture does not count.
        small = [(8 / self._unit * x.astype(np.float32)) for x in (now, known)]
        whole = [np.rint(x - x.mean()).astype(np.int32) for x in small]
        reach = int(np.ceil(largest / 100 * now.shape[1]))
        rows, columns = (min(reach, n // 4) for n in now.shape)
        cost = np.empty((2 * rows + 1, 2 * columns + 1))
        kernel.search(whole[0], whole[1], rows, columns, round(8 * 255 * ALIKE), cost)
        down, right = np.unravel_index(np.argmin(cost), cost.shape)
        part = 1 << self._n_halvings
        return Shift(float(part * (down - rows)), float(part * (right - columns)))

    def finely(self, copies: Copies, near: Shift) -> Shift:
        """Return the shift near to another one, followed from the smallest copies to the largest."""
        for n in reversed(range(len(copies))):
            near = self._track(*copies[n], n, near, ROUNDS)
        return near

    def _track(self, now: Plane, known: Plane, n: int, near: Shift, n_rounds: int) -> Shift:
        """Return the shift near to another one, both in pixels of full size, of copies that were halved n times."""
        part, rows, columns = 1 << n, self._rows >> n, self._columns >> n
        at = (near.down / part, near.right / part)
        down, right = kernel.track(now, known, rows, columns, at[0], at[1], self._unit, n_rounds)
        return Shift(part * down, part * right)

    def turned(self, copies: Copies, near: Motion) -> Motion:
        """Return the motion near to another one, followed from the smallest copies to the largest."""
        for n in reversed(range(len(copies))):
            near = self._turned(*copies[n], n, near, ROUNDS)
        return near

    def _turned(
        self, now: Plane, known: Plane, n: int, near: Motion, n_rounds: int, points: Points | None = None
    ) -> Motion:
        """Return the motion near to another one, both in pixels of full size, of copies that were halved n times."""
        part, (rows, columns) = 1 << n, points or (self._rows >> n, self._columns >> n)
        motion = np.array(near.numbers) / (part, part, 1, 1)
        radius = self._radius / part
        normal, slope = np.empty((5, 5)), np.empty(5)
        for _ in range(n_rounds):
            kernel.turning_equations(now, known, rows, columns, motion, radius, self._unit, normal, slope)
            step = np.clip(np.linalg.solve(normal, slope)[:4], -1, 1)
            motion += step / (1, 1, radius, radius)
            if np.abs(step).max() < kernel.PRECISE:
                break
        down, right, grow, turn = (motion * (part, part, 1, 1)).tolist()
        return Motion.of(down, right, grow, turn)

    def differences(self, now: Plane, known: Plane, motion: Motion) -> NDArray[np.float32]:
        """Return by how much two pictures differ at each point (N,), but for other light on all of them.

        It is infinite where the frame does not show the point.
        """
        out = np.empty(self._rows.size, np.float32)
        kernel.differences(now, known, self._rows, self._columns, np.array(motion.numbers), out)
        seen = out[np.isfinite(out)]
        light = np.median(seen) if seen.size else 0
        differences: NDArray[np.float32] = np.abs(out - light)
        return differences

    def clipped(self, differences: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return differences (n,) that count up to ``ALIKE``."""
        clipped: NDArray[np.float32] = np.minimum(differences, np.float32(ALIKE * self._layout.contrast))
        return clipped

    def by_chance(self, now: Plane, known: Plane, reach: float) -> float:
        """Return by how much two pictures differ where they show different things: shifted by all of ``reach``."""
        down, right = (min(reach, n / 4) for n in now.shape)
        far = [Motion(Shift(i * down, j * right)) for i in (-1, 1) for j in (-1, 1)]
        differences = np.concatenate([self.differences(now, known, s) for s in far])
        return float(self.clipped(differences[np.isfinite(differences)]).mean())

    def share_explained(self, now: Plane, known: Plane, motion: Motion, left: float, than: Motion = AT_REST) -> float:
        """Return the share of the regions in which a motion leaves less than a share of what another one does.

        0 where there are few.
        """
        before, after = (self.clipped(self.differences(now, known, x)) for x in (than, motion))
        height, width = now.shape
        region = self._rows * REGIONS // height * REGIONS + self._columns * REGIONS // width
        counted = np.bincount(region, minlength=REGIONS**2) >= POINTS_A_REGION
        if np.count_nonzero(counted) < FEWEST_REGIONS:
            return 0.0
        of_motion, of_other = (np.bincount(region, x, REGIONS**2)[counted] for x in (after, before))
        return float(np.mean(of_motion < left * of_other))

    def n_quarters(self, now: Plane, known: Plane, motion: Motion, than: Motion = AT_REST) -> int:
        """Return how many quarters of the picture, each by itself, move about as the whole does, and not as another."""
        height, width = now.shape
        quarter = 2 * (2 * self._rows >= height) + (2 * self._columns >= width)
        n = 0
        for one in range(4):
            points = self._rows[quarter == one], self._columns[quarter == one]
            # From the middle of the picture to that of the quarter.
            middle = ((one // 2 - 0.5) * height / 2, (one % 2 - 0.5) * width / 2)
            as_whole, as_other = motion.at(*middle), than.at(*middle)
            if motion.turns:
                found = self._turned(now, known, 0, motion, ROUNDS, points).at(*middle)
            else:
                by = kernel.track(now, known, *points, *motion.shift, self._unit, ROUNDS)
                found = Motion(Shift(*by)).at(*middle)
            n += _apart(found, as_whole) < NEAR * _apart(as_whole, as_other)
        return n


def _apart(one: Shift, other: Shift) -> float:
    return extent((one.down - other.down, one.right - other.right))


def extent(shift: tuple[float, float]) -> float:
    """Return how far a shift goes, down or to the right, whichever is farther, pixels."""
    return max(abs(shift[0]), abs(shift[1]))
