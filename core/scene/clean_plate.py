"""The clean plate: the look of each place that comes back, as one with what is around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.decimated_history import Decimation
from core.frames.frame import Layout, Values
from core.frames.noise import MAD_TO_SIGMA
from core.kernels import clean_plate
from core.runtime import bands, heap, stopping
from core.runtime.beside_heap import kept
from core.scene.plate_light import PlateLight, Relighting
from core.scene.surroundings import MAJORITY, change_around, luma_on, mean_around, mostly
from core.scene.swaying import Look, sways
from core.scene.tuning import FEW, LIKENESS

BUDGET_BYTES, LEAN_BYTES = 108 << 20, 48 << 20
"""Memory for the frames that a plate is made of, and of one that nobody sees, which a pass begins with: 36 and 16
frames of 1080p. A run that saves masks of such frames takes 600 MB instead of 750."""

FEWEST, MOST, VOTERS = 9, 301, 151
"""Frames that a plate is made of, whatever the budget; so many of them at most are held against each other to find the
look that comes back. More are better and cost more: with 75 of these, `foliage` is off by 5.9 levels instead of 1.4."""

ALIKE = 24 / 255
"""Samples that differ by no more, in all planes, show one look, and count though a mask covers them: a shadow mostly
differs by more. Units of the contrast.

With 16, plates of two drawn trees are off by 9.3 and 11.6 levels instead of 7.9 and 10.4, and that of `foliage` without
masks by 0.7 instead of 1.6; with 8, `foliage` is off by 2.6 instead of 1.1.
"""

STILL = 3.0
"""What changes from one frame to the next by so many times the noise counts half.

With 2, the plate of `highway1`, half as bright for every other 150 frames, is off by 15.0 levels, with 5 by 1.3,
instead of 3.6; with 4, that of `foliage` without masks by 2.7 instead of 1.5.
"""

ROUNDING = 1.0
"""No noise is less, grey levels."""

ROWS = 16
"""Rows of a plane whose median is computed at once."""

Stack = NDArray[np.uint8 | np.uint16]
"""Samples (N, P) of P values in N frames, or (C, N, P) of C planes."""


class Shown(NamedTuple):
    """What shows the plate.

    Attributes
    ----------
    frames : list of (F,) samples
        In one light.
    anyway : list of (h, w / 8) uint8
        Where each of them shows the plate whatever its mask says, packed bits.
    doubted : (h, w) bool
        Where masks are doubted.
    """

    frames: list[Values]
    anyway: list[NDArray[np.uint8]]
    doubted: NDArray[np.bool_]


@dataclass(frozen=True)
class Hidden:
    """What hid the scene at some time, to be restored.

    Attributes
    ----------
    plate : object
        Tells plates apart; holds none of them in memory.
    spacing : int
        From one frame kept to the next.
    bits : list of (H, W / 8) uint8
        Pixels of each frame kept, packed; never written again.
    """

    plate: object
    spacing: int
    bits: list[NDArray[np.uint8]]


class CleanPlate:
    """Keeps frames evenly spread over a pass, and what hid the scene in each.

    When all places are taken, every other frame goes and the spacing doubles, so that memory is bounded.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    budget : int
        Bytes for them.
    """

    def __init__(self, layout: Layout, budget: int = BUDGET_BYTES) -> None:
        self._layout = layout
        self._grid = Grid(layout.height, layout.width)
        self._places = Decimation(int(np.clip(budget // layout.n_bytes, FEWEST, MOST)))
        self._frames: list[Values] = []
        self._hidden: list[NDArray[np.uint8]] = []
        self._unseen: list[NDArray[np.uint8] | None] = []
        self._indices: list[int] = []
        self._changes: list[NDArray[np.uint8]] = []
        self._light = PlateLight(layout)
        self._lights: list[Relighting | None] = []
        self._before: Values | None = None
        self._token = object()

    def offer(
        self,
        v: Values,
        covered: NDArray[np.uint8],
        revealed: NDArray[np.bool_] | None,
        unseen: NDArray[np.uint8] | None = None,
        index: int = 0,
        background: Callable[[], Values] | None = None,
    ) -> None:
        """Take note of a frame.

        Parameters
        ----------
        v : (F,) samples
            Not to be written to any more.
        covered : (H, W) uint8
            Not 0 where foreground or shadow may hide the scene.
        revealed : (H, W) bool, or None
            Where what was taken for the scene so far has turned out not to be.
        unseen : (H, W) uint8, optional
            Not 0 where the frame shows nothing of the scene.
        index : int
            Of the frame, for `look_again`.
        background : callable, optional
            Gives it (F,) as it was recovered, which tells in what light the frame is, and is not written to any more;
            asked of frames that are kept.
        """
        if revealed is not None:
            self.discard(revealed)
        halves, keeps = self._places.offer()
        if halves:
            self._frames, self._hidden, self._changes = self._frames[::2], self._hidden[::2], self._changes[::2]
            self._unseen, self._indices, self._lights = self._unseen[::2], self._indices[::2], self._lights[::2]
        if keeps:
            self._frames.append(kept(v))
            self._hidden.append(np.packbits(covered > 0, axis=1))
            self._unseen.append(None if unseen is None else np.packbits(unseen > 0, axis=1))
            self._indices.append(index)
            self._lights.append(None if background is None else self._light.back(background(), v, covered))
            self._changes.append(self._change(v, v if self._before is None else self._before))
        if self._places.n_offered == 2:
            self._changes[0] = self._change(v, self._frames[0])  # There was none before the first.
        self._before = v

    def look_again(self, covered: Callable[[int, Values], NDArray[np.uint8]]) -> None:
        """Let what hides the scene in each frame be what ``covered`` says of it (H, W), and no more.

        It is given the index of a frame and its values (F,). What it raises leaves all as it was.
        """
        looks = [np.packbits(covered(*each) > 0, axis=1) for each in zip(self._indices, self._frames, strict=True)]
        self._hidden = [x if unseen is None else x | unseen for x, unseen in zip(looks, self._unseen, strict=True)]

    def discard(self, where: NDArray[np.bool_]) -> None:
        """Let earlier frames not count at pixels (H, W): they did not show the scene."""
        bits = np.packbits(where, axis=1)
        self._hidden = [hidden | bits for hidden in self._hidden]

    def forget_last(self, n_offered: int) -> None:
        """Forget so many frames that were offered last: they showed another scene. No more is offered."""
        n = -(-max(self._places.n_offered - n_offered, 0) // self._places.spacing)
        for each in (self._frames, self._hidden, self._unseen, self._indices, self._changes, self._lights):
            del each[n:]

    def hide(self, where: Callable[[Values], NDArray[np.bool_]]) -> None:
        """Let each earlier frame not count at the pixels (H, W) that ``where`` says of its values (F,)."""
        pairs = zip(self._frames, self._hidden, strict=True)
        self._hidden = [hidden | np.packbits(where(v), axis=1) for v, hidden in pairs]

    @property
    def n_frames(self) -> int:
        """How many frames a plate would be made of now."""
        return len(self._frames)

    def hidden(self) -> Hidden:
        """Return what hides the scene now, for `restore`."""
        return Hidden(self._token, self._places.spacing, self._hidden[:])

    def restore(self, then: Hidden, where: NDArray[np.bool_]) -> None:
        """Let earlier frames count at pixels (H, W) as they did ``then``; nothing where that was another plate."""
        if then.plate is not self._token:
            return
        bits = np.packbits(where, axis=1)
        stride = self._places.spacing // then.spacing  # Spacings only double: the frames kept then come first.
        for i, before in enumerate(then.bits[::stride]):
            self._hidden[i] = (self._hidden[i] & ~bits) | (before & bits)

    def samples(self, background: Values) -> Values:
        """Return the plate (F,) in whole samples; places of which nothing is known show ``background`` (F,).

        It is in the light that is the middle of all its frames have, and so are these.

        A sample is supported by the others that look like it, if they are still and no mask covers them, and by the
        support of its neighbours. The plate is the median of what masks let be seen, and of what is covered but looks
        like the sample with most support, as most around it does. Where most of what masks let be seen looks otherwise,
        only what looks like that sample counts.
        """
        return self._agreed(background)[0] if self._frames else background.copy()

    def median_of_visible(self, background: Values) -> Values:
        """Return the median (F,) of what masks let be seen, which are the truth; else ``background`` (F,)."""
        nothing = np.zeros(self._grid.shape, np.bool_)
        return self._medians(background, Shown(self._frames, [np.packbits(nothing, axis=1)] * self.n_frames, nothing))

    def samples_and_noise(self, background: Values) -> tuple[Values, NDArray[np.float32]]:
        """Return the plate (F,), see `samples`, and its noise (H, W).

        The noise is the standard deviation from it of what it was made of: that of luma, or of green, which is most of
        it, in samples; 0 where nothing is known.
        """
        spread = np.zeros(self._layout.n_pixels, np.float32)
        if not self._frames:
            return background.copy(), spread.reshape(self._layout.shapes[0])
        plate, shown = self._agreed(background)
        index = self._layout.luma_index
        first = self._layout.slices[index].start

        def measure(samples: Stack, hidden: NDArray[np.uint8], at: slice) -> None:
            clean_plate.spread_of_seen(samples, hidden, plate[at], spread[at.start - first : at.stop - first])

        self._over_rows(index, shown, measure)
        return plate, np.float32(MAD_TO_SIGMA) * spread.reshape(self._layout.shapes[0])

    def sways(self, background: Values) -> NDArray[np.bool_] | None:
        """Return where the scene sways about a background (F,), see `core.scene.swaying`; None where few frames tell.

        On the grid (h, w) of `core.frames.coarse_grid`.
        """
        if self.n_frames < FEWEST:
            return None
        some = np.linspace(0, self.n_frames - 1, FEWEST).round().astype(np.intp)
        apart, alike = (round(share * self._layout.contrast) for share in (ALIKE, LIKENESS))
        looks = [self._look(self._frames[t]) for t in some]
        return sways(self._look(background), looks, self._layout.luma_index, apart, alike)

    def _look(self, v: Values) -> Look:
        """Return samples (F,) of all planes on the grid (C, h, w)."""
        planes: list[NDArray[np.uint8 | np.uint16]] = []
        for index in range(len(self._layout.shapes)):
            rows, columns = (np.arange(n) * self._grid.step // self._layout.step(index) for n in self._grid.shape)
            planes.append(self._layout.plane(v, index)[rows][:, columns])
        return np.stack(planes)

    def _medians(self, background: Values, shown: Shown) -> Values:
        """Return the median (F,) of what shows the scene; where there is none, ``background`` (F,)."""
        out = background.copy()
        for plane in range(len(self._layout.shapes)):
            self._over_rows(plane, shown, lambda seen, hidden, at: clean_plate.median_of_seen(seen, hidden, out[at]))
        return out

    def _agreed(self, background: Values) -> tuple[Values, Shown]:
        """Return the plate (F,), in the light in the middle, and what shows it."""
        light = self._light.middle(self._lights)
        shown = self._shown(light)
        return self._medians(self._light.brought(background, self._light.back(background), light), shown), shown

    def _shown(self, light: Relighting | None) -> Shown:
        """Return what shows the plate in a light, told from that of the first frame."""
        heap.give_back()  # What is worked out needs other sizes than frames do.
        frames = [self._light.brought(v, back, light) for v, back in zip(self._frames, self._lights, strict=True)]
        voters = np.unique(np.arange(VOTERS) * len(self._frames) // VOTERS)
        likeness = self._likeness(frames, voters, self._support(frames, voters))
        against = np.zeros(self._grid.shape, np.float32)
        for t, one in enumerate(likeness):
            against += self._seen(t) * (np.float32(MAJORITY) - one)
        doubted, anyway = mean_around(against) > 0, []
        for t, one in enumerate(likeness):
            # A point that a mask lets be seen tells nothing of covered pixels beside it.
            anyway.append(np.packbits(one & mostly(one) & (doubted | ~self._seen(t)), axis=1))
        return Shown(frames, anyway, doubted)

    def _seen(self, t: int) -> NDArray[np.bool_]:
        """Return where on the grid (h, w) the mask of a frame, by its place, hides nothing."""
        hidden = self._hidden_rows(self._hidden[t], 0, self._grid.shape[0], self._grid.step)
        return np.asarray(hidden.reshape(self._grid.shape) == 0)

    def _halving_change(self) -> np.float32:
        """Return the change of its surroundings by which a sample counts half, grey levels."""
        changes = np.stack(self._changes)
        middle = min(FEWEST, len(changes)) // 2  # The median of the stillest: a plate is made of no fewer.
        changes.partition(middle, axis=0)
        return np.float32(max(ROUNDING, float(np.median(changes[middle]))) * STILL)

    def _support(self, frames: list[Values], voters: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return how well each voter (V, h, w) is supported by the others, and its neighbours at that time; or 0."""
        reach, halving = round(ALIKE * self._layout.contrast), self._halving_change()
        seen = np.stack([self._seen(t) for t in voters])
        support = np.empty(seen.shape, np.float32)

        def weights(changes: NDArray[np.uint8], seen: NDArray[np.bool_]) -> NDArray[np.float32]:
            # What changes just then is hardly the scene. Those of all points and voters are 20 MB at 1080p.
            return np.asarray(1 / (1 + (changes.astype(np.float32) / halving) ** 2) * seen, np.float32)

        def some_rows(start: int, stop: int) -> None:
            for i in range(start, stop):
                stopping.check()  # On the thread that was asked for the plate; others end with their band.
                at_row = weights(np.stack([self._changes[t][i] for t in voters]), seen[:, i])
                clean_plate.support_row(self._points(i, frames, voters), at_row, reach, support[:, i])

        bands.run_rows(some_rows, self._grid.shape[0], bands.HEAVY * self._layout.n_values)
        for one, t, its_seen in zip(support, voters, seen, strict=True):
            np.multiply(one, mean_around(one) * weights(self._changes[t], its_seen), out=one)
        return support

    def _likeness(
        self, frames: list[Values], voters: NDArray[np.intp], support: NDArray[np.float32]
    ) -> NDArray[np.bool_]:
        """Return where each frame (N, h, w) looks like the voter with most support."""
        reach = round(ALIKE * self._layout.contrast)
        best, every = voters[support.argmax(axis=0)], np.arange(len(self._frames))
        likeness = np.empty((len(every), *best.shape), np.bool_)
        for i in range(len(best)):
            stopping.check()
            looks = self._points(i, frames, every)
            chosen = np.take_along_axis(looks, best[i][None, None], axis=1)
            apart = np.where(looks > chosen, looks - chosen, chosen - looks).max(axis=0)
            likeness[:, i] = (apart <= reach) & (support[:, i].max(axis=0) > 0)
        return likeness

    def _points(self, i: int, frames: list[Values], places: NDArray[np.intp]) -> Stack:
        """Return the samples of all planes of some frames, by their places, at a row of the grid (C, N, w)."""
        layout, step = self._layout, self._grid.step
        planes: list[Stack] = []
        for index in range(len(layout.shapes)):
            part, width = layout.step(index), layout.shapes[index][1]
            start = layout.slices[index].start + i * step // part * width
            columns = np.arange(self._grid.shape[1]) * step // part
            planes.append(np.stack([frames[t][start : start + width][columns] for t in places]))
        return np.stack(planes)

    def _change(self, v: Values, before: Values) -> NDArray[np.uint8]:
        """Return how much the surroundings of each point of the grid (h, w) changed, grey levels."""
        now, then = (np.ascontiguousarray(luma_on(self._grid, self._layout, x)) for x in (v, before))
        return change_around(now, then, self._layout.contrast)

    def _over_rows(self, index: int, found: Shown, work: Callable[[Stack, NDArray[np.uint8], slice], None]) -> None:
        """Call ``work(samples, hidden, at)`` for a few rows of a plane at a time: their stack over all frames is small.

        ``samples`` and ``hidden`` are (N, P), for the P values that ``at`` selects of a vector.
        """
        part, (height, width) = self._layout.slices[index], self._layout.shapes[index]
        each = self._layout.step(index)
        columns = np.arange(width) * each // self._grid.step
        relit = np.array([one is not other for one, other in zip(found.frames, self._frames, strict=True)])

        def some_rows(start: int, stop: int) -> None:
            for low in range(start, stop, ROWS):
                stopping.check()
                high = min(low + ROWS, stop)
                at = slice(part.start + low * width, part.start + high * width)
                rows = np.arange(low, high) * each // self._grid.step
                doubts = found.doubted[rows][:, columns].ravel()
                hidden = [
                    (self._hidden_rows(mask, low, high, each) | doubts)
                    & ~np.unpackbits(one[rows], axis=1, count=self._grid.shape[1])[:, columns].ravel()
                    for one, mask in zip(found.anyway, self._hidden, strict=True)
                ]
                stack, over = np.stack([frame[at] for frame in found.frames]), np.stack(hidden)
                self._leave_few(stack, over, relit, at)
                work(stack, over, at)

        bands.run_rows(some_rows, height, bands.HEAVY * self._layout.n_values)

    def _leave_few(self, stack: Stack, hidden: NDArray[np.uint8], relit: NDArray[np.bool_], at: slice) -> None:
        """Give back their own light to samples (N, P), at a slice of vectors, where few that show a pixel are in other.

        Their median is the same scene, and its light that which is the middle: light drifts.
        """
        if not relit.any():
            return
        shown = hidden == 0
        few = np.count_nonzero(shown[relit], axis=0) < FEW * np.count_nonzero(shown, axis=0)
        for t in np.flatnonzero(relit):
            np.copyto(stack[t], self._frames[t][at], where=few)

    def _hidden_rows(self, hidden: NDArray[np.uint8], low: int, high: int, step: int) -> NDArray[np.uint8]:
        rows = hidden[low * step : high * step : step]
        return np.unpackbits(rows, axis=1, count=self._layout.width)[:, ::step].ravel()

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of the frames kept (H, W), 0 to 1, nothing hid a pixel; 0: never revealed."""
        hidden = np.zeros(self._layout.shapes[0], np.float32)
        for bits in self._hidden:
            hidden += np.unpackbits(bits, axis=1, count=self._layout.width)
        return 1 - hidden / np.float32(max(len(self._hidden), 1)) if self._hidden else hidden
