"""What is saved of what people painted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.coarse_grid import Plane
from core.frames.frame import Layout
from core.scene.masks.stroke_room import most_strokes, too_many
from core.scene.masks.strokes import Span, Stroke, n_light_samples, shapes_in
from core.state_schema import COUNT, SWITCH, ArraySpec, Range, State, StateSchema, all_or_none

ALL: Span = (-1, -1)
"""How a file says that a stroke holds for all frames."""


def state_of(strokes: Sequence[Stroke], layout: Layout) -> dict[str, NDArray[np.generic]]:
    """Return strokes as arrays for a model; none where there are none."""
    if not strokes:
        return {}
    return {
        "painted_shapes": np.array(layout.shapes),
        "painted_strokes": np.array([[s.is_background, s.index, *s.box] for s in strokes], np.int64),
        "painted_frames": np.array([s.frames or ALL for s in strokes], np.int64),
        "painted_where": np.packbits(np.concatenate([s.where.ravel() for s in strokes])),
        "painted_look": np.concatenate([plane.ravel() for s in strokes for plane in s.look]),
        "painted_light": np.stack([s.light for s in strokes]),
        "painted_white": np.array(layout.white),
    }


def painted_schema(layout: Layout) -> StateSchema:
    """Return what `state_of` may give."""

    def agree(state: State) -> str | None:
        if not np.array_equal(state["painted_shapes"], layout.shapes):
            return "painted_shapes are not those of the frames"
        n_samples, n_pixels = 0, []
        for top, bottom, left, right in state["painted_strokes"][:, 2:].tolist():
            if top % 2 or left % 2 or not (top < bottom <= layout.height and left < right <= layout.width):
                return "painted_strokes lie outside the picture"
            n_pixels.append((bottom - top) * (right - left))
            n_samples += sum(height * width for height, width in shapes_in(layout, (bottom - top, right - left)))
        if len(state["painted_where"]) != -(-sum(n_pixels) // 8):
            return "painted_where does not fit painted_strokes"
        if reason := too_many(layout, zip(n_pixels, _spans(state), strict=True)):
            return f"painted_strokes are too many: {reason}"
        return None if len(state["painted_look"]) == n_samples else "painted_look does not fit painted_strokes"

    side = Range(0, max(layout.height, layout.width), is_whole=True)
    painted = all_or_none({
        "painted_shapes": ArraySpec(np.int64, (len(layout.shapes), 2), (side,)),
        "painted_strokes": ArraySpec(np.int64, ("n_strokes", 6), (SWITCH, COUNT, side, side, side, side)),
        "painted_where": ArraySpec(np.uint8, ("n_bytes",), (Range(0, 255),)),
        "painted_look": ArraySpec(layout.dtype, ("n_samples",), (Range(0, layout.white),)),
        "painted_light": ArraySpec(np.float32, ("n_strokes", n_light_samples(layout)), (Range(-1, 1),)),
        "painted_white": ArraySpec(np.int64, (), (Range(layout.white, layout.white),)),
    }, agree)  # fmt: skip

    def in_order(state: State) -> str | None:
        first, last = state["painted_frames"].T
        return "painted_frames end before they begin" if ((first > last) | ((first < 0) != (last < 0))).any() else None

    spans = all_or_none({
        "painted_frames": ArraySpec(np.int64, ("n_strokes", 2), (Range(-1, COUNT.high, is_whole=True),)),
    }, in_order)  # fmt: skip
    # Earlier files know single frames alone, or say nothing of them.
    single = all_or_none({"painted_only_here": ArraySpec(np.bool_, ("n_strokes",), (SWITCH,))})
    return replace(painted.joined(spans).joined(single), sizes={"n_strokes": range(1, most_strokes(layout) + 1)})


def load_strokes(state: Mapping[str, NDArray[np.generic]], layout: Layout) -> tuple[Stroke, ...]:
    """Return the strokes that `state_of` gave, of any bit depth; none of other planes or of another size."""
    if not np.array_equal(state.get("painted_shapes", ()), layout.shapes):
        return ()
    bits = np.unpackbits(np.asarray(state["painted_where"], np.uint8)).view(np.bool_)
    scale = layout.white / float(state["painted_white"])
    samples: Plane = np.rint(np.asarray(state["painted_look"], np.uint16) * scale).astype(layout.dtype)
    strokes, rows = [], zip(state["painted_strokes"].tolist(), state["painted_light"], _spans(state), strict=True)
    for (is_background, index, top, bottom, left, right), light, frames in rows:
        shape = (bottom - top, right - left)
        where, bits = bits[: shape[0] * shape[1]].reshape(shape), bits[shape[0] * shape[1] :]
        look: list[Plane] = []
        for height, width in shapes_in(layout, shape):
            look.append(samples[: height * width].reshape(height, width))
            samples = samples[height * width :]
        box = (top, bottom, left, right)
        strokes.append(Stroke(bool(is_background), index, box, where.copy(), tuple(look), light.copy(), frames))
    return tuple(strokes)


def _spans(state: Mapping[str, NDArray[np.generic]]) -> list[Span | None]:
    """Return the frames of each stroke in a file, None: all; earlier files know single frames alone, or none."""
    if "painted_frames" in state:
        spans = np.asarray(state["painted_frames"]).tolist()
        return [None if (first, last) == ALL else (first, last) for first, last in spans]
    indices = np.asarray(state["painted_strokes"])[:, 1].tolist()
    single = state.get("painted_only_here", np.zeros(len(indices), np.bool_))
    return [(index, index) if only else None for index, only in zip(indices, single, strict=True)]
