"""What is saved of what people painted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.frames.frame import Layout
from core.scene.masks.strokes import n_light_samples, shapes_in
from core.state_schema import COUNT, SWITCH, ArraySpec, Range, State, StateSchema, all_or_none


def painted_schema(layout: Layout, most: int) -> StateSchema:
    """Return what `core.scene.masks.corrections.Corrections.state` may give, of ``most`` strokes."""

    def agree(state: State) -> str | None:
        if not np.array_equal(state["painted_shapes"], layout.shapes):
            return "painted_shapes are not those of the frames"
        n_pixels = n_samples = 0
        for top, bottom, left, right in state["painted_strokes"][:, 2:].tolist():
            if top % 2 or left % 2 or not (top < bottom <= layout.height and left < right <= layout.width):
                return "painted_strokes lie outside the picture"
            n_pixels += (bottom - top) * (right - left)
            n_samples += sum(height * width for height, width in shapes_in(layout, (bottom - top, right - left)))
        if len(state["painted_where"]) != -(-n_pixels // 8):
            return "painted_where does not fit painted_strokes"
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
    return replace(painted.joined(spans).joined(single), sizes={"n_strokes": range(1, most + 1)})
