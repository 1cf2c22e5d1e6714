"""What a mask taught, passed on: to the method, to the plate, to what is remembered of still looks and of strokes."""

from __future__ import annotations

import weakref

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Shift, Values
from core.frames.split import MaskedSplit, Split
from core.methods.base import Method
from core.scene.clean_plate import Plate
from core.scene.illumination import Relight
from core.scene.masks.corrections import Marks
from core.scene.masks.foreground import Foreground
from core.scene.stillest_samples import StillFrames
from core.session.stroke_history import ByHand


class Guide:
    """Makes the mask of each frame, and tells all who learn from it what hides the background and what belongs to it.

    Parameters
    ----------
    layout : Layout
        Of the frames, in line with the scene.
    method : Method
    foreground : Foreground
        Makes the masks of methods that make none.
    learning : bool
        Without it a model is applied, and nothing teaches the method.
    makes_masks : bool
        The method makes its own masks: nothing found here then touches what it learns.

    Attributes
    ----------
    by_hand : ByHand
        What people painted.
    """

    def __init__(
        self, layout: Layout, method: Method, foreground: Foreground, *, learning: bool, makes_masks: bool
    ) -> None:
        self._layout, self._method, self._foreground = layout, method, foreground
        self._learning, self._makes_masks = learning, makes_masks
        self._still = StillFrames(layout)
        self._relight = Relight(layout)
        self._plate = Plate(layout)
        # Weak: a circle would hold all that is kept until the interpreter looks for circles, or for ever. A method of
        # the proxy would be one of the guide itself.
        me = weakref.proxy(self)

        def adopt(values: Values, where: NDArray[np.bool_]) -> None:
            me._adopt_by_hand(values, where)

        self.by_hand = ByHand(layout, lambda frame: method.transform(frame.values), adopt, lambda: me._plate)

    def begin_pass(self) -> None:
        """Begin with a new plate: each pass has one of its own."""
        self._plate = Plate(self._layout)

    def mask(
        self, frame: Frame, split: Split, unseen: NDArray[np.uint8] | None = None, *, learns: bool
    ) -> NDArray[np.uint8]:
        """Return the mask of a frame (H, W), 255 and 0, and let all who learn from it know.

        Parameters
        ----------
        frame : Frame
            In line with the scene.
        split : Split
            What the method made of it.
        unseen : (H, W) uint8, optional
            Not 0 where the frame shows nothing of the scene.
        learns : bool
            Without it only the plate takes note.
        """
        corrections = self.by_hand.corrections
        if isinstance(split, MaskedSplit):
            marks = corrections.apply(frame, Marks(split.mask, split.mask, None), self._foreground.noise)
            self._plate.offer(frame.values, marks.covered, None)
            return marks.mask
        mask = self._foreground.apply(frame, split, learn=learns, unseen=unseen)
        marks = Marks(mask, self._foreground.covered, self._foreground.revealed)
        marks = corrections.apply(frame, marks, self._foreground.noise)
        self._plate.offer(frame.values, marks.covered if unseen is None else marks.covered | unseen, marks.revealed)
        if learns:
            self._pass_on(frame, split.samples(self._layout), marks)
        return marks.mask

    def _pass_on(self, frame: Frame, background: Values, marks: Marks) -> None:
        """Let the method know what hides the background, and what turned out to belong to it."""
        self._method.exclude_pixels(marks.covered)
        lit = self._relight.offer(frame.values, background, marks.covered)
        if lit is not None:
            self._method.overwrite_background(lit, np.ones(self._layout.n_values, np.bool_))
            self._still = StillFrames(self._layout)  # It kept looks in another light.
        if marks.revealed is not None:
            self._method.overwrite_background(frame.values, self._layout.spread(marks.revealed))
        if self._still.offer(frame.values):
            self.take_still_looks(background)

    def take_still_looks(self, background: Values) -> None:
        """Replace what is in doubt of the background (F,) by what its pixels show when all is still."""
        if self._makes_masks:
            return
        better = self._still.better(background, self._foreground.noise_scale())
        if better is None:
            return
        values, where = better
        where = self.by_hand.corrections.allowed(values, where, self._foreground.noise)
        self._method.overwrite_background(values, self._layout.spread(where))
        self._plate.discard(where)

    def tell_anew(self, background: Values, by: Shift) -> None:
        """Go on in a scene told from elsewhere, as the camera has wandered.

        Parameters
        ----------
        background : (F,) samples
            Told from there.
        by : Shift
            Whole pixels, even, by which all now lies lower and further right.
        """
        down, right = round(by.down), round(by.right)
        self._foreground.move(down, right)
        self._method.overwrite_background(background, np.ones(self._layout.n_values, np.bool_))
        self._method.exclude_pixels(self._foreground.covered)
        self.by_hand.move(down, right)
        self._still, self._relight, self._plate = StillFrames(self._layout), Relight(self._layout), Plate(self._layout)

    def hide_painted(self) -> None:
        """Let earlier frames not count to the plate where they show what was painted as foreground."""
        noise = self._foreground.noise
        self._plate.hide(lambda values: self.by_hand.corrections.shown_as_foreground(values, noise))

    def plate(self, background: Values) -> Values:
        """Return the clean plate (F,) of the pass; see `core.session.session.Session.plate`."""
        if self._makes_masks:
            return background
        plate = self._plate.samples(background)
        return self._still.mend(plate, self._plate.noise(plate))

    def confidence(self) -> NDArray[np.float32]:
        """Return how often each pixel (H, W) of the plate was seen, 0 (never) to 1 (always)."""
        return self._plate.confidence()

    def _adopt_by_hand(self, values: Values, where: NDArray[np.bool_]) -> None:
        if self._learning:
            self._method.overwrite_background(values, self._layout.spread(where))
            self._plate.discard(where)
