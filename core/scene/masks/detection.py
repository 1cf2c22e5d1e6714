"""What is foreground in one frame: found against a background and what is known of its cells, without learning."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.kernels import edges, regions
from core.runtime import bands
from core.scene.masks.cell_logits import CellLogits
from core.scene.masks.cells import CellGrid, Cells, Map
from core.scene.masks.ghosts import CHANGE
from core.scene.masks.head import Head, HeadEvidence, Verdict
from core.scene.masks.head_weights import Weights
from core.scene.masks.look_alikes import LookAlikes
from core.scene.masks.marks import Marks
from core.scene.masks.parameters import MaskSettings
from core.scene.masks.statistics import CellStatistics
from core.scene.masks.sway import discounted
from core.scene.tuning import DIFFERS, SURE

PULL = 2 * SURE
"""Logits by which a pixel that departs from the background is drawn towards the foreground, against its cell: as many
as there are between what is surely the one and surely the other. With 2 and 4, no sequence changes by over 0.003."""


@dataclass(frozen=True)
class Detection:
    """What was found in one frame, with all that learning from it needs.

    Attributes
    ----------
    mask : (H, W) uint8
        255 foreground, 0 background.
    covered : (H, W) uint8
        Not 0 in the mask, and where the frame surely shows foreground or shadow or lies next to it: nothing to learn a
        background from.
    may_hide : (H, W) uint8
        Not 0 where it does not surely show the scene, or lies next to that, and hangs together with the mask: the rim
        and the shadow of what was found. What is in doubt by itself is the passing shadow of a cloud, or a counter in
        the corner of the picture: nothing that was to go.
    cells : Cells
    verdict : Verdict
        What the head says of them, discounted where the background sways, with what strokes taught.
    hides : (h, w) float32
        Logit that a cell shows foreground or shadow, without what strokes taught.
    cell_side : int
        Rows and columns of pixels of a cell.
    """

    mask: NDArray[np.uint8]
    covered: NDArray[np.uint8]
    may_hide: NDArray[np.uint8]
    cells: Cells
    verdict: Verdict
    hides: Map
    cell_side: int

    @property
    def marks(self) -> Marks:
        """What was found, before people correct it."""
        return Marks(self.mask, self.covered, self.may_hide)

    @property
    def logits(self) -> CellLogits:
        """What the head says of the cells, as the verdict has it."""
        return CellLogits(self.verdict.foreground, self.cell_side)


def described(
    verdict: Verdict, evidence: HeadEvidence, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return what describes cells that the head looked at, (n, DESCRIBED): what it makes of them and goes by."""
    return np.concatenate([verdict.activations_at(rows, columns), evidence.features[:, rows, columns].T], axis=1)


class Detector:
    """Finds the foreground of frames of one layout; holds nothing that is learnt.

    Parameters
    ----------
    layout : Layout
    side : int, optional
        Rows and columns of pixels that a cell is asked to have; see `core.scene.masks.cells.side_of`.

    Attributes
    ----------
    grid : CellGrid
    """

    def __init__(self, layout: Layout, side: int | None = None) -> None:
        self._layout = layout
        self.grid = CellGrid(layout, side)
        self._head = Head(self.grid.shape)

    def measure(self, frame: Frame, background: Values) -> Cells:
        """Return the cells of a frame and of its background (F,)."""
        return self.grid.measure(frame.values, background)

    def evidence(
        self, cells: Cells, before: Map, known: CellStatistics, blocks: NDArray[np.uint8] | None = None
    ) -> HeadEvidence:
        """Return what the head goes by in a frame, or in some of its blocks; parameters as in `detect`."""
        return self._head.evidence(cells, before, known, blocks)

    def detect(
        self, cells: Cells, before: Map, known: CellStatistics, weights: Weights, settings: MaskSettings,
        taught: LookAlikes | None = None,
    ) -> Detection:  # fmt: skip
        """Return what is foreground in a frame.

        Parameters
        ----------
        cells : Cells
        before : (h, w) float32
            Luma of the frame before, grey levels.
        known : CellStatistics
        weights : Weights
        settings : MaskSettings
        taught : LookAlikes, optional
            By strokes.
        """
        verdict = self._head.judge(weights, cells, before, known)
        verdict = discounted(verdict, known.variance[0], known.typical_noise)
        if taught is not None:
            verdict = self._head.teach(taught, verdict, cells, before, known)
        # A place that a stroke took out of the mask, and where the head is sure, still teaches the background nothing.
        hides = np.maximum(verdict.untaught, verdict.shadow)
        logit = verdict.foreground if settings.without_shadows else np.maximum(verdict.foreground, verdict.shadow)
        mask, covered, may_hide, runs = self._at_pixels(logit, hides, cells, known.variance[0], settings.bar)
        regions.drop_small(
            runs, settings.smallest_region, settings.smallest_hole, _stays(logit, cells, before, settings), logit,
            self.grid.side, settings.doubt, mask, covered,
        )  # fmt: skip
        regions.drop_apart(hides, -SURE, mask, self.grid.side, may_hide)
        return Detection(mask, covered, may_hide, cells, verdict, hides, self.grid.side)

    def _at_pixels(
        self, logit: Map, hides: Map, cells: Cells, variance: Map, bar: np.float32
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.int32]]:
        """Return the mask (H, W) before it is cleaned, what is covered and what may be, and the runs of the mask."""
        mask, covered, may_hide = (np.empty((self._layout.height, self._layout.width), np.uint8) for _ in range(3))
        rows, side = logit.shape[0], self.grid.side
        refined = bands.rows(
            edges.refine_band, rows, mask.size, *cells.luma, side, self.grid.unit, logit, cells.shown[0],
            cells.expected[0], variance, DIFFERS, bar, PULL, mask,
        )  # fmt: skip
        covers = bands.rows(edges.cover_band, rows, mask.size, hides, SURE, -SURE, side, covered, may_hide)
        runs = [found for found in bands.all_of([*refined, *covers], mask.size) if found is not None]
        return mask, covered, may_hide, np.concatenate(runs, axis=1)


def _stays(logit: Map, cells: Cells, before: Map, settings: MaskSettings) -> NDArray[np.bool_]:
    """Return the cells whose regions stay at any size: what is surely foreground there was there in the frame before.

    Who walks far away covers most of where he was. A flake, a drop or a leaf does not, and may be as sure.
    """
    if settings.sure == np.inf:
        return np.zeros(logit.shape, np.bool_)
    return np.asarray((logit > settings.sure) & (np.abs(cells.shown[0] - before) < CHANGE))
