"""What people painted by hand: this is background, this is foreground; remembered by its look and kept to.

A painted pixel is known again by what it showed when it was painted, in every later frame and pass:

* painted as *background*, it leaves the mask wherever it shows that look; it is learnt from there once it has shown
  that for a while (`core.scene.masks.agreement`): what only passes is not what the background looks like;
* painted as *foreground*, it never teaches that look to anyone. From the frame it was painted on, or the first that is
  read after it, it is in the mask as long as it shows that look, until it has been without it, and out of the mask, for
  a while: then the thing has left. What is left of a stroke when most of it has gone is the scene, which looks like it
  there.

A frame shows the look where most of a stroke does: pixels here and there that are alike are something else.

What was painted for one frame or a span of them only corrects their masks, and is no look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Values
from core.scene.masks.agreement import agrees
from core.scene.masks.followed_strokes import FollowedStroke
from core.scene.masks.marks import Marks, MarksDraft
from core.scene.masks.painted_schema import load_strokes, painted_schema, state_of
from core.scene.masks.recoloured_strokes import load_recoloured
from core.scene.masks.stroke_room import too_many
from core.scene.masks.strokes import Pixels, Span, Stroke, cut, light_of
from core.state_schema import StateSchema

NO_FRAME = -1
"""Frame before the first that is read."""


class Corrections:
    """Remembers strokes, and applies them to what the mask stage found.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._followed: list[FollowedStroke] = []  # Replaced as a whole, never written to.
        self._before = NO_FRAME

    @property
    def strokes(self) -> tuple[Stroke, ...]:
        """What is remembered, the newest last."""
        return tuple(one.stroke for one in self._followed)

    def add(
        self,
        where: Pixels,
        frame: Frame,
        *,
        is_background: bool,
        frames: Span | None = None,
        agreed: NDArray[np.uint8] | None = None,
    ) -> Stroke | None:
        """Remember pixels (H, W) of a frame; what was painted there before is forgotten. None where there are none.

        With ``frames`` it is for these only. ``agreed`` (H, W) says for how many frames pixels that are painted as
        background have shown what they show; without it that is counted from now on.

        Raises
        ------
        CleanplateError
            There is no room for it (`core.scene.masks.stroke_room`); what is remembered stays as it is.
        """
        rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
        if not rows.size:
            return None
        box = (int(rows[0]) & ~1, int(rows[-1]) + 1, int(columns[0]) & ~1, int(columns[-1]) + 1)
        inside = where[box[0] : box[1], box[2] : box[3]].copy()
        look = tuple(plane.copy() for plane in cut(self._layout, frame.values, box))
        stroke = Stroke(is_background, frame.index, box, inside, look, light_of(self._layout, frame.values), frames)
        count = agreed[stroke.part].copy() if is_background and agreed is not None else None
        earlier = [one.without(stroke) for one in self._followed]
        followed = _not_empty([*earlier, FollowedStroke.begun(stroke, is_held=True, count=count)])
        if reason := too_many(self._layout, ((one.stroke.where.size, one.stroke.frames) for one in followed)):
            way = "let it hold for a span or this frame" if frames is None else "forget all"
            raise CleanplateError(f"This stroke is left out: {reason}; undo others, or {way}.")
        self._followed = followed
        return stroke

    @contextmanager
    def all_or_none(self) -> Iterator[None]:
        """Remember all that is added meanwhile or, where one stroke is refused, nothing of it."""
        before = self._followed
        try:
            yield
        except CleanplateError:
            self._followed = before
            raise

    def restore(self, strokes: tuple[Stroke, ...]) -> None:
        """Restore an earlier list of strokes; hold its foreground strokes again.

        For how long strokes that stay have agreed with what is seen is known on.
        """
        known = {id(one.stroke): one.count for one in self._followed if one.stroke.is_background}
        self._follow([FollowedStroke.begun(one, is_held=True, count=known.get(id(one))) for one in strokes])

    def begin_pass(self) -> None:
        """Hold foreground strokes again only from the frames on that they were painted on: frames begin anew.

        Those that were painted before the first frame that comes are held from there on.
        """
        self._follow([FollowedStroke.begun(one, is_held=False) for one in self.strokes])
        self._before = NO_FRAME

    def move(self, down: int, right: int) -> None:
        """Remember everything so many pixels (even) lower and further right, counts too: nothing else has changed."""
        self._follow([one.moved(down, right, self._layout) for one in self._followed])

    def _follow(self, strokes: Sequence[FollowedStroke]) -> None:
        """Remember these, as far as there is anything of them, and no others."""
        self._followed = _not_empty(strokes)

    def apply(self, frame: Frame, marks: Marks, noise: float) -> Marks:
        """Correct the marks of the next frame by the strokes, and update what is held.

        Parameters
        ----------
        frame : Frame
        marks : Marks
            As found; left as they are.
        noise : float
            Scale of the noise, units of white.
        """
        corrected, self._followed = self._corrected(frame, marks, noise)
        self._before = frame.index
        return corrected

    def preview(self, frame: Frame, marks: Marks, noise: float, *, is_alone: bool = False) -> Marks:
        """Return what `apply` would, and take note of nothing: a frame that is held is looked at often.

        With ``is_alone`` it follows none of the frames that were seen: what shows a look that was painted as background
        is it, for however long it has been shown.
        """
        return self._corrected(frame, marks, noise, is_alone=is_alone)[0]

    def _corrected(
        self, frame: Frame, marks: Marks, noise: float, *, is_alone: bool = False
    ) -> tuple[Marks, list[FollowedStroke]]:
        """Return the marks as people want them, and the strokes as the frame leaves them."""
        if not self._followed:
            return marks, self._followed
        draft = MarksDraft(marks)
        followed = [
            self._corrected_by_look(one, frame, draft, noise, is_alone=is_alone) if one.stroke.frames is None else one
            for one in self._followed
        ]
        for stroke in self.strokes:
            if stroke.holds_on(frame.index):
                draft.set(stroke)
        return draft.marks(), followed

    def _corrected_by_look(
        self, one: FollowedStroke, frame: Frame, draft: MarksDraft, noise: float, *, is_alone: bool
    ) -> FollowedStroke:
        """Correct the draft where a frame shows the look of a stroke, and return that as the frame leaves it."""
        stroke, part = one.stroke, one.stroke.part
        alike = stroke.shows(self._layout, frame.values, noise)
        shown = one.shown(alike)
        if stroke.is_background:
            one = one.after_seen(shown)
            draft.show_background(part, shown, shown if is_alone else shown & agrees(one.count))
            return one
        if frame.index == stroke.index or self._before < stroke.index < frame.index:
            one = FollowedStroke.begun(stroke, is_held=True)
        one = one.after_gone(~alike & (draft.mask[part] == 0))
        draft.show_foreground(part, shown, one.held)
        return one

    @property
    def _known_by_look(self) -> list[Stroke]:
        """Strokes that are for every frame."""
        return [stroke for stroke in self.strokes if stroke.frames is None]

    def allowed(self, values: Values, known: Values, where: Pixels, noise: float) -> Pixels:
        """Return the pixels (H, W) at which a background (F,) may replace what is known: not against what was painted.

        What is ``known`` (F,) stays where it shows what was painted as background, and a look that was painted as
        foreground is none.
        """
        where = where.copy()
        for stroke in self._known_by_look:
            where[stroke.part] &= ~stroke.shows(self._layout, known if stroke.is_background else values, noise)
        return where

    def shown_as_foreground(self, values: Values, noise: float) -> Pixels:
        """Return where (H, W) a frame (F,) shows what was painted as foreground."""
        found = np.zeros((self._layout.height, self._layout.width), bool)
        for stroke in self._known_by_look:
            if not stroke.is_background:
                found[stroke.part] |= stroke.shows(self._layout, values, noise)
        return found

    @staticmethod
    def schema(layout: Layout) -> StateSchema:
        """Return what `state` may give."""
        return painted_schema(layout)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what is remembered, as arrays for a model; none where nothing is. May be called from any thread."""
        return state_of(self.strokes, self._layout)

    def load(self, state: Mapping[str, NDArray[np.generic]], decoded: Layout | None = None) -> bool:
        """Remember what `state` gave; the bit depth may differ, and planes where frames can be had in both.

        ``decoded`` is the layout of the frames as the input gives them. Return False where it has strokes in colour for
        grey or the other way, or of another size, which are left out.
        """
        strokes = load_strokes(state, self._layout) or load_recoloured(state, self._layout, decoded)
        if strokes:
            # Held from the frame on which each was painted, or the first that comes after it: work may go on there.
            self._follow([FollowedStroke.begun(one, is_held=False) for one in strokes])
        return len(strokes) == len(state.get("painted_strokes", ()))


def _not_empty(strokes: Sequence[FollowedStroke]) -> list[FollowedStroke]:
    """Return the strokes of which there is anything."""
    return [one for one in strokes if one.stroke.where.any()]
