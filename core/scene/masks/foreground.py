"""From what a background leaves of a frame to a clean mask, and from masks to what is known of the scene.

`Foreground.detect` says what one frame shows, and learns nothing; `Foreground.update` learns from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.kernels.cell_features import BLOCK
from core.parameter import Value
from core.runtime import bands
from core.scene.masks.cells import COST, CellGrid, Cells, Map
from core.scene.masks.detection import Detection, Detector, described
from core.scene.masks.finish import MaskFinish
from core.scene.masks.ghosts import Ghosts
from core.scene.masks.head import HeadEvidence
from core.scene.masks.head_weights import Weights, shipped
from core.scene.masks.highlights import Highlights
from core.scene.masks.lessons import MOST_LESSONS, Lesson, SeenCells, lesson_of, with_one_rest
from core.scene.masks.lessons_schema import lessons_schema, load_lessons
from core.scene.masks.look_alikes import LookAlikes, learnt
from core.scene.masks.parameters import MaskSettings, asked_side
from core.scene.masks.recent import EVERY, RecentCells, chosen
from core.scene.masks.shifts import count_shifts
from core.scene.masks.statistics import CellStatistics
from core.scene.masks.white_balance import WhiteBalance
from core.state_schema import StateSchema


class Foreground:
    """Turns frames and their backgrounds into masks, and learns each cell's noise where nothing hides it.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    values : mapping
        A value for each of `core.scene.masks.parameters.MASK_PARAMETERS`.
    weights : Weights, optional
        Of the head; those that come with the program unless others are tried.

    Attributes
    ----------
    lacks_noise : bool
        What was loaded is of an earlier version, or of cells of another size, and says nothing of the noise: it has to
        be learnt.
    """

    def __init__(self, layout: Layout, values: Mapping[str, Value], weights: Weights | None = None) -> None:
        self._layout = layout
        self._values = dict(values)
        self._settings = MaskSettings.of(values, layout)
        self._detector = Detector(layout, self._settings.cell_side)
        self._known = CellStatistics(self._detector.grid)
        self._highlights = Highlights(layout, self._detector.grid)
        self._balance = WhiteBalance(layout, self._detector.grid)
        self._ghosts = Ghosts(self._detector.grid.shape, self._detector.grid.side)
        self._weights = weights or shipped()
        self._lessons: tuple[Lesson, ...] = ()
        self._taught: LookAlikes | None = None
        self._recent = RecentCells()
        self._last: tuple[int, Map, Map] | None = None
        self.lacks_noise = False

    @property
    def noise(self) -> float:
        """Typical noise scale of luma, units of white."""
        return self._known.typical_noise / float(self._detector.grid.unit) / self._layout.white

    @property
    def cells(self) -> tuple[int, int]:
        """Rows and columns of cells."""
        return self._detector.grid.shape

    @property
    def cell_side(self) -> int:
        """Rows and columns of pixels of a cell."""
        return self._detector.grid.side

    @property
    def n_learnt(self) -> int:
        """Frames that were learnt from; many where a model was loaded."""
        return self._known.n_learnt

    @property
    def follows_changes(self) -> bool | None:
        """Whether what changes at once and stays is the scene from then on; None: it is to be judged."""
        return self._settings.follows_changes

    @property
    def ages(self) -> NDArray[np.uint16]:
        """For how many frames each cell (h, w) has differed from the background and been still; written again later."""
        return self._ghosts.ages

    def take_as_background(self, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Take cells (h, w) that differ for background from now on; return their pixels (H, W), as `update` does."""
        self._ghosts.ages[cells] = 0
        self._highlights.forget(cells.view(np.uint8))
        return self.at_pixels(cells)

    def at_pixels(self, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the pixels (H, W) of cells (h, w)."""
        return self._detector.grid.at_pixels(cells.view(np.uint8)).view(np.bool_)

    def cover(self) -> Map:
        """Return the share of the last frames in which foreground covers each pixel (H, W)."""
        return self._detector.grid.at_pixels(self._known.cover)

    def begin_noise(self, scale: NDArray[np.float32], sways: NDArray[np.bool_] | None = None) -> None:
        """Go on from noise about a background that is known better now: see `CellStatistics.begin_noise`."""
        self._known.begin_noise(scale, sways)

    def begin_scene(self) -> None:
        """Go on in another scene, of which no plate is known."""
        self._known.forget_plate()
        self._highlights.forget()

    def in_scene(self, scale: NDArray[np.float32] | None, sways: NDArray[np.bool_] | None = None) -> Foreground:
        """Return what finds foreground in another scene, to look at frames of it; nothing here changes by it.

        Parameters
        ----------
        scale, sways
            See `core.scene.masks.statistics.CellStatistics.begin_noise`; None: no plate of the scene is known.
        """
        there = copy(self)
        there._known, there._highlights = deepcopy(self._known), deepcopy(self._highlights)
        there.begin_scene()
        if scale is not None:
            there.begin_noise(scale, sways)
        return there

    def begin_pass(self) -> None:
        """Compare the next frame with none before: frames begin anew."""
        self._last = None

    def move(self, down: int, right: int) -> None:
        """Go on with all that was learnt so many pixels (even) lower and further right; the border is repeated."""
        self._last = None
        self._known.move(down, right)
        self._highlights.move(down, right)
        self._ghosts = Ghosts(self._detector.grid.shape, self._detector.grid.side)

    def set(self, name: str, value: Value) -> None:
        """Change a parameter from the next frame on."""
        self._values[name] = value
        self._settings = MaskSettings.of(self._values, self._layout)

    @property
    def finish(self) -> MaskFinish:
        """How masks are to be finished by whoever shows or saves them; those that are found here are not."""
        return self._settings.finish

    @property
    def automatic(self) -> Mapping[str, float]:
        """What stands for parameters that are automatic, by name."""
        return {"smallest": self._settings.smallest_region, "holes": self._settings.smallest_hole}

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """What strokes taught, the newest last."""
        return self._lessons

    def lesson(
        self, frame: Frame, background: Values, painted: NDArray[np.bool_], rest: NDArray[np.bool_], *,
        is_foreground: bool, may_stay: bool, is_alone: bool = False,
    ) -> Lesson | None:  # fmt: skip
        """Return what a stroke teaches, for `teach`; None where there was nothing to look at.

        Parameters
        ----------
        frame : Frame
            That was painted on.
        background : (F,) samples
            As it is recovered for it.
        painted, rest : (H, W) bool
            What was painted, and of what nobody said anything in that frame.
        is_foreground : bool
        may_stay : bool
            It is not known for how long the frame has shown what was painted.
        is_alone : bool
            As in `detect`.
        """
        found = self.detect(frame, background, is_alone=is_alone)
        verdict, before = found.verdict, self._before_or(frame.index, found.cells, is_alone=is_alone)
        evidence = self._detector.evidence(found.cells, before, self._known, verdict.active)
        where = verdict.looked_at
        of_cells = described(verdict, evidence, *np.nonzero(where))
        seen = SeenCells(of_cells, verdict.untaught[where], verdict.foreground[where])
        cells = [self._detector.grid.mostly(part)[where] for part in (painted, rest)]
        return lesson_of(
            seen, cells[0], cells[1], self._recent.sample(self._taught), is_foreground=is_foreground, index=frame.index,
            may_stay=may_stay,
        )  # fmt: skip

    def teach(self, lessons: Sequence[Lesson]) -> None:
        """Find foreground from now on as these lessons teach, and no others; the oldest of very many are forgotten."""
        self._lessons = tuple(with_one_rest(lessons))[-MOST_LESSONS:]
        self._taught = learnt(self._lessons)

    def load_lessons(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Find foreground as lessons of an earlier run teach; those of another size or another head are none."""
        self.teach(load_lessons(state, self._layout, self._weights))

    @staticmethod
    def schema(layout: Layout, values: Mapping[str, Value]) -> StateSchema:
        """Return what `state` gives, with what strokes taught, where the head is the shipped one.

        Parameters
        ----------
        layout, values
            As it was made with.
        """
        grid = CellGrid(layout, asked_side(values))
        return CellStatistics.schema(grid).joined(Highlights.schema(grid)).joined(lessons_schema(layout))

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return copies of what was learnt."""
        return self._known.state() | self._highlights.state()

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> None:
        """Go on from a state of the same layout; the bit depth may differ. See `lacks_noise` for others."""
        self.lacks_noise = not self._known.load(state)
        self._highlights.load(state)

    def detect(self, frame: Frame, background: Values, *, is_alone: bool = False) -> Detection:
        """Return what is foreground in a frame, as parameters and noise are now; nothing here changes by it.

        Parameters
        ----------
        frame : Frame
            At the working size.
        background : (F,) samples
            As it was recovered for it, or in its light.
        is_alone : bool
            It follows none of the frames that were seen.
        """
        cells = self._measure(frame, background)
        before = self._before_or(frame.index, cells, is_alone=is_alone)
        return self._detector.detect(cells, before, self._known, self._weights, self._settings, self._taught)

    def evidence(self, frame: Frame, background: Values) -> HeadEvidence:
        """Return what `detect` would go by in a frame: what the head is trained on. Nothing here changes by it."""
        cells = self._measure(frame, background)
        return self._detector.evidence(cells, self._before_or(frame.index, cells), self._known)

    def _measure(self, frame: Frame, background: Values) -> Cells:
        cells, variance = self._detector.measure(frame, background), self._known.variance[0]
        balanced = self._balance.balanced(cells, background)
        if balanced is not None:
            background, cells = balanced, self._detector.measure(frame, balanced)
        cells = self._highlights.lifted(cells, frame.values, background, variance)
        if self._known.deviation is not None:
            count_shifts(cells, self._known.deviation, variance)
        return cells

    def _before_or(self, index: int, cells: Cells, *, is_alone: bool = False) -> Map:
        before = None if is_alone else self._before(index)
        return cells.expected[0] if before is None else before

    def _before(self, index: int) -> Map | None:
        """Return luma of the frame before that of an index; a frame that is looked at again has the one it had.

        None where there was none, or nothing is learnt: what differs from the background is taken to have moved.
        """
        if self._last is None:
            return None
        last, newest, older = self._last
        return older if last == index else newest

    def update(
        self,
        found: Detection,
        index: int,
        unseen: NDArray[np.uint8] | None = None,
        sure: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.bool_] | None:
        """Learn noise, unrest, and for how long foreground has been still.

        Parameters
        ----------
        found : Detection
            What `detect` found in the next frame.
        index : int
            Of the frame.
        unseen : (H, W) uint8, optional
            Not 0 where the frame shows nothing of the scene: nothing to learn noise from.
        sure : (H, W) bool, optional
            Where the background is known to be there for most of the time.

        Returns
        -------
        revealed : (H, W) bool, or None
            Pixels of the frame that were foreground and have turned out to be background; the method overwrites
            its own with them.
        """
        cells, side = found.cells, self._detector.grid.side
        if self.n_learnt % EVERY == 0:
            self._keep_some(found, index)
        before = self._before(index)
        self._last = index, cells.shown[0], cells.expected[0] if before is None else before
        before = cells.shown[0] if before is None else before
        hidden = None if unseen is None else np.ascontiguousarray(unseen[::side, ::side])
        learning, differs = self._known.learning(cells, before, found.hides, hidden)
        bands.all_of(bands.in_turn(learning, self._ghosts.ageing(cells, differs)), COST * differs.size)
        self._highlights.learn(cells, differs, hidden)
        known = None if sure is None else sure[::side, ::side]
        revealed = self._ghosts.follow(cells, differs, self._settings.static_frames, known)
        if revealed is None:
            return None
        self._highlights.forget(revealed)
        return self._detector.grid.at_pixels(revealed).view(np.bool_)

    def _keep_some(self, found: Detection, index: int) -> None:
        """Keep a few cells of what `detect` just found, for strokes to come."""
        verdict, cells = found.verdict, found.cells
        rows, columns = chosen(verdict.active, verdict.untaught.shape, self.n_learnt // EVERY)
        blocks = np.zeros_like(verdict.active)
        blocks[rows // BLOCK, columns // BLOCK] = 1
        evidence = self._detector.evidence(cells, self._before_or(index, cells), self._known, blocks)
        self._recent.offer(
            described(verdict, evidence, rows, columns),
            verdict.untaught[rows, columns], int(np.count_nonzero(verdict.looked_at)),
        )  # fmt: skip

    def frames_still(self, index: int) -> NDArray[np.uint16] | None:
        """Return for how many frames each pixel (H, W) of a frame has differed from the background and been still.

        0 where it does not differ; None where the frame of that index is not the one that was learnt from last.
        """
        is_newest = self._last is not None and self._last[0] == index
        return self._detector.grid.at_pixels(self._ghosts.ages) if is_newest else None
