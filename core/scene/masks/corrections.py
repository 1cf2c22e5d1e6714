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

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Plane
from core.frames.frame import Frame, Layout, Values
from core.scene.masks.agreement import agrees
from core.scene.masks.painted_schema import painted_schema
from core.scene.masks.strokes import Pixels, Span, Stroke, cut, light_of, shapes_in
from core.scene.surroundings import MAJORITY
from core.scene.tuning import SETTLED_FRAMES
from core.state_schema import StateSchema

MOST = 100
"""Strokes remembered; beyond, the oldest is forgotten."""

NO_FRAME = -1
"""Frame before the first that is read."""

ALL: Span = (-1, -1)
"""How a file says that a stroke holds for all frames."""


@dataclass(frozen=True)
class Marks:
    """What the mask stage found of a frame.

    Attributes
    ----------
    mask, covered, may_hide : (H, W) uint8
        See `core.scene.masks.detection.Detection`.
    revealed : (H, W) bool, or None
        See `core.scene.masks.foreground.Foreground.update`.
    painted : (H, W) uint8, or None
        255 where the mask is set because people painted foreground there; None: nowhere.
    """

    mask: NDArray[np.uint8]
    covered: NDArray[np.uint8]
    may_hide: NDArray[np.uint8]
    revealed: Pixels | None = None
    painted: NDArray[np.uint8] | None = None

    def without(self, never: Pixels | None) -> Marks:
        """Return them with background where (H, W) nothing is ever foreground; themselves where that is nowhere."""
        if never is None:
            return self
        mask, covered, may_hide = self.copies()
        mask[never] = covered[never] = may_hide[never] = 0
        return Marks(mask, covered, may_hide, self.revealed, self.painted)

    def copies(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
        """Return copies of what is marked, to be changed."""
        return self.mask.copy(), self.covered.copy(), self.may_hide.copy()


class Corrections:
    """Remembers strokes, and applies them to what the mask stage found.

    Parameters
    ----------
    layout : Layout
        Of the frames.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._strokes: list[Stroke] = []
        self._held: list[Pixels] = []
        self._counted: list[NDArray[np.uint8]] = []
        self._before = NO_FRAME

    @property
    def strokes(self) -> tuple[Stroke, ...]:
        """What is remembered, the newest last."""
        return tuple(self._strokes)

    @property
    def _known_by_look(self) -> list[tuple[int, Stroke]]:
        """Strokes that are for every frame, and their places in the list."""
        return [(k, stroke) for k, stroke in enumerate(self._strokes) if stroke.frames is None]

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
        """
        rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
        if not rows.size:
            return None
        box = (int(rows[0]) & ~1, int(rows[-1]) + 1, int(columns[0]) & ~1, int(columns[-1]) + 1)
        inside = where[box[0] : box[1], box[2] : box[3]].copy()
        look = tuple(plane.copy() for plane in cut(self._layout, frame.values, box))
        stroke = Stroke(is_background, frame.index, box, inside, look, light_of(self._layout, frame.values), frames)
        counted = np.zeros(inside.shape, np.uint8)
        if is_background and agreed is not None:
            counted = agreed[stroke.part].copy()
        self._remember(
            [*(old.without(stroke) for old in self._strokes), stroke],
            [*self._held, np.ones(inside.shape, bool)],
            [*self._counted, counted],
        )
        return stroke

    def restore(self, strokes: tuple[Stroke, ...]) -> None:
        """Restore an earlier list of strokes; hold its foreground strokes again.

        For how long strokes that stay have agreed with what is seen is known on.
        """
        known = {id(one): n for one, n in zip(self._strokes, self._counted, strict=True) if one.is_background}
        counted = [known.get(id(one), np.zeros(one.where.shape, np.uint8)) for one in strokes]
        self._remember(list(strokes), [np.ones(one.where.shape, bool) for one in strokes], counted)

    def begin_pass(self) -> None:
        """Hold foreground strokes again only from the frames on that they were painted on: frames begin anew.

        Those that were painted before the first frame that comes are held from there on.
        """
        self._remember(self._strokes, [np.zeros(one.where.shape, bool) for one in self._strokes])
        self._before = NO_FRAME

    def move(self, down: int, right: int) -> None:
        """Remember everything so many pixels (even) lower and further right, counts too: nothing else has changed."""
        way = down, right, self._layout
        held = [one.kept_of(hold, *way) for one, hold in zip(self._strokes, self._held, strict=True)]
        counted = [one.kept_of(count, *way) for one, count in zip(self._strokes, self._counted, strict=True)]
        self._remember([one.moved(*way) for one in self._strokes], held, counted)

    def _remember(
        self, strokes: list[Stroke], held: list[Pixels], counted: list[NDArray[np.uint8]] | None = None
    ) -> None:
        counted = counted or [np.zeros(one.where.shape, np.uint8) for one in strokes]
        every = zip(strokes, held, counted, strict=True)
        kept = [(one, one.where & hold, count) for one, hold, count in every if one.where.any()][-MOST:]
        self._strokes, self._held = [one for one, _, _ in kept], [hold for _, hold, _ in kept]
        self._counted = [count for _, _, count in kept]

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
        corrected, self._held, self._counted = self._corrected(frame, marks, noise)
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
    ) -> tuple[Marks, list[Pixels], list[NDArray[np.uint8]]]:
        """Return the marks as people want them, and what then is held of each stroke, and its counts.

        Of each pixel, frames in a row: for which foreground has been away, or background has shown its look.
        """
        if not self._strokes:
            return marks, self._held, self._counted
        held, counted = self._held[:], self._counted[:]
        mask, covered, may_hide = marks.copies()
        painted = np.zeros_like(mask)
        revealed = np.zeros(mask.shape, bool) if marks.revealed is None else marks.revealed.copy()
        for k, stroke in self._known_by_look:
            part, alike = stroke.part, stroke.shows(self._layout, frame.values, noise)
            whole = stroke.where if stroke.is_background or not held[k].any() else held[k]
            is_there = np.count_nonzero(alike & whole) >= MAJORITY * np.count_nonzero(whole)
            same = alike & is_there
            if stroke.is_background:
                counted[k] = np.where(same, np.minimum(counted[k], 254) + 1, 0).astype(np.uint8)
                is_scene = same if is_alone else same & agrees(counted[k])
                revealed[part] |= is_scene & (mask[part] > 0)
                for plane in (mask, may_hide, painted):  # It is shown, learnt or not.
                    np.copyto(plane[part], 0, where=same)
                np.copyto(covered[part], 0, where=is_scene)
                continue
            if frame.index == stroke.index or self._before < stroke.index < frame.index:
                held[k], counted[k] = stroke.where.copy(), np.zeros(same.shape, np.uint8)
            gone = ~alike & (mask[part] == 0)
            counted[k] = np.where(gone, np.minimum(counted[k], 254) + 1, 0).astype(np.uint8)
            held[k] = held[k] & (counted[k] < SETTLED_FRAMES)
            if np.count_nonzero(held[k]) < MAJORITY * np.count_nonzero(stroke.where):
                held[k] = np.zeros_like(held[k])  # What is left is the scene, which looks like it.
            for plane in (mask, painted):
                np.copyto(plane[part], 255, where=same & held[k])
            for plane in (covered, may_hide):
                np.copyto(plane[part], 255, where=same)
            revealed[part] &= ~same
        for stroke in self._strokes:
            if stroke.holds_on(frame.index):
                for plane in (mask, covered, may_hide, painted):
                    np.copyto(plane[stroke.part], 0 if stroke.is_background else 255, where=stroke.where)
        told = revealed if revealed.any() else None
        return Marks(mask, covered, may_hide, told, painted if painted.any() else None), held, counted

    def allowed(self, values: Values, known: Values, where: Pixels, noise: float) -> Pixels:
        """Return the pixels (H, W) at which a background (F,) may replace what is known: not against what was painted.

        What is ``known`` (F,) stays where it shows what was painted as background, and a look that was painted as
        foreground is none.
        """
        where = where.copy()
        for _, stroke in self._known_by_look:
            where[stroke.part] &= ~stroke.shows(self._layout, known if stroke.is_background else values, noise)
        return where

    def shown_as_foreground(self, values: Values, noise: float) -> Pixels:
        """Return where (H, W) a frame (F,) shows what was painted as foreground."""
        found = np.zeros((self._layout.height, self._layout.width), bool)
        for _, stroke in self._known_by_look:
            if not stroke.is_background:
                found[stroke.part] |= stroke.shows(self._layout, values, noise)
        return found

    @staticmethod
    def schema(layout: Layout) -> StateSchema:
        """Return what `state` may give."""
        return painted_schema(layout, MOST)

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return what is remembered, as arrays for a model; none where nothing is. May be called from any thread."""
        strokes = self._strokes  # Replaced as a whole, never written to.
        if not strokes:
            return {}
        looks = [plane.ravel() for stroke in strokes for plane in stroke.look]
        return {
            "painted_shapes": np.array(self._layout.shapes),
            "painted_strokes": np.array([[s.is_background, s.index, *s.box] for s in strokes], np.int64),
            "painted_frames": np.array([s.frames or ALL for s in strokes], np.int64),
            "painted_where": np.packbits(np.concatenate([s.where.ravel() for s in strokes])),
            "painted_look": np.concatenate(looks),
            "painted_light": np.stack([s.light for s in strokes]),
            "painted_white": np.array(self._layout.white),
        }

    def load(self, state: Mapping[str, NDArray[np.generic]]) -> bool:
        """Remember what `state` gave; the bit depth may differ.

        Return False where it has strokes of other planes or of another size, which are left out.
        """
        if not np.array_equal(state.get("painted_shapes", ()), self._layout.shapes):
            return len(state.get("painted_strokes", ())) == 0
        bits = np.unpackbits(np.asarray(state["painted_where"], np.uint8)).view(np.bool_)
        scale = self._layout.white / float(state["painted_white"])
        samples: Plane = np.rint(np.asarray(state["painted_look"], np.uint16) * scale).astype(self._layout.dtype)
        strokes = []
        for (is_background, index, *box), light, (first, last) in zip(
            state["painted_strokes"].tolist(), state["painted_light"], _spans(state), strict=True
        ):
            top, bottom, left, right = box
            shape = (bottom - top, right - left)
            where, bits = bits[: shape[0] * shape[1]].reshape(shape), bits[shape[0] * shape[1] :]
            look: list[Plane] = []
            for height, width in shapes_in(self._layout, shape):
                look.append(samples[: height * width].reshape(height, width))
                samples = samples[height * width :]
            strokes.append(
                Stroke(
                    bool(is_background),
                    index,
                    (top, bottom, left, right),
                    where.copy(),
                    tuple(look),
                    light.copy(),
                    None if (first, last) == ALL else (first, last),
                )
            )
        # Held from the frame on which each was painted, or the first that comes after it: work may go on there.
        self._remember(strokes, [np.zeros(one.where.shape, bool) for one in strokes])
        return True


def _spans(state: Mapping[str, NDArray[np.generic]]) -> list[list[int]]:
    """Return first and last frame of each stroke in a file; earlier files know single frames alone, or none."""
    if "painted_frames" in state:
        spans: list[list[int]] = np.asarray(state["painted_frames"]).tolist()
        return spans
    indices = np.asarray(state["painted_strokes"])[:, 1].tolist()
    single = state.get("painted_only_here", np.zeros(len(indices), np.bool_))
    return [[index, index] if only else list(ALL) for index, only in zip(indices, single, strict=True)]
