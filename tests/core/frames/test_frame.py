from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.frames.frame import Frame, Layout, Planes, frame_from_image
from tests import strategies

SIZES = [(4, 6), (5, 7), (1, 1), (1, 8), (3, 2)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("planes", Planes)
def test_planes_tile_the_vector_without_gap_or_overlap(size, planes):
    layout = Layout(*size, planes)
    vector = np.zeros(layout.n_values, int)
    for i in range(len(layout.shapes)):
        layout.plane(vector, i)[...] += i + 1
    expected = np.concatenate([np.full(h * w, i + 1) for i, (h, w) in enumerate(layout.shapes)])
    np.testing.assert_array_equal(vector, expected)
    assert layout.n_pixels == size[0] * size[1]


@given(st.data())
def test_a_vector_is_its_planes_and_nothing_else(data):
    layout = data.draw(strategies.layouts)
    vector = data.draw(strategies.samples(layout))
    again = np.empty_like(vector)
    for i in range(len(layout.shapes)):
        layout.plane(again, i)[...] = layout.plane(vector, i)
    np.testing.assert_array_equal(again, vector)


@given(st.data())
def test_samples_in_units_of_white_come_back(data):
    layout = data.draw(strategies.layouts)
    vector = data.draw(strategies.samples(layout))
    back = layout.quantise(vector / np.float32(layout.white))
    assert back.dtype == layout.dtype
    np.testing.assert_array_equal(back, vector)


@given(st.data())
def test_a_picture_becomes_a_vector_and_the_same_picture_again(data):
    shape = data.draw(st.sampled_from([(3, 5), (3, 5, 3), (1, 1), (2, 1, 3)]))
    depth = data.draw(st.sampled_from([8, 10, 16]))
    dtype = np.uint8 if depth == 8 else np.uint16
    picture = data.draw(arrays.arrays(dtype, shape, elements=st.integers(0, 2**depth - 1)))
    frame = frame_from_image(0, 0.0, picture, bit_depth=depth)
    assert frame.values.shape == (frame.layout.n_values,)
    np.testing.assert_array_equal(frame.image(), picture)


@given(st.data())
def test_luma_without_colour_is_grey_in_every_plane_of_the_picture(data):
    drawn = data.draw(strategies.layouts)
    layout = replace(drawn, planes=Planes.YCC420)
    vector = data.draw(strategies.samples(layout))
    vector[layout.n_pixels :] = layout.neutral
    grey = layout.grey().image(layout.plane(vector, 0).ravel())
    for plane in np.moveaxis(layout.image(vector), 2, 0):
        np.testing.assert_allclose(plane.astype(int), grey.astype(int), atol=1)


@pytest.mark.parametrize("planes", [Planes.GREY, Planes.YCC420])
@pytest.mark.parametrize(("bit_depth", "full_range", "pedestal"), [(8, False, 126), (10, False, 180), (8, True, 40)])
def test_the_pedestal_of_the_picture_is_what_the_picture_shows_at_the_pedestal(planes, bit_depth, full_range, pedestal):
    layout = Layout(4, 6, planes, bit_depth, full_range, pedestal=pedestal)
    vector = np.full(layout.n_values, layout.neutral, layout.dtype)
    layout.plane(vector, 0)[...] = pedestal
    np.testing.assert_allclose(layout.image(vector).astype(int), layout.expanded().pedestal, atol=1)


@given(st.data())
def test_a_map_over_pixels_reaches_every_plane(data):
    layout = data.draw(strategies.layouts)
    pixels = data.draw(arrays.arrays(bool, (layout.height, layout.width)))
    spread = layout.spread(pixels)
    for i, (height, _) in enumerate(layout.shapes):
        step = 1 if (height == layout.height and i == 0) or layout.planes is not Planes.YCC420 else 2
        np.testing.assert_array_equal(layout.plane(spread, i), pixels[::step, ::step])


@pytest.mark.parametrize(("size", "half"), [((4, 6), (2, 3)), ((5, 7), (3, 4)), ((1, 1), (1, 1)), ((3, 2), (2, 1))])
def test_chroma_is_half_size_rounded_up(size, half):
    assert Layout(*size, Planes.YCC420).shapes == (size, half, half)


@pytest.mark.parametrize("planes", Planes)
def test_the_light_of_a_scene_is_read_from_the_plane_that_has_most_of_it(planes):
    """As shares of luma (BT.601)."""
    shares = {Planes.GREY: [1], Planes.RGB: [0.299, 0.587, 0.114], Planes.YCC420: [1, 0, 0]}[planes]
    assert Layout(4, 6, planes).luma_index == int(np.argmax(shares))


def test_planes_are_views_in_row_major_order():
    layout = Layout(3, 5, Planes.RGB)
    vector = np.arange(layout.n_values)
    for i in range(3):
        plane = layout.plane(vector, i)
        assert np.shares_memory(plane, vector)
        np.testing.assert_array_equal(plane, np.arange(15).reshape(3, 5) + 15 * i)


@pytest.mark.parametrize("depth", [8, 9, 10, 12, 14, 16])
def test_bit_depth_decides_white_and_type(depth):
    layout = Layout(2, 2, Planes.GREY, depth)
    assert layout.white == 2**depth - 1
    assert layout.dtype == (np.uint8 if depth == 8 else np.uint16)
    assert np.iinfo(layout.dtype).max >= layout.white


@pytest.mark.parametrize("depth", [8, 10, 16])
def test_every_sample_survives_the_way_to_floats_and_back(depth):
    white = 2**depth - 1
    layout = Layout(1, white + 1, Planes.GREY, depth)
    samples = np.arange(white + 1).astype(layout.dtype)
    back = layout.quantise(samples.astype(np.float32) * np.float32(1 / white))
    assert back.dtype == layout.dtype
    np.testing.assert_array_equal(back, samples)


@pytest.mark.parametrize(("dtype", "depth"), [(np.uint8, 8), (np.uint16, 16)])
@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 3), (1, 1), (1, 1, 3)])
def test_a_picture_becomes_a_frame_and_back(dtype, depth, shape):
    picture = np.random.default_rng(0).integers(0, np.iinfo(dtype).max, shape, endpoint=True).astype(dtype)
    frame = frame_from_image(3, 0.5, picture, name="a.png")
    assert (frame.index, frame.time_s, frame.name) == (3, 0.5, "a.png")
    assert frame.layout.bit_depth == depth
    assert frame.values.shape == (picture.size,)
    image = frame.image()
    assert image.dtype == dtype
    np.testing.assert_array_equal(image, picture)


def test_a_turned_or_cropped_picture_becomes_a_contiguous_vector():
    whole = np.arange(8 * 6 * 3, dtype=np.uint8).reshape(8, 6, 3)
    for picture in (whole[::-1], whole[2:5, 1:4], whole[..., 1], np.rot90(whole)):
        frame = frame_from_image(0, 0.0, picture)
        assert frame.values.flags.c_contiguous
        np.testing.assert_array_equal(frame.image(), picture)


def test_the_bit_depth_of_a_picture_can_be_given():
    frame = frame_from_image(0, 0.0, np.full((2, 2), 1023, np.uint16), bit_depth=10)
    assert frame.layout.white == 1023
    assert frame.image().max() == 1023


@pytest.mark.parametrize(("depth", "black", "white"), [(8, 16, 235), (10, 64, 940), (16, 4096, 60160)])
def test_video_levels_of_grey_are_stretched_to_black_and_white(depth, black, white):
    layout = Layout(1, 4, Planes.GREY, depth, full_range=False)
    image = layout.image(np.array([0, black, white, layout.white], layout.dtype))
    np.testing.assert_array_equal(image, [[0, 0, layout.white, layout.white]])


def test_grey_video_levels_give_the_same_picture_as_colourless_chroma():
    luma = np.random.default_rng(0).integers(0, 256, 35).astype(np.uint8)
    grey = Layout(5, 7, Planes.GREY, 8, full_range=False)
    colour = Layout(5, 7, Planes.YCC420, 8, full_range=False)
    neutral = np.full(colour.n_values - 35, 128, np.uint8)
    rgb = colour.image(np.concatenate([luma, neutral]))
    for channel in range(3):
        np.testing.assert_allclose(rgb[..., channel].astype(int), grey.image(luma).astype(int), atol=1)


def test_the_grey_layout_keeps_everything_but_the_planes():
    layout = Layout(5, 7, Planes.YCC420, 10, full_range=False, matrix="bt709")
    assert layout.grey() == Layout(5, 7, Planes.GREY, 10, full_range=False, matrix="bt709")


def test_a_scaled_frame_knows_its_original():
    original = frame_from_image(0, 0.0, np.zeros((8, 8), np.uint8))
    small = Frame(0, 0.0, np.zeros(16, np.uint8), Layout(4, 4, Planes.GREY), original=original)
    assert small.full is original
    assert original.full is original


@pytest.mark.parametrize("depth", [8, 10, 16])
def test_a_vector_is_in_white_or_in_samples_and_one_that_already_is_stays(depth):
    layout = Layout(4, 6, Planes.YCC420, depth)
    samples = np.random.default_rng(0).integers(0, layout.white + 1, layout.n_values).astype(layout.dtype)
    floats = layout.in_white(samples)
    assert (floats.dtype, layout.empty().dtype, layout.empty().shape) == (np.float32, layout.dtype, samples.shape)
    np.testing.assert_allclose(floats, samples / layout.white, rtol=1e-6)
    np.testing.assert_array_equal(layout.in_samples(floats), samples)
    assert layout.in_white(floats) is floats
    assert layout.in_samples(samples) is samples


@pytest.mark.parametrize("planes", list(Planes))
def test_a_part_of_a_plane_is_what_shows_those_pixels(planes):
    layout = Layout(7, 9, planes)
    pixels = np.arange(63).reshape(7, 9)
    seen = layout.spread(pixels)
    for index in range(len(layout.shapes)):
        step = layout.step(index)
        part = layout.part(seen, index, (2, 7, 4, 8))
        np.testing.assert_array_equal(part, pixels[2:7:step, 4:8:step])
        assert np.shares_memory(part, seen)
        np.testing.assert_array_equal(layout.at_samples(pixels, index), layout.plane(seen, index))


@pytest.mark.parametrize("planes", Planes)
def test_what_has_one_level_of_light_shows_nothing(planes):
    layout = Layout(40, 50, planes)
    values = np.random.default_rng(0).integers(100, 103, layout.n_values, np.uint8)
    assert layout.is_blank(values)
    for index in range(len(layout.shapes)):
        dotted = values.copy()
        layout.plane(dotted, index)[3, 5] = 104
        assert not layout.is_blank(dotted), "one dot, of whatever colour"


def test_a_grey_level_is_one_of_what_the_input_spans():
    layout = Layout(40, 50, Planes.GREY, bit_depth=16, used=0.02)
    values = np.random.default_rng(0).integers(1000, 1011, layout.n_values, np.uint16)
    assert layout.is_blank(values)
    assert not layout.is_blank(values + np.arange(layout.n_values, dtype=np.uint16) // 400)
