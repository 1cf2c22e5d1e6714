"""Frames that have moved against the scene, aligned with it; `core.session.camera_frame` brings back what is found."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Frame, Layout, Values
from core.frames.motion import AT_REST, NO_SHIFT, Motion, Shift
from core.frames.moved import fill_beyond, moved_values, moved_within, parts_beyond
from core.frames.split import Split
from core.scene.stabiliser import LOST_FRAMES, Stabiliser


def aligned(frame: Frame, background: Values | None) -> Frame:
    """Return a frame as it would be if the camera had not moved; itself, where it has not.

    Parameters
    ----------
    frame : Frame
        Shows the scene moved as ``frame.motion`` says.
    background : (F,) samples, or None
        Shown where the frame shows nothing of the scene; its border is repeated where there is none.
    """
    if frame.motion == AT_REST:
        return frame
    layout = frame.layout
    values = moved_values(layout, frame.values, frame.motion)
    if background is not None:
        fill_beyond(layout, values, frame.motion, background)
    return replace(frame, values=values, motion=AT_REST)


def unseen(frame: Frame, *, all_of_it: bool = False) -> NDArray[np.uint8] | None:
    """Return where (H, W) a frame shows nothing of the scene, in the coordinates of the scene: 255; None: nowhere.

    With ``all_of_it`` it shows none of it.
    """
    if all_of_it:
        return np.full(frame.layout.shapes[0], 255, np.uint8)
    if frame.motion == AT_REST:
        return None
    shape = frame.layout.shapes[0]
    out = np.zeros(shape, np.uint8)
    for part in parts_beyond(shape, frame.motion):
        out[part] = 255
    return out


def to_scene(where: NDArray[np.bool_] | None, frame: Frame) -> NDArray[np.bool_] | None:
    """Return pixels (H, W) of a frame as pixels of the scene."""
    if where is None or frame.motion == AT_REST:
        return where
    return moved_within(where, frame.motion)


def rebase(background: Values, frame: Frame, by: Shift) -> Values:
    """Return a background (F,) in coordinates that have moved, so that what had moved by ``by`` has not.

    Parameters
    ----------
    background : (F,) samples
    frame : Frame
        Its motion already counts in the new coordinates; it shows what comes into the picture.
    by : Shift
        Whole pixels, even.
    """
    back = Motion(by).back
    out = moved_values(frame.layout, background, back)
    fill_beyond(frame.layout, out, back, aligned(frame, None).values)
    return out


@dataclass(frozen=True)
class Rebased:
    """The scene in coordinates that have moved along with a camera that drifts.

    Attributes
    ----------
    background : (F,) samples
    by : Shift
        Whole pixels, even, by which everything lies lower and further right than before.
    before : (F,) samples
        The background in the coordinates before.
    """

    background: Values
    by: Shift
    before: Values


@dataclass(frozen=True)
class Aligned:
    """A frame, aligned with the scene.

    Attributes
    ----------
    camera : Frame
        As it came, with its motion.
    scene : Frame
        As it would be if the camera had not moved; where nothing is to be seen in it, the background as it is known.
    is_lost : bool
        It is nowhere near the scene, so that it teaches nothing.
    rebased : Rebased or None
        The scene, where its coordinates are others from this frame on.
    is_blank : bool
        Nothing is to be seen in it.
    """

    camera: Frame
    scene: Frame
    is_lost: bool
    rebased: Rebased | None
    is_blank: bool = False


class Aligner:
    """Finds how each frame has moved against the scene that is known.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    largest : float
        Largest shift, percent of the width; 0: frames are taken as they come.
    is_film : bool
        Frames show one scene after another, and the method need not be given each of them.
    """

    def __init__(self, layout: Layout, largest: float, *, is_film: bool = True) -> None:
        self._layout, self._is_film = layout, is_film
        self._stabiliser = Stabiliser(layout, largest)
        self._n_blank = 0

    def set_largest(self, largest: float) -> None:
        """Look for shifts up to ``largest`` percent of the width from the next frame on; 0: for none."""
        self._stabiliser.set_largest(largest)

    def align(
        self, frame: Frame, last: Split | None, *, learns: bool, begun: Values | None = None, is_known: bool = False
    ) -> Aligned:
        """Align the next frame.

        Parameters
        ----------
        frame : Frame
        last : Split or None
            Of the frame before: its background is what is known of the scene.
        learns : bool
            The scene may be given other coordinates, to follow a camera that drifts.
        begun : (F,) samples, optional
            The background where it is another from this frame on: no split shows it yet.
        is_known : bool
            An earlier pass has seen all of the scene: what shows nothing for long is no other one.
        """
        behind = self._behind(frame, last, begun)
        self._n_blank = 0 if behind is None else self._n_blank + 1
        if behind is not None and (is_known or self._n_blank <= LOST_FRAMES):
            return Aligned(frame, replace(frame, values=behind), is_lost=True, rebased=None, is_blank=True)
        known, rebased = self._known(last) if begun is None else begun, None
        if known is not None:
            frame = replace(frame, motion=self._stabiliser.find(frame.values, known))
            by = self._stabiliser.drift() if learns else NO_SHIFT
            if by != NO_SHIFT:
                frame = replace(frame, motion=frame.motion.rebased(by))
                before, known = known, rebase(known, frame, by)
                rebased = Rebased(known, by, before)
        return Aligned(frame, aligned(frame, known), self._stabiliser.is_lost, rebased)

    def look(self, frame: Frame, last: Split | None, begun: Values | None = None) -> Aligned:
        """Align a frame that is shown out of its turn, and take note of nothing; parameters as in `align`."""
        behind = self._behind(frame, last, begun)
        if behind is not None:
            return Aligned(frame, replace(frame, values=behind), is_lost=False, rebased=None, is_blank=True)
        known = self._known(last, begun)
        if known is not None:
            frame = replace(frame, motion=deepcopy(self._stabiliser).find(frame.values, known))
        return Aligned(frame, aligned(frame, known), is_lost=False, rebased=None)

    def aligned(self, frame: Frame, last: Split | None, begun: Values | None = None) -> Frame:
        """Return a frame whose motion is known as it would be if the camera had not moved."""
        return aligned(frame, self._known(last, begun))

    def _behind(self, frame: Frame, last: Split | None, begun: Values | None = None) -> Values | None:
        """Return the background as it is known where a frame shows nothing and that does, of films; else None."""
        if not self._is_film or not self._layout.is_blank(frame.values):
            return None
        behind = begun if begun is not None or last is None else last.samples(self._layout)
        return None if behind is None or self._layout.is_blank(behind) else behind

    def _known(self, last: Split | None, begun: Values | None = None) -> Values | None:
        """Return the background as it was last recovered, for methods whose frames are aligned with it."""
        if last is None or not self._stabiliser.largest:
            return None
        return last.samples(self._layout) if begun is None else begun
