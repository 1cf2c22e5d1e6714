"""What was painted, in a file: as it was remembered, in any version, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest

from core.scene.masks import stroke_room
from core.scene.masks.corrections import Corrections
from core.state_schema import MisfitError
from tests.core.scene.masks.test_corrections import RGB, THING, area, frame_of, layouts, scene, with_block


def test_files_of_earlier_versions_know_single_frames_or_none():
    stage, frame = Corrections(RGB), frame_of(RGB, scene(RGB), 5)
    for k, frames in enumerate((None, (5, 5), (2, 8))):
        stage.add(area(RGB, (slice(8 * k, 8 * k + 6), slice(0, 9))), frame, is_background=True, frames=frames)
    state, again = stage.state(), Corrections(RGB)
    Corrections.schema(RGB).check_contents(state)
    again.load(state)
    assert [stroke.frames for stroke in again.strokes] == [None, (5, 5), (2, 8)]
    del state["painted_frames"]
    again.load(state)
    assert [stroke.frames for stroke in again.strokes] == [None, None, None]
    state["painted_only_here"] = np.array([False, True, False])
    Corrections.schema(RGB).check_contents(state)
    again.load(state)
    assert [stroke.frames for stroke in again.strokes] == [None, (5, 5), None]


@pytest.mark.parametrize("span", [(7, 3), (-1, 4), (3, -1), (-2, -2), (0, 2**60)])
def test_spans_that_are_none_are_refused(span):
    stage = Corrections(RGB)
    stage.add(area(RGB, THING), frame_of(RGB, scene(RGB), 5), is_background=True, frames=(2, 8))
    state = {**stage.state(), "painted_frames": np.array([span], np.int64)}
    with pytest.raises(MisfitError, match="painted_frames"):
        Corrections.schema(RGB).check_contents(state)


@layouts
def test_a_state_holds_all_of_it_in_another_bit_depth_too(layout):
    stage, other = Corrections(layout), Corrections(layout)
    assert stage.state() == {}
    other.load({})
    frame = frame_of(layout, with_block(layout, scene(layout), *THING, 200))
    stage.add(area(layout, THING), frame, is_background=True)
    stage.add(area(layout, (slice(33, 47), slice(1, 62))), frame, is_background=False)
    other.load(stage.state())
    for a, b in zip(stage.strokes, other.strokes, strict=True):
        assert (a.is_background, a.index, a.box) == (b.is_background, b.index, b.box)
        assert np.array_equal(a.where, b.where)
        assert all(np.array_equal(x, y) for x, y in zip(a.look, b.look, strict=True))
    deep = Corrections(replace(layout, bit_depth=12))
    deep.load(stage.state())
    assert deep.strokes[0].look[0].max() == pytest.approx(4095 / layout.white * stage.strokes[0].look[0].max(), abs=1)


@pytest.mark.parametrize("frames", [None, (3, 3)])
def test_files_hold_what_was_remembered_and_no_more(frames):
    """As many strokes of the whole frame as earlier versions kept, of either kind."""
    whole, frame = np.ones(RGB.shapes[0], bool), frame_of(RGB, scene(RGB))
    stage = Corrections(RGB)
    stage.add(whole, frame, is_background=True, frames=frames)
    (stroke,) = stage.strokes
    stage.restore((stroke,) * stroke_room.MOST)
    Corrections.schema(RGB).check(stage.state())
    stage.restore((stroke,) * (stroke_room.MOST + 1))
    with pytest.raises(MisfitError, match="painted_strokes are too many"):
        Corrections.schema(RGB).check(stage.state())
    state = {**stage.state(), "painted_only_here": np.full(stroke_room.MOST + 1, frames is not None)}
    del state["painted_frames"]
    with pytest.raises(MisfitError, match="painted_strokes are too many"):
        Corrections.schema(RGB).check(state)
