"""From what a background leaves of a frame to a clean mask.

A pixel is foreground where it differs from the background, and from the background's immediate neighbours, by more
than a number of noise scales. The noise scale is each pixel's own; it is learnt where the mask is empty. Texture that
sways is told from things that pass by its flicker: single pixels that change sides all the time, away from any object.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Coarse, Grid
from core.frames.frame import Frame, Layout, Planes, Values
from core.frames.shift import moved
from core.frames.split import Split
from core.kernels import colour, hysteresis, masks, noise, regions
from core.parameter import Parameter, Value
from core.runtime import bands
from core.scene.masks import shadows
from core.scene.masks.ghosts import Ghosts
from core.scene.masks.regions import bridge, drop_small

MASK_PARAMETERS = (
    Parameter(
        "threshold", "Threshold", 5, 1, 15, "How many noise scales a pixel must differ to be foreground.",
        "lower: more foreground", "σ",
    ),
    Parameter(
        "smallest", "Smallest region", None, 0, 100_000, "Smaller regions are dropped.", "higher: fewer specks",
        "pixels", kind=int, automatic=True,
    ),
    Parameter(
        "holes", "Smallest hole", None, 0, 100_000,
        "Smaller holes in the foreground are filled, and narrow gaps; 0: none.", "higher: fewer holes", "pixels",
        kind=int, automatic=True,
    ),
    Parameter("shadows", "Keep shadows out", True, help="Leave cast shadows to the background.",
              effect="on: shadows leave the mask", kind=bool),
    Parameter(
        "weak", "Weak pixels", 100, 30, 100,
        "Pixels above this share of the threshold count where they hang together with foreground; 100: none does.",
        "lower: objects keep more of their edges, and shadows", "%", advanced=True,
    ),
    Parameter(
        "park", "Parked after", 3000, 0, 60_000, "Foreground that stands still this long becomes background; 0: never.",
        "shorter: parked cars leave the mask sooner", "frames", kind=int, advanced=True,
    ),
    Parameter(
        "calm", "Swaying texture", 20, 0, 100, "How much flicker, as of leaves and water, raises the threshold.",
        "higher: fewer leaves in the mask", advanced=True,
    ),
    Parameter(
        "noise_memory", "Noise memory", 50, 5, 10_000, "Frames over which each pixel's noise is measured.",
        "shorter: adapts sooner", "frames", kind=int, logarithmic=True, advanced=True,
    ),
)  # fmt: skip
"""Parameters of the mask, the same for every method."""

INITIAL_NOISE = 5 / 255
"""Noise scale before any is measured, units of white."""

NOISE_BOUNDS = (1 / 255, 0.15)
"""Least and largest noise scale of a pixel, units of white."""

PASSES, SWAYS = 0.05, 0.2
"""Where foreground covers more than the first share of a place's surroundings over time, while less than the second
share of that flickers, something passes: how it differs is no noise."""

SURROUNDINGS = 0.5
"""Width of these surroundings, in heights of the frame."""

JUDGE_EVERY = 8
"""Frames from one time that this is asked to the next."""

NOISE_UNDER_WHAT_PASSES = 4 / 255
"""Noise grows no further there, units of white; it may fall from above."""

NOISE_SAMPLES = 1500
"""Pixels, about, of which the typical noise is the median."""

NOISE_CLIP = np.float32(4)
"""Squares count as this many variances at most."""

CALM_SPREAD = 15
"""How much more flicker loosens that bound than it raises the threshold."""

FLICKER_MEMORY = 50
"""Frames over which flicker is measured."""

LEAST_REMNANT = 20 / 255
"""What differs by less is no remnant of something that has left, units of white."""

PIXELS_A_REGION, PIXELS_A_HOLE = 3000, 300
"""Pixels of a frame for each pixel of the smallest region, and of the smallest hole, unless they are set."""

ROWS_OF_WEAK = 120
"""The mask grows by one weak pixel for so many rows of the frame."""

LEAST_OF_WEAK = 2
"""Weak pixels by which it grows at least."""

GAPS_A_HEIGHT = 40
"""Gaps in the foreground of up to the height of the frame over this are bridged."""

LEARN_EVERY = 2
"""Noise and flicker are learnt at every n-th frame, n times as fast."""


class Foreground:
    """Turns splits into masks, and learns each pixel's noise where the mask is empty.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    values : mapping
        A value for each of `MASK_PARAMETERS`.

    Attributes
    ----------
    covered : (H, W) uint8
        Not 0 where the last frame showed foreground or shadow, or lay next to it: nothing to learn a background from.
    revealed : (H, W) bool, or None
        Pixels of the last frame that were foreground and have turned out to be background; the method should adopt
        them.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value]) -> None:
        self._layout = layout
        self._values = dict(values)
        self._height, width = layout.height, layout.width
        height = self._height
        self._shapes = [(height, width)]
        if layout.planes is not Planes.GREY:
            self._shapes += 2 * [((height + 1) // 2, (width + 1) // 2)]
        self._variance = [np.empty(shape, np.float32) for shape in self._shapes]
        self._limits = [np.empty(shape, layout.dtype) for shape in self._shapes]
        self._flicker = np.zeros((-(-height // noise.BLOCK), -(-width // noise.BLOCK)), np.float32)
        self._cover = np.zeros_like(self._flicker)
        self._passed = np.zeros(self._flicker.shape, np.bool_)
        self._raw, self._raw_before, self._majority = (np.empty(self._shapes[0], np.uint8) for _ in range(3))
        self._least_remnant = layout.dtype(round(LEAST_REMNANT * layout.white))
        self._n_seen = 0
        self._grid = Grid(height, width)
        self._ghosts = self._new_ghosts()
        self.revealed: NDArray[np.bool_] | None = None
        self.covered, self._covered_before = (np.zeros(self._shapes[0], np.uint8) for _ in range(2))
        self.forget_noise()

    @property
    def noise(self) -> float:
        """Typical noise scale of luma, units of white."""
        step = max(1, round((self._layout.n_pixels / NOISE_SAMPLES) ** 0.5))
        some = self._variance[0][::step, ::step].ravel()
        middle = some.size // 2  # Not np.median, which takes three times as long.
        return float(np.sqrt(np.partition(some, middle)[middle])) / self._layout.white

    def noise_scale(self) -> NDArray[np.float32]:
        """Return the noise scale of luma at each pixel (H, W), samples."""
        return np.sqrt(self._variance[0])

    def forget_noise(self) -> None:
        """Begin anew to measure the noise: it was measured against backgrounds that are known better now."""
        for variance in self._variance:
            variance[:] = (INITIAL_NOISE * self._layout.white) ** 2
        self._limit()

    def move(self, down: int, right: int) -> None:
        """Go on with all that was learnt so many pixels (even) lower and further right; the border is repeated."""
        luma, *chroma = self._variance
        self._variance = [moved(luma, -down, -right), *(moved(v, -down / 2, -right / 2) for v in chroma)]
        blocks = -round(down / noise.BLOCK), -round(right / noise.BLOCK)
        self._flicker, self._cover = (moved(x, *blocks) for x in (self._flicker, self._cover))
        self._raw, self.covered = moved(self._raw, -down, -right), moved(self.covered, -down, -right)
        self._ghosts = self._new_ghosts()
        self._limit()

    def set(self, name: str, value: Value) -> None:
        """Change a parameter from the next frame on."""
        self._values[name] = value
        self._limit()

    def state(self) -> dict[str, NDArray[Any]]:
        """Return copies of what was learnt."""
        variances = {f"variance{i}": v.copy() for i, v in enumerate(self._variance)}
        return {
            "flicker": self._flicker.copy(), "cover": self._cover.copy(), "white": np.array(self._layout.white),
            **variances,
        }  # fmt: skip

    def load(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up a state of the same layout; the bit depth may differ."""
        self._flicker = np.array(state["flicker"], np.float32)
        self._cover = np.array(state.get("cover", np.zeros_like(self._flicker)), np.float32)  # earlier files lack it
        unit = np.float32((self._layout.white / float(state["white"])) ** 2)
        self._variance = [np.array(state[f"variance{i}"], np.float32) * unit for i in range(len(self._shapes))]
        self._limit()

    def apply(
        self, frame: Frame, split: Split, *, learn: bool = True, unseen: NDArray[np.uint8] | None = None
    ) -> NDArray[np.uint8]:
        """Return the mask (H, W) of one frame, 255 foreground and 0 background.

        Parameters
        ----------
        frame : Frame
            At the working size.
        split : Split
            What the method made of it.
        learn : bool
            Also learn noise and flicker.
        unseen : (H, W) uint8, optional
            Not 0 where the frame shows nothing of the scene: nothing to learn noise from.
        """
        now, background = (_three(self._planes(v)) for v in (frame.values, split.samples(self._layout)))
        n = frame.values.size
        self._raw, self._raw_before = self._raw_before, self._raw
        coarse = self._mark(now, background)
        shadow = np.zeros(self._grid.shape, np.uint8)
        with_shadows = cv2.countNonZero(coarse.mask) and self._values["shadows"]
        cleaned = partial(drop_small, self._majority, *self._smallest)
        covered, *_ = bands.all_of([
            cleaned,
            *([partial(shadows.find, coarse, self._variance[0], self._layout.white, shadow)] if with_shadows else ()),
            *(self._ghosts.follow(coarse) if learn else ()),
        ], n)  # fmt: skip
        with_shadows = with_shadows and cv2.countNonZero(shadow)
        self.covered, self._covered_before, self.revealed = self._covered_before, self.covered, None
        bands.all_of([
            *bands.rows(masks.widen_band, self._height, n, covered, self.covered),
            *(self._uncover(covered, shadow) if with_shadows else ()),
        ], n)  # fmt: skip
        if learn:
            found = self._ghosts.judge(coarse, int(self._values["park"] or 0))
            self.revealed = None if found is None else self._grid.spread(found).view(np.bool_)

        def finish() -> NDArray[np.uint8]:
            mask = cleaned() if with_shadows else covered.copy()
            self._bridge(mask)
            return mask

        mask, *_ = bands.all_of([
            finish,
            *(self._learn(now, background, covered, unseen) if learn and self._n_seen % LEARN_EVERY == 0 else ()),
        ], n)  # fmt: skip
        self._n_seen += learn
        return mask

    def preview(self, frame: Frame, split: Split) -> NDArray[np.uint8]:
        """Return the mask (H, W) that the parameters now make of a frame, and leave no trace of having looked.

        Parameters
        ----------
        frame, split
            As in `apply`.
        """
        kept = (self._raw, self._raw_before, self._majority, self.covered, self._covered_before, self.revealed)
        self._raw, self._raw_before, self._majority, self.covered, self._covered_before = (
            np.empty_like(self._raw) for _ in range(5)
        )
        try:
            return self.apply(frame, split, learn=False)
        finally:
            (self._raw, self._raw_before, self._majority, self.covered, self._covered_before, self.revealed) = kept

    def _new_ghosts(self) -> Ghosts:
        return Ghosts(self._grid.shape, len(self._shapes), self._layout.white, self._layout.dtype)

    @property
    def _smallest(self) -> tuple[int, int]:
        """Pixels of the smallest region, and of the smallest hole."""
        kinds = (("smallest", PIXELS_A_REGION), ("holes", PIXELS_A_HOLE))
        chosen = ((self._values[name], round(self._layout.n_pixels / share)) for name, share in kinds)
        smallest, holes = (automatic if value is None else int(value) for value, automatic in chosen)
        return smallest, holes

    def _planes(self, values: Values) -> list[Values]:
        """Return luma and half-size chroma as (H, W) arrays; grey has luma only."""
        planes = [self._layout.plane(values, i) for i in range(len(self._layout.shapes))]
        if self._layout.planes is not Planes.RGB:
            return planes
        out = [np.empty(shape, values.dtype) for shape in self._shapes]
        neutral = np.float32(self._layout.neutral)
        bands.run_rows(colour.opponent_band, self._shapes[1][0], values.size, *planes, neutral, *out)
        return out

    def _mark(self, now: list[Values], background: list[Values]) -> Coarse:
        coarse = Coarse(self._grid, now, background)
        bands.run_rows(
            masks.mark_band, len(self._flicker), now[0].size, *now, *background, *_three(self._limits), self._raw,
            self._majority, self._grid.step, self._least_remnant, coarse.now[0], coarse.known[0], coarse.differs,
            coarse.mask,
        )  # fmt: skip
        if float(self._values["weak"] or 100) < 100:
            self._add_weak(now, background)
            coarse.mask[:] = self._majority[:: coarse.step, :: coarse.step]
        return coarse

    def _add_weak(self, now: list[Values], background: list[Values]) -> None:
        """Let the mask grow over weak pixels, and round off what was added."""
        share, reach = np.float32(float(self._values["weak"] or 100) / 100), round(self._height / ROWS_OF_WEAK)
        grown, nothing = self._majority.copy(), np.zeros(self._grid.shape, np.uint8)
        known = (grown, *now, *background, *_three(self._limits), share, max(LEAST_OF_WEAK, reach))
        hysteresis.grow(*known)
        rounded = np.empty_like(grown)
        bands.run_rows(masks.uncover_band, self._height, grown.size, grown, nothing, self._grid.step, rounded)
        self._majority |= rounded

    def _bridge(self, mask: NDArray[np.uint8]) -> None:
        """Close gaps in a mask, in place: what looks like the background within an object hides it as well."""
        if self._smallest[1] <= 1:
            return
        step = self._grid.step
        found = bridge(mask[::step, ::step], max(1, round(self._grid.shape[0] / (2 * GAPS_A_HEIGHT))))
        if found is None:
            return
        (rows, columns), added = found
        regions.spread(added, rows.start, columns.start, step, mask, self.covered)

    def _uncover(self, covered: NDArray[np.uint8], shadow: NDArray[np.uint8]) -> list[bands.Task]:
        """Return the tasks of taking the shadow from what is covered, into the buffer of the mask."""
        return bands.rows(
            masks.uncover_band, self._height, covered.size, covered, shadow, self._grid.step, self._majority
        )  # fmt: skip

    @property
    def _bars(self) -> tuple[np.float32, np.float32]:
        """Threshold, and how much flicker raises it."""
        return np.float32(self._values["threshold"] or 0), np.float32(self._values["calm"] or 0)

    def _limit(self) -> None:
        """Set by how much a sample may differ, by its noise and the flicker around it."""
        flicker = cv2.blur(self._flicker, (3, 3))
        for i, (variance, limit) in enumerate(zip(self._variance, self._limits, strict=True)):
            bands.run_rows(
                noise.limit_band, len(flicker), limit.size, variance, 2 if i else 1, flicker, *self._bars, limit
            )

    def _learn(
        self, now: list[Values], background: list[Values], mask: NDArray[np.uint8], unseen: NDArray[np.uint8] | None
    ) -> list[bands.Task]:
        """Learn flicker away from foreground; return the tasks of learning noise where a mask is empty and sees."""
        n_rows = len(self._flicker)
        if self._n_seen:
            bands.run_rows(
                noise.learn_flicker_band, n_rows, mask.size, self._raw, self._raw_before, self.covered,
                self._covered_before, np.float32(LEARN_EVERY / FLICKER_MEMORY), self._flicker, self._cover,
            )  # fmt: skip
        flicker = cv2.blur(self._flicker, (3, 3))
        tasks: list[bands.Task] = []
        rate = np.float32(1 / float(self._values["noise_memory"] or 1))
        spread = np.float32(CALM_SPREAD * float(self._values["calm"] or 0))
        least, most, most_under = (
            np.float32((x * self._layout.white) ** 2) for x in (*NOISE_BOUNDS, NOISE_UNDER_WHAT_PASSES)
        )
        if self._n_seen % JUDGE_EVERY == 0:
            self._passed = self._find_passed()
        ceiling = np.where(self._passed, most_under, most)
        taught = mask if unseen is None else mask | unseen
        for i, (variance, limit) in enumerate(zip(self._variance, self._limits, strict=True)):
            tasks += bands.rows(
                noise.learn_noise_band, n_rows, limit.size, now[i], background[i], taught, 2 if i else 1, flicker,
                LEARN_EVERY, rate, NOISE_CLIP, spread, least, ceiling, *self._bars, variance, limit,
            )  # fmt: skip
        return tasks

    def _find_passed(self) -> NDArray[np.bool_]:
        """Return the blocks that something passes again and again."""
        side = max(3, round(SURROUNDINGS * len(self._flicker))) | 1
        flicker, cover = (cv2.blur(x, (side, side)) for x in (self._flicker, self._cover))
        return (cover > PASSES) & (flicker < SWAYS * cover)


def _three(planes: list[NDArray]) -> list[NDArray]:
    """Return three planes: those given, or grey and two empty ones."""
    return planes if len(planes) == 3 else [planes[0]] + 2 * [np.empty((0, 0), planes[0].dtype)]
