"""Pictures that are moved, and moved back: whole pixels come back as they were, but for what left the picture."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.frames.frame import Frame, Layout, Planes
from core.frames.motion import AT_REST, Motion, Shift
from core.frames.moved import fill_beyond, moved, moved_by, moved_labels, moved_values, moved_within, parts_beyond
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


def cubic(part):
    """Weights of the four pixels around a point that lies ``part`` of a pixel behind the second (Keys 1981)."""
    x = np.abs(np.arange(-1, 3) - part)
    return np.where(x <= 1, 1.25 * x**3 - 2.25 * x**2 + 1, -0.75 * x**3 + 3.75 * x**2 - 6 * x + 3)


@given(SIDES, SIDES, st.floats(-25, 25), st.floats(-25, 25), st.integers(0, 99))
def test_between_pixels_each_is_of_four_by_four_at_the_border_too(height, width, down, right, seed):
    picture = samples((height, width), np.float32, seed)
    rows, columns = int(np.floor(down)), int(np.floor(right))
    taps = np.outer(cubic(down - rows), cubic(right - columns))
    wanted = sum(
        taps[i, j] * moved_slowly(picture, rows + i - 1, columns + j - 1).astype(np.float64)
        for i, j in np.ndindex(4, 4)
    )
    np.testing.assert_allclose(moved(picture, down, right), wanted, atol=1e-3)


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


TURNS = [Motion(Shift(2.5, -4.0), 0.1, 0.05), Motion(Shift(0.0, 0.0), -0.3), Motion(Shift(-1.0, 3.0), 0.0, -0.2)]
turns = pytest.mark.parametrize("motion", TURNS)


def comes_from(motion, shape, part=1):
    """Rows and columns (H, W) from which the pixels of a moved picture come."""
    down, right, grow, turn = motion.numbers
    y, x = np.indices(shape).astype(float)
    y, x = y - (shape[0] - 1) / 2, x - (shape[1] - 1) / 2
    rows, columns = y + grow * y - turn * x + down / part, x + turn * y + grow * x + right / part
    return rows + (shape[0] - 1) / 2, columns + (shape[1] - 1) / 2


@turns
@pytest.mark.parametrize("part", [1, 2])
@pytest.mark.parametrize(("dtype", "white"), [(np.uint8, 255), (np.uint16, 65535), (np.float32, 1)])
def test_a_picture_that_turns_shows_at_each_pixel_what_lies_where_that_comes_from(motion, part, dtype, white):
    def waves(rows, columns):
        return 0.5 + 0.2 * np.sin(0.2 * rows + 0.1 * columns) + 0.2 * np.cos(0.17 * columns)

    shape = (40, 57)
    picture = (white * waves(*np.indices(shape))).astype(dtype)
    expected = white * waves(*comes_from(motion, shape, part))
    out, seen = moved_by(picture, motion, part), np.ones(shape, bool)
    for beyond in parts_beyond(shape, motion, part):
        seen[beyond] = False
    seen = cv2.erode(seen.astype(np.uint8), np.ones((5, 5)), borderValue=0) > 0
    assert out.dtype == dtype
    assert seen.mean() > 0.4
    assert np.abs(out[seen] - expected[seen]).max() < 0.012 * white
    assert np.abs(moved_by(picture, motion.back, part)[seen] - expected[seen]).max() > 0.05 * white, "the other way"


@turns
@pytest.mark.parametrize("shape", [(40, 57), (7, 3), (1, 1)])
@pytest.mark.parametrize("part", [1, 2])
def test_what_a_picture_that_turns_does_not_show_comes_from_beyond_it(motion, shape, part):
    rows, columns = comes_from(motion, shape, part)
    far = np.minimum.reduce([rows, shape[0] - 1 - rows, columns, shape[1] - 1 - columns])
    (beyond,) = parts_beyond(shape, motion, part)
    sure = np.abs(far) > 1e-3
    np.testing.assert_array_equal(beyond[sure], far[sure] < 0)


@turns
def test_labels_of_a_picture_that_turns_are_those_of_the_nearest_pixels_and_others_beyond(motion):
    labels = np.random.default_rng(0).choice(np.array([0, 50, 255], np.uint8), (30, 41))
    out = moved_labels(labels, motion, 170)
    rows, columns = comes_from(motion, labels.shape)
    (beyond,) = parts_beyond(labels.shape, motion)
    assert (out[beyond] == 170).all()
    between = [np.abs(x - np.floor(x) - 0.5) < 0.05 for x in (rows, columns)]
    sure = ~(beyond | between[0] | between[1])
    nearest = labels[np.rint(rows[sure]).astype(int), np.rint(columns[sure]).astype(int)]
    np.testing.assert_array_equal(out[sure], nearest)
    within = moved_within(labels == 255, motion)
    assert not within[beyond].any()
    np.testing.assert_array_equal(within[sure], nearest == 255)
