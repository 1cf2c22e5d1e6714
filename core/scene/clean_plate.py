"""The clean plate: the look of each place that comes back, as one with what is around it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Grid
from core.frames.decimated_history import DecimatedHistory
from core.frames.frame import Layout, Values
from core.frames.packed_mask import PackedMask
from core.runtime import heap
from core.runtime.beside_heap import kept
from core.scene.looks import LookGrid
from core.scene.plate_consensus import ALIKE, consensus
from core.scene.plate_frame import FEWEST, PlateFrame
from core.scene.plate_light import PlateLight
from core.scene.plate_samples import PlateSamples
from core.scene.surroundings import change_around, luma_on
from core.scene.swaying import sways
from core.scene.tuning import LIKENESS

BUDGET_BYTES, LEAN_BYTES = 108 << 20, 48 << 20
"""Memory for the frames that a plate is made of, and of one that nobody sees, which a pass begins with: 36 and 16
frames of 1080p. A run that saves masks of such frames takes 600 MB instead of 750."""

WHOLE = 24
"""So many of an input's pictures are kept, whatever the budget, where they are no film: 1.5 GB of 20 megapixels.

The plate of twelve pictures of a street had 16 times as many wrong pixels when the budget let six be kept.
"""

MOST = 301
"""Frames that a plate is made of, whatever the budget: more are better and cost more."""


@dataclass(frozen=True)
class Hidden:
    """What hid the scene at some time, to be restored.

    Attributes
    ----------
    plate : object
        Tells plates apart; holds none of them in memory.
    masks : mapping of PackedMask
        Hidden pixels of each frame kept, by its place among all that were offered.
    """

    plate: object
    masks: Mapping[int, PackedMask]


class CleanPlate:
    """Keeps frames evenly spread over a pass, and what hid the scene in each.

    When all places are taken, every other frame goes and the spacing doubles, so that memory is bounded.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    budget : int
        Bytes for them.
    n_photographs : int
        Pictures of the input where they are no film; 0: it is one.
    """

    def __init__(self, layout: Layout, budget: int = BUDGET_BYTES, n_photographs: int = 0) -> None:
        self._layout = layout
        self._grid = Grid(layout.height, layout.width)
        n_most = int(np.clip(budget // layout.n_bytes, max(FEWEST, min(n_photographs, WHOLE)), MOST))
        self._kept: DecimatedHistory[PlateFrame] = DecimatedHistory(n_most)
        self._light = PlateLight(layout)
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
        before = v if self._before is None else self._before
        self._kept.offer_made(
            lambda: PlateFrame(
                index,
                kept(v),
                PackedMask.of(covered > 0),
                None if unseen is None else PackedMask.of(unseen > 0),
                self._change(v, before),
                None if background is None else self._light.back(background(), v, covered),
            )
        )
        if self.n_frames == 2:
            first = self._kept.items[0]
            self._kept.put(0, replace(first, change=self._change(v, first.values)))  # There was none before it.
        self._before = v

    def look_again(self, covered: Callable[[PlateFrame], NDArray[np.uint8]]) -> None:
        """Let what hides the scene in each frame be what ``covered`` says of it (H, W), and no more.

        What it raises leaves all as it was.
        """
        self._set_hidden([PackedMask.of(covered(frame) > 0) for frame in self._kept.items])

    def discard(self, where: NDArray[np.bool_]) -> None:
        """Let earlier frames not count at pixels (H, W): they did not show the scene."""
        mask = PackedMask.of(where)
        self._set_hidden([frame.hidden | mask for frame in self._kept.items])

    def hide(self, where: Callable[[Values], NDArray[np.bool_]]) -> None:
        """Let each earlier frame not count at the pixels (H, W) that ``where`` says of its values (F,)."""
        self._set_hidden([frame.hidden | PackedMask.of(where(frame.values)) for frame in self._kept.items])

    def forget_last(self, n_offered: int) -> None:
        """Forget so many frames that were offered last: they showed another scene. No more is offered."""
        self._kept.forget_last(n_offered)

    def until(self, index: int) -> CleanPlate:
        """Return the plate of the frames before one of an index; it is offered no more."""
        before = copy.copy(self)
        frames = [frame for frame in self._kept.items if frame.index < index]
        before._kept, before._token = DecimatedHistory(self._kept.capacity, frames), object()
        return before

    def forget_before(self, index: int, where: NDArray[np.bool_]) -> None:
        """Let frames before one of an index show nothing of the scene at pixels (H, W): something else was there."""
        mask = PackedMask.of(where)
        for place, frame in enumerate(self._kept.items):
            if frame.index < index:
                self._kept.put(place, frame.without(mask))

    @property
    def n_frames(self) -> int:
        """How many frames a plate would be made of now."""
        return len(self._kept.items)

    def hidden(self) -> Hidden:
        """Return what hides the scene now, for `restore`."""
        masks = [frame.hidden for frame in self._kept.items]
        return Hidden(self._token, dict(zip(self._kept.numbers, masks, strict=True)))

    def restore(self, then: Hidden, where: NDArray[np.bool_]) -> None:
        """Let earlier frames count at pixels (H, W) as they did ``then``; nothing where that was another plate."""
        if then.plate is not self._token:
            return
        mask, now = PackedMask.of(where), self.hidden().masks
        self._set_hidden([hidden.replaced(then.masks.get(place, hidden), mask) for place, hidden in now.items()])

    def _set_hidden(self, masks: Sequence[PackedMask]) -> None:
        """Let frames be hidden by these masks, one for each, and by what shows nothing of the scene in any case."""
        for place, mask in enumerate(masks):
            self._kept.put(place, self._kept.items[place].hidden_by(mask))

    def _change(self, v: Values, before: Values) -> NDArray[np.uint8]:
        """Return how much the surroundings of each point of the grid (h, w) changed, grey levels."""
        now, then = (np.ascontiguousarray(luma_on(self._grid, self._layout, x)) for x in (v, before))
        return change_around(now, then, self._layout.contrast)

    def samples(self, background: Values) -> Values:
        """Return the plate (F,) in whole samples; places of which nothing is known show ``background`` (F,).

        It is in the light that is the middle of all its frames have, and so are these. It is the median of what masks
        let be seen, and of what else they agree on (`core.scene.plate_consensus`).
        """
        return self._agreed(background)[0] if self.n_frames else background.copy()

    def samples_and_noise(self, background: Values) -> tuple[Values, NDArray[np.float32]]:
        """Return the plate (F,), see `samples`, and its noise (H, W).

        The noise is the standard deviation from it of what it was made of: that of luma, or of green, which is most of
        it, in samples; 0 where nothing is known.
        """
        if not self.n_frames:
            return background.copy(), np.zeros(self._layout.shapes[0], np.float32)
        plate, shown = self._agreed(background)
        return plate, shown.noise(plate)

    def _agreed(self, background: Values) -> tuple[Values, PlateSamples]:
        """Return the plate (F,), in the light in the middle, and what it is made of."""
        frames, light = self._kept.items, self._light.middle([frame.back for frame in self._kept.items])
        heap.give_back()  # What is worked out needs other sizes than frames do.
        lit = [replace(frame, values=self._light.brought(frame.values, frame.back, light)) for frame in frames]
        shown = PlateSamples(self._layout, self._grid, frames, consensus(lit, self._layout, self._grid))
        return shown.median(self._light.brought(background, self._light.back(background), light)), shown

    def median_of_visible(self, background: Values) -> Values:
        """Return the median (F,) of what masks let be seen, which are the truth; else ``background`` (F,)."""
        return PlateSamples(self._layout, self._grid, self._kept.items).median(background)

    def sways(self, background: Values) -> NDArray[np.bool_] | None:
        """Return where the scene sways about a background (F,), see `core.scene.swaying`; None where few frames tell.

        On the grid (h, w) of `core.frames.coarse_grid`.
        """
        if self.n_frames < FEWEST:
            return None
        some = np.linspace(0, self.n_frames - 1, FEWEST).round().astype(np.intp)
        apart, alike = (round(share * self._layout.contrast) for share in (ALIKE, LIKENESS))
        grid = LookGrid(self._layout, self._grid)
        looks = [grid.look(self._kept.items[t].values) for t in some]
        return sways(grid.look(background), looks, self._layout.luma_index, apart, alike)

    def confidence(self) -> NDArray[np.float32]:
        """Return in what share of the frames kept (H, W), 0 to 1, nothing hid a pixel; 0: never revealed.

        Of a part that has changed, the frames since then count alone.
        """
        hidden = np.zeros(self._layout.shapes[0], np.float32)
        n_frames = np.full_like(hidden, self.n_frames)
        for frame in self._kept.items:
            hidden += frame.hidden.rows()
            n_frames -= 0 if frame.gone is None else frame.gone.rows()
        hidden -= self.n_frames - n_frames
        return np.where(n_frames > 0, 1 - hidden / np.maximum(n_frames, 1), 0)
