"""One stroke of a brush: what it says of which pixels, and the look by which they are known again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Plane
from core.frames.frame import Layout, Planes, Values
from core.scene.tuning import DIFFERS, FEW, LIKENESS

Pixels = NDArray[np.bool_]

Kept = TypeVar("Kept", bound=np.generic)

Span = tuple[int, int]
"""First and last frame, counted from 0, both included."""

LIGHT_SAMPLES = 1000
"""Pixels, about, all over a frame by which a change of the light is measured."""


@dataclass(frozen=True)
class Stroke:
    """One stroke of a brush.

    Attributes
    ----------
    is_background : bool
    index : int
        Frame on which it was painted.
    box : (int, int, int, int)
        Top, bottom, left and right around it, pixels; top and left are even.
    where : (h, w) bool
        What was painted, in the box.
    look : tuple of (h, w) arrays
        Samples of each plane in the box.
    light : (S,) float32
        Luma all over the frame, units of white above no light: looks change with the light.
    frames : Span or None
        It only corrects the masks of these, whatever they show there; None: it holds for all frames, by its look.
    """

    is_background: bool
    index: int
    box: tuple[int, int, int, int]
    where: Pixels
    look: tuple[Plane, ...]
    light: NDArray[np.float32]
    frames: Span | None = None

    @property
    def part(self) -> tuple[slice, slice]:
        """The box in a map of pixels."""
        top, bottom, left, right = self.box
        return slice(top, bottom), slice(left, right)

    def holds_on(self, index: int) -> bool:
        """Tell whether it corrects the mask of a frame whatever that shows."""
        return self.frames is not None and self.frames[0] <= index <= self.frames[1]

    def shows(self, layout: Layout, values: Values, noise: float) -> Pixels:
        """Return where (h, w) a frame (F,) shows the look; ``noise`` is its scale, units of white."""
        height, width = self.where.shape
        dark, black = LIKENESS * layout.contrast / layout.white, layout.dark
        gain = _gain(self.light, light_of(layout, values), dark)
        same = np.full((height, width), 255, np.uint8)
        for plane, (now, look) in enumerate(zip(cut(layout, values, self.box), self.look, strict=True)):
            is_chroma = plane > 0 and layout.planes is Planes.YCC420
            reach = max(LIKENESS * layout.contrast, float(DIFFERS) * noise * layout.white)
            lit = look if is_chroma or gain == 1 else cv2.addWeighted(look, gain, look, 0, black * (1 - gain))
            # Not cv2.compare, which takes a single sample for a number, and refuses.
            near = np.asarray(cv2.inRange(cv2.absdiff(now, lit), 0, int(reach)), np.uint8)
            if is_chroma:  # Each sample is that of four pixels.
                near = np.asarray(
                    cv2.resize(near, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)[:height, :width], np.uint8
                )
            cv2.bitwise_and(same, near, same)
        # One value of a few may be off: noise.
        shown: Pixels = (cv2.blur(same, (5, 5)) > 127) & self.where
        return shown

    def without(self, other: Stroke) -> Stroke:
        """Return what a later stroke leaves of it: one of some frames takes only from those of no others.

        A stroke of all frames takes from one of some where it was painted on one of these.
        """
        if other.frames is None:
            takes = self.frames is None or self.holds_on(other.index)
        else:
            takes = self.frames is not None and other.holds_on(self.frames[0]) and other.holds_on(self.frames[1])
        if not takes:
            return self
        top, left = max(self.box[0], other.box[0]), max(self.box[2], other.box[2])
        bottom, right = min(self.box[1], other.box[1]), min(self.box[3], other.box[3])
        if top >= bottom or left >= right:
            return self
        where = self.where.copy()
        where[top - self.box[0] : bottom - self.box[0], left - self.box[2] : right - self.box[2]] &= ~other.where[
            top - other.box[0] : bottom - other.box[0], left - other.box[2] : right - other.box[2]
        ]
        return replace(self, where=where)

    def moved(self, down: int, right: int, layout: Layout) -> Stroke:
        """Return it so many pixels (even) lower and further right, without what is beyond the border then."""
        rows, columns, inner = self._moved_box(down, right, layout)
        look = []
        for index, plane in enumerate(self.look):
            part = layout.step(index)
            a, b, c, d = inner[0] // part, -(-inner[1] // part), inner[2] // part, -(-inner[3] // part)
            look.append(plane[a:b, c:d])
        where = self.kept_of(self.where, down, right, layout)
        return replace(self, box=(*rows, *columns), where=where, look=tuple(look))

    def kept_of(self, inside: NDArray[Kept], down: int, right: int, layout: Layout) -> NDArray[Kept]:
        """Return what of a map (h, w) of its box is one of the box of the same stroke `moved`."""
        inner = self._moved_box(down, right, layout)[2]
        return inside[inner[0] : inner[1], inner[2] : inner[3]]

    def _moved_box(
        self, down: int, right: int, layout: Layout
    ) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int, int, int]]:
        """Return rows and columns of the moved box in the frame, and what that is of the box as it is."""
        top, bottom, left, right_end = self.box
        rows = _inside(top + down, bottom + down, layout.height)
        columns = _inside(left + right, right_end + right, layout.width)
        inner = (rows[0] - top - down, rows[1] - top - down, columns[0] - left - right, columns[1] - left - right)
        return rows, columns, inner


def _inside(low: int, high: int, size: int) -> tuple[int, int]:
    """Return what of a range lies in a picture of some size; an empty range where nothing does."""
    low = min(max(low, 0), size & ~1)
    return low, max(min(high, size), low)


def shapes_in(layout: Layout, shape: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Return the shapes of the planes in a box."""
    return replace(layout, height=shape[0], width=shape[1]).shapes


def cut(layout: Layout, values: Values, box: tuple[int, int, int, int]) -> list[Plane]:
    """Return each plane of a vector within a box."""
    return [layout.part(values, index, box) for index in range(len(layout.shapes))]


def light_of(layout: Layout, values: Values) -> NDArray[np.float32]:
    """Return luma, or green, of pixels all over a frame, units of white above no light."""
    step = _light_step(layout)
    plane = layout.plane(values, layout.luma_index)[step // 2 :: step, step // 2 :: step]
    return (plane.ravel().astype(np.float32) - np.float32(layout.dark)) / np.float32(layout.white)


def n_light_samples(layout: Layout) -> int:
    """Return how many samples `light_of` gives."""
    step = _light_step(layout)
    return len(range(step // 2, layout.height, step)) * len(range(step // 2, layout.width, step))


def _light_step(layout: Layout) -> int:
    step: int = max(1, round((layout.n_pixels / LIGHT_SAMPLES) ** 0.5))
    return step


def _gain(then: NDArray[np.float32], now: NDArray[np.float32], dark: float) -> float:
    """Return by how much the light of most of the frame has changed; 1 where that cannot be told."""
    clear = (then > dark) & (now > dark) & (then < 1 - dark) & (now < 1 - dark)
    return float(np.median(now[clear] / then[clear])) if clear.mean() > FEW else 1.0
