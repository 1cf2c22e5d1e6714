"""What is saved of what strokes taught the head."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.frames.frame import Layout
from core.scene.masks.head_weights import FEATURES, Weights
from core.scene.masks.lessons import DESCRIBED, MOST, MOST_LESSONS, MOST_REST, Lesson, Sample
from core.scene.masks.recent import A_FRAME
from core.scene.tuning import SETTLED_FRAMES
from core.state_schema import COUNT, FREE, SWITCH, ArraySpec, Range, State, StateSchema, all_or_none


def state_of(lessons: Sequence[Lesson], layout: Layout, shipped: Weights) -> dict[str, NDArray[np.generic]]:
    """Return lessons as arrays for a model; none where there are none."""
    if not lessons:
        return {}
    sizes = [[one.is_foreground, one.index, len(one.painted.cells), len(one.rest.cells)] for one in lessons]
    return {
        "taught_head": np.array(_fingerprint(shipped), np.int64),
        "taught_shapes": np.array(layout.shapes),
        "taught_sizes": np.array(sizes, np.int64),
        "taught_cells": np.concatenate([part.packed for one in lessons for part in (one.painted, one.rest)]),
    }


def lessons_schema(layout: Layout) -> StateSchema:
    """Return what `state_of` may give."""

    def agree(state: State) -> str | None:
        if len(state["taught_cells"]) != int(state["taught_sizes"][:, 2:].sum()):
            return "taught_sizes do not fit the number of taught_cells"
        fits = np.array_equal(state["taught_shapes"], layout.shapes)
        return None if fits else "taught_shapes are not those of the frames"

    shapes = ArraySpec(np.int64, (len(layout.shapes), 2), (Range(1, max(layout.shapes[0])),))
    head = ArraySpec(np.int64, (), (Range(0, 2**32 - 1),))
    probability, count = Range(0, 1), Range(0, layout.n_pixels)
    n_painted, n_rest = Range(1, MOST), Range(0, MOST_REST + SETTLED_FRAMES * A_FRAME)
    taught = all_or_none({
        "taught_head": head,
        "taught_shapes": shapes,
        "taught_sizes": ArraySpec(np.int64, ("n_lessons", 4), (SWITCH, COUNT, n_painted, n_rest)),
        "taught_cells": ArraySpec(
            np.float32, ("n_taught", DESCRIBED + 3), (*[FREE] * (DESCRIBED + 1), probability, count)
        ),
    }, agree)  # fmt: skip
    return replace(taught, sizes={"n_lessons": range(1, MOST_LESSONS + 1)})


def load_lessons(state: Mapping[str, NDArray[np.generic]], layout: Layout, shipped: Weights) -> tuple[Lesson, ...]:
    """Return the lessons that `state_of` gave; none of another size, or of another head, whose activations differ."""
    if not np.array_equal(state.get("taught_shapes", ()), layout.shapes):
        return ()
    if int(state["taught_head"]) != _fingerprint(shipped):
        return ()
    rows, lessons = np.asarray(state["taught_cells"], np.float32), []
    for is_foreground, index, n, m in np.asarray(state["taught_sizes"]).tolist():
        painted, rest = Sample.unpacked(rows[:n]), Sample.unpacked(rows[n : n + m])
        lessons.append(Lesson(bool(is_foreground), index, painted, rest))
        rows = rows[n + m :]
    return tuple(lessons)


def _fingerprint(weights: Weights) -> int:
    """Return a checksum of the features' version and of all layers: to other weights, lessons mean nothing."""
    sum_ = zlib.crc32(bytes([FEATURES]))
    for array in weights:
        sum_ = zlib.crc32(np.ascontiguousarray(array).tobytes(), sum_)
    return sum_
