"""What one frame showed, and the pictures that people make of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.events.event import SeenEvent
from core.frames.colour import ColourStandard
from core.frames.frame import Frame, Layout, Values
from core.frames.metrics import psnr_db
from core.frames.motion import AT_REST
from core.frames.moved import moved_values, moved_within
from core.frames.planar import PlanarPicture, alike
from core.frames.split import Split
from core.methods.base import WarmUp
from core.runtime.cached import cached
from core.scene.area_maps import AreaMaps
from core.scene.cleaning import Cleaning, clean
from core.scene.masks.cell_logits import CellLogits
from core.scene.masks.finish import MaskFinish
from core.scene.masks.matte import Matte, find_matte
from core.scene.masks.white_balance import in_balance_of
from core.session.phase import Iteration, Phase


@dataclass(frozen=True)
class Report:
    """Everything that a frame gave on its way down the path. Nothing in it is written again.

    Views and sinks take their pictures from here, so that what is shown is what is saved. All pictures have the
    original size and bit depth of the input, full range, grey (H, W) or RGB (H, W, 3).

    Attributes
    ----------
    frame : Frame
        At the working size; ``frame.full`` is the original.
    split : Split
    mask : (H, W) uint8
        255 foreground, 0 background, at the working size, before it is finished.
    pass_index, n_passes : int
        Which pass this is, from 0, of how many. The last one gives the results.
    n_done : int
        Frames processed in this pass, this one included; iterations, while a batch method iterates.
    n_frames : int or None
        Frames in a pass, where known: where somebody has sought in it those done before and those from there on.
        Iterations at most, while a batch method iterates.
    noise : float
        Scale of the noise, in units of white.
    stages_ms : dict
        Milliseconds for ``decode``, ``step`` and ``mask`` of this frame.
    figures : dict
        Further numbers to show. Where the clean image is known: ``psnr_noisy_db`` and ``psnr_db`` of this frame,
        ``relative_error`` so far in this pass. Where the mask is: ``f_measure``, ``precision``, ``recall`` so far.
    phase : Phase
    iteration : Iteration or None
        While a batch method iterates.
    warming : WarmUp or None
        While a method's start goes on.
    may_hide : (H, W) uint8, or None
        Not 0 where foreground or its shadow may hide the scene, at the working size, beside the mask, where it does;
        None: there alone.
    cleaning : Cleaning
        How the frame is cleaned.
    seen : tuple of SeenEvent
        The events that are seen in the frame, where what moves is followed; pixels of the original.
    logits : CellLogits or None
        What the mask's head says of each cell of the frame: above 0 it shows foreground rather than not. None where
        the method makes its own masks, and while a batch method gathers.
    finish : MaskFinish
        How mask and matte are finished, pixels of the original.
    areas : AreaMaps
        What people exclude: neither mask nor matte is there where nothing is foreground, however they are finished.
    painted : (H, W) uint8, or None
        255 where the mask is set because people painted foreground there; None: nowhere.
    is_image_set : bool
        Frames are taken for an image set: there is no scene that a cleaned frame could show.
    lit : (F,) samples, or None
        The background in the light of the frame, where that is other at once: masks are made with it. None: it is not.
    standard : ColourStandard or None
        What the samples of the input stand for, where it says so.
    is_scene_known : bool
        False where the frame seems to show a scene of which nothing is known yet: it is its own background.
    scene_first : int
        First frame of the scene that the frame shows, as far as the run knows; parts of it may have changed since.
    levels : (black, white) or None
        Samples between which the input is looked at where events are drawn into it; None: all.
    """

    frame: Frame
    split: Split
    mask: NDArray[np.uint8]
    pass_index: int
    n_passes: int
    n_done: int
    n_frames: int | None
    noise: float
    stages_ms: dict[str, float]
    figures: dict[str, float] = field(default_factory=dict)
    phase: Phase = Phase.LEARNING
    iteration: Iteration | None = None
    warming: WarmUp | None = None
    may_hide: NDArray[np.uint8] | None = None
    cleaning: Cleaning = field(default_factory=Cleaning)
    seen: tuple[SeenEvent, ...] = ()
    logits: CellLogits | None = None
    finish: MaskFinish = field(default_factory=MaskFinish)
    areas: AreaMaps = field(default_factory=AreaMaps)
    is_image_set: bool = False
    painted: NDArray[np.uint8] | None = None
    lit: Values | None = None
    standard: ColourStandard | None = None
    levels: tuple[int, int] | None = None
    is_scene_known: bool = True
    scene_first: int = 0

    @property
    def compared_with(self) -> Values:
        """The background (F,) that masks are made with: in the light of the frame, where that is other at once."""
        return self.split.samples(self.frame.layout) if self.lit is None else self.lit

    @cached
    def input_image(self) -> Values:
        """The frame as it came in."""
        return self.frame.full.image()

    @property
    def background(self) -> PlanarPicture:
        """``W h``, at the working size."""
        layout = self.frame.layout
        return PlanarPicture(self.split.samples(layout), layout)

    @cached
    def background_image(self) -> Values:
        """``W h`` as a picture."""
        return to_size(self.background.image, self.frame.full.layout)

    @cached
    def full_mask(self) -> NDArray[np.uint8]:
        """The finished mask at the original size: 255 foreground, 0 background."""
        return self.areas.only_foreground(self.finish.grown(self._found_mask))

    @property
    def foreground_share(self) -> float:
        """How many of the pixels of the mask, as it was found, are foreground: 0 to 1."""
        return np.count_nonzero(self.mask) / self.mask.size

    @property
    def finished_mask(self) -> NDArray[np.uint8]:
        """The finished mask at the working size."""
        finish = self.finish.scaled(self.mask.shape[0] / self.frame.full.layout.height)
        return self.areas.only_foreground(finish.grown(self.mask))

    @cached
    def _found_mask(self) -> NDArray[np.uint8]:
        return self._enlarged(self.mask)

    def _enlarged(self, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        full = self.frame.full.layout
        if mask.shape == (full.height, full.width):
            return mask
        soft = cv2.resize(mask, (full.width, full.height), interpolation=cv2.INTER_LINEAR)
        return np.where(soft > 127, np.uint8(255), np.uint8(0))

    @cached
    def cleaned(self) -> PlanarPicture:
        """The frame without foreground and shadows, in its own planes; samples away from them are untouched."""
        return self.cleaned_as(PlanarPicture.of(self.frame.full))

    def cleaned_as(self, frame: PlanarPicture) -> PlanarPicture:
        """Return the frame without foreground and shadows, given the frame at any size."""
        shown, plate = alike(frame, self.plate.resized(frame.layout.height, frame.layout.width))
        return clean(shown, plate, self.hidden, self.cleaning, self.noise, self.areas)

    @property
    def cleaned_image(self) -> Values:
        """The same as a picture; with video's planes a pixel has colour of its neighbours, two away at most."""
        return self.cleaned.image

    def scored(self) -> Report:
        """Return the report with ``psnr_cleaned_db`` among its figures, of the picture that is saved as cleaned.

        As it is where the clean image is not known, and while a batch method gathers.
        """
        full = self.frame.full
        if full.truth is None or full.truth.clean is None or self.phase is Phase.GATHERING:
            return self
        score = psnr_db(self.cleaned_image, full.layout.image(full.truth.clean), full.layout.white)
        return replace(self, figures={**self.figures, "psnr_cleaned_db": score})

    @property
    def hidden(self) -> NDArray[np.uint8]:
        """What cleaned frames replace, at the working size: not 0.

        That is all that may hide the scene, where that was seen; where the plate is a guess, the mask alone.
        """
        if self.may_hide is None:
            return self.mask
        seen, may_hide = self._seen_plate, self.may_hide
        if seen is not None:
            may_hide = np.asarray(cv2.bitwise_and(may_hide, self.cleaning.far_within(seen)), np.uint8)
        return np.asarray(cv2.bitwise_or(self.mask, may_hide), np.uint8)

    @property
    def _seen_plate(self) -> NDArray[np.bool_] | None:
        """Where (H, W) `plate` was to be seen, at the working size; None: everywhere."""
        seen, motion = self.cleaning.seen, self.frame.motion
        if motion == AT_REST:
            return seen
        everywhere = np.ones(self.mask.shape, np.bool_) if seen is None else seen
        return moved_within(everywhere, motion.back)

    @property
    def plate(self) -> PlanarPicture:
        """What is known of the scene behind, at the working size: the plate of the pass before, or ``W h``."""
        layout, motion, known = self.frame.layout, self.frame.motion, self.cleaning.plate
        if known is None:
            return self.background
        if motion == AT_REST:
            return known
        return PlanarPicture(moved_values(layout, known.samples, motion.back), layout)

    @cached
    def probability(self) -> NDArray[np.float32] | None:
        """How probable it is that each pixel (H, W) of the working size is foreground, 0 to 1, as the head sees it.

        Before edges, strokes and the sizes of regions have their say, cell by cell; None where no head was asked.
        """
        return None if self.logits is None else self.logits.probability(*self.mask.shape)

    @cached
    def foreground_image(self) -> Values:
        """The frame where the mask is set, black elsewhere."""
        # A tenth of the time of np.where, which matters at 30 frames a second.
        return np.asarray(cv2.copyTo(self.input_image, self.full_mask), self.input_image.dtype)

    @cached
    def matte(self) -> NDArray[np.uint8]:
        """How much of each pixel of the original the foreground covers: 255 all of it, 0 nothing."""
        return self.areas.only_foreground(self.finish.softened(self._edges.alpha))

    @property
    def deep_matte(self) -> NDArray[np.uint16]:
        """The same in 65535 steps."""
        return self.areas.only_foreground(self.finish.softened(self._edges.deep_alpha))

    @cached
    def foreground_rgba(self) -> Values:
        """(H, W, 4): the foreground with the matte as alpha, in the bit depth of the frame, not premultiplied."""
        return self._edges.cut_out(self.input_image, self.frame.full.layout.white, self.matte)

    @cached
    def _edges(self) -> Matte:
        full, known = self.frame.full.layout, in_balance_of(self.frame, self.compared_with)
        behind = to_size(PlanarPicture(known, self.frame.layout).image, full)
        coarse = max(1, round(full.height / self.mask.shape[0]))
        painted = None if self.painted is None else self._enlarged(self.painted)
        return find_matte(
            self.input_image, behind, self._found_mask, full.white, contrast=full.contrast,
            coarse=coarse, painted=painted,
        )  # fmt: skip


def to_size(picture: Values, full: Layout) -> Values:
    """Return a picture enlarged (or reduced) to the size of the original frames."""
    size = (full.width, full.height)
    if (picture.shape[1], picture.shape[0]) == size:
        return picture
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), picture.dtype)
