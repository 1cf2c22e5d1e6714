"""Pictures that are moved, and moved back: whole pixels come back as they were, but for what left the picture."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.frames.frame import Frame, Layout, Planes
from core.frames.motion import AT_REST, Motion, Shift
from core.frames.moved import fill_beyond, moved, moved_values, moved_within, parts_beyond
from core.session.alignment import aligned, unseen

BY = st.integers(-12, 12)
SIDES = st.integers(1, 20)
DTYPES = st.sampled_from([np.uint8, np.uint16, np.float32])
LAYOUTS = st.builds(Layout, SIDES, SIDES, st.sampled_from(Planes), st.sampled_from([8, 10, 16]))
MOVES = st.builds(lambda down, right: Motion(Shift(2.0 * down, 2.0 * right)), st.integers(-6, 6), st.integers(-6, 6))
"""Even: whole pixels of chroma too."""


def samples(shape, dtype, seed):
    return (250 * np.random.default_rng(seed).random(shape)).astype(dtype)


def moved_slowly(picture, down, right):
    """Pixel p is the pixel p + (down, right), or the nearest that there is."""
    height, width = picture.shape
    out = np.empty_like(picture)
    for i, j in np.ndindex(height, width):
        out[i, j] = picture[min(max(i + down, 0), height - 1), min(max(j + right, 0), width - 1)]
    return out


@given(SIDES, SIDES, DTYPES, BY, BY, st.integers(0, 99))
def test_whole_shifts_move_pixels_and_repeat_the_border(height, width, dtype, down, right, seed):
    picture = samples((height, width), dtype, seed)
    kept = picture.copy()
    out = moved(picture, down, right)
    np.testing.assert_array_equal(out, moved_slowly(picture, down, right))
    assert out.dtype == dtype
    np.testing.assert_array_equal(picture, kept)


def test_the_other_way_would_be_noticed():
    picture = samples((9, 7), np.uint8, 0)
    assert not np.array_equal(moved(picture, 2, -1), moved_slowly(picture, -2, 1))


@given(SIDES, SIDES, DTYPES, BY, BY, st.integers(0, 99))
def test_there_and_back_nothing_inside_is_lost(height, width, dtype, down, right, seed):
    picture = samples((height, width), dtype, seed)
    back = moved(moved(picture, down, right), -down, -right)
    left = np.ones((height, width), bool)
    for strip in parts_beyond(picture.shape, Motion(Shift(-down, -right))):
        left[strip] = False
    np.testing.assert_array_equal(back[left], picture[left])


@given(SIDES, SIDES, st.floats(-12, 12), st.floats(-12, 12), st.integers(0, 250))
def test_an_even_picture_stays_as_it_is_wherever_it_is_moved(height, width, down, right, level):
    picture = np.full((height, width), level, np.uint8)
    np.testing.assert_array_equal(moved(picture, down, right), picture)


@given(LAYOUTS, MOVES, st.integers(0, 99))
def test_a_frame_is_brought_into_line_with_the_scene_and_back(layout, motion, seed):
    scene, behind = (samples(layout.n_values, layout.dtype, n) for n in (seed, seed + 1))
    shown = Frame(0, 0.0, moved_values(layout, scene, motion.back), layout, motion=motion)
    in_line = aligned(shown, behind)
    assert in_line.motion == AT_REST
    for index, shape in enumerate(layout.shapes):
        is_beyond = np.zeros(shape, bool)
        for strip in parts_beyond(shape, motion, 1 if shape == layout.shapes[0] else 2):
            is_beyond[strip] = True
        wanted = np.where(is_beyond, layout.plane(behind, index), layout.plane(scene, index))
        np.testing.assert_array_equal(layout.plane(in_line.values, index), wanted)
    nowhere = unseen(shown)
    is_hidden = np.zeros(layout.shapes[0], bool) if nowhere is None else nowhere > 0
    first_plane = layout.plane(in_line.values, 0)[~is_hidden]
    np.testing.assert_array_equal(first_plane, layout.plane(scene, 0)[~is_hidden])
    back = moved_values(layout, in_line.values, motion.back)
    fill_beyond(layout, back, motion.back, shown.values)
    np.testing.assert_array_equal(back, shown.values)


@given(SIDES, SIDES, BY, BY)
def test_nothing_is_marked_beyond_what_was_marked(height, width, down, right):
    where = np.random.default_rng(0).random((height, width)) > 0.3
    expected = np.zeros_like(where)
    for i, j in np.ndindex(height, width):
        if 0 <= i + down < height and 0 <= j + right < width:
            expected[i, j] = where[i + down, j + right]
    np.testing.assert_array_equal(moved_within(where, Motion(Shift(down + 0.2, right - 0.3))), expected)
