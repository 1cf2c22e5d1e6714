from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.frames.frame import Frame, Layout, Planes, frame_from_image
from core.frames.motion import Motion, Shift
from core.frames.split import DenseSplit
from core.scene.cleaning import Cleaning
from core.scene.masks.cell_logits import CellLogits
from core.scene.masks.finish import MaskFinish
from core.session.report import Report, to_size

DEPTHS = pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
KINDS = pytest.mark.parametrize("shape", [(30, 40), (30, 40, 3), (31, 41), (31, 41, 3)])


def report_of(frame, background, mask):
    """A report of a frame whose background is a vector of samples."""
    background = background.astype(np.float32) / np.float32(frame.layout.white)
    unit = frame.values.astype(np.float32) / np.float32(frame.layout.white)
    split = DenseSplit(background, unit - background, None, np.ones(1), 0.0)
    return Report(frame, split, mask, 0, 1, 1, 1, 0.01, {})


def picture(shape, dtype, seed=0):
    return np.random.default_rng(seed).integers(0, np.iinfo(dtype).max, shape, endpoint=True).astype(dtype)


def blob(height, width):
    mask = np.zeros((height, width), np.uint8)
    mask[height // 4 : height // 2, width // 5 : width // 2] = 255
    return mask


def scaled(original, height, width):
    """A frame at working size (height, width) that keeps its original."""
    image = cv2.resize(original.image(), (width, height), interpolation=cv2.INTER_AREA)
    small = frame_from_image(original.index, original.time_s, image, bit_depth=original.layout.bit_depth)
    return Frame(small.index, small.time_s, small.values, small.layout, original=original)


@DEPTHS
@KINDS
def test_pictures_have_size_depth_and_samples_of_the_input(shape, dtype):
    image, plate = picture(shape, dtype), picture(shape, dtype, 1)
    mask = blob(*shape[:2])
    report = report_of(frame_from_image(0, 0.0, image), frame_from_image(0, 0.0, plate).values, mask)
    far = cv2.dilate(mask, np.ones((13, 13))) == 0
    np.testing.assert_array_equal(report.input_image, image)
    np.testing.assert_array_equal(report.background_image, plate)
    np.testing.assert_array_equal(report.full_mask, mask)
    inside = mask == 255
    hidden = np.where(inside if image.ndim == 2 else inside[..., None], image, plate)
    hiding = report_of(frame_from_image(0, 0.0, hidden), frame_from_image(0, 0.0, plate).values, mask)
    np.testing.assert_array_equal(hiding.cleaned_image, plate, "in the same light, the plate itself")
    np.testing.assert_array_equal(report.cleaned_image[far], image[far])
    np.testing.assert_array_equal(report.foreground_image[inside], image[inside])
    assert not report.foreground_image[~inside].any()
    for made in (report.background_image, report.cleaned_image, report.foreground_image):
        assert (made.dtype, made.shape) == (dtype, shape)


@DEPTHS
@KINDS
def test_foreground_with_alpha_is_colour_well_inside_and_nothing_well_outside(shape, dtype):
    image = picture(shape, dtype)
    mask = blob(*shape[:2])
    report = report_of(frame_from_image(0, 0.0, image), np.zeros(image.size), mask)
    rgba = report.foreground_rgba
    assert (rgba.dtype, rgba.shape) == (dtype, (*shape[:2], 4))
    inside, outside = cv2.erode(mask, np.ones((5, 5))) == 255, cv2.dilate(mask, np.ones((5, 5))) == 0
    assert inside.any()
    colour = image if image.ndim == 3 else np.dstack([image] * 3)
    np.testing.assert_array_equal(rgba[inside][:, :3], colour[inside])
    assert (rgba[inside][:, 3] == np.iinfo(dtype).max).all()
    assert not rgba[outside].any()


@DEPTHS
@KINDS
def test_a_scaled_run_gives_pictures_of_the_original_size(shape, dtype):
    original = frame_from_image(4, 0.1, picture(shape, dtype))
    frame = scaled(original, 15, 20)
    report = report_of(frame, frame.values, blob(15, 20))
    np.testing.assert_array_equal(report.input_image, original.image())
    for made in (report.background_image, report.cleaned_image, report.foreground_image):
        assert (made.dtype, made.shape) == (dtype, shape)
    mask = report.full_mask
    assert mask.shape == shape[:2]
    assert set(np.unique(mask)) == {0, 255}
    assert mask.mean() == pytest.approx(blob(15, 20).mean(), rel=0.15)
    outside = cv2.dilate(mask, np.ones((15, 15))) == 0
    assert outside.any()
    np.testing.assert_array_equal(report.cleaned_image[outside], original.image()[outside])
    well_outside = cv2.dilate(mask, np.ones((5, 5))) == 0
    assert not report.foreground_rgba[well_outside].any()


@pytest.mark.parametrize("depth", [8, 10])
@pytest.mark.parametrize("full_range", [False, True])
@pytest.mark.parametrize("size", [(30, 40), (31, 41)])
def test_video_planes_are_cleaned_without_touching_a_pixel_outside(size, full_range, depth):
    layout = Layout(*size, Planes.YCC420, depth, full_range)
    rng = np.random.default_rng(0)
    values = rng.integers(0, layout.white, layout.n_values).astype(layout.dtype)
    plate = rng.integers(0, layout.white, layout.n_values).astype(layout.dtype)
    mask = blob(*size)
    report = report_of(Frame(0, 0.0, values, layout), plate, mask)
    np.testing.assert_array_equal(report.input_image, layout.image(values))
    np.testing.assert_array_equal(report.background_image, layout.image(plate))
    outside = cv2.dilate(mask, np.ones((13, 13))) == 0
    np.testing.assert_array_equal(report.cleaned_image[outside], report.input_image[outside])
    hidden = plate.copy()
    hidden[: mask.size][mask.ravel() > 0] = layout.white
    report = report_of(Frame(0, 0.0, hidden, layout), plate, mask)
    np.testing.assert_array_equal(report.cleaned_image, report.background_image, "in the same light, the plate itself")
    assert report.foreground_rgba[..., 3].max() == layout.white


@pytest.mark.parametrize("value", [0, 255])
def test_an_empty_and_a_full_mask(value):
    image, plate = picture((30, 40, 3), np.uint8), picture((30, 40, 3), np.uint8, 1)
    mask = np.full((30, 40), value, np.uint8)
    report = report_of(frame_from_image(0, 0.0, image), frame_from_image(0, 0.0, plate).values, mask)
    np.testing.assert_array_equal(report.cleaned_image, plate if value else image)
    np.testing.assert_array_equal(report.foreground_image, image if value else 0 * image)


def test_making_pictures_changes_nothing_that_crosses_threads():
    image = picture((30, 40, 3), np.uint8)
    frame = frame_from_image(0, 0.0, image)
    mask = blob(30, 40)
    report = report_of(frame, np.zeros(image.size), mask)
    before = frame.values.copy(), mask.copy()
    report.cleaned_image, report.foreground_rgba, report.background_image  # noqa: B018
    np.testing.assert_array_equal(report.input_image, image)
    np.testing.assert_array_equal(frame.values, before[0])
    np.testing.assert_array_equal(mask, before[1])
    assert not np.shares_memory(report.cleaned_image, report.input_image)


def test_a_background_beyond_black_and_white_is_clipped_and_not_wrapped():
    frame = frame_from_image(0, 0.0, np.full((2, 2), 128, np.uint8))
    report = report_of(frame, np.array([-40.0, 0.0, 255.0, 300.0]), np.zeros((2, 2), np.uint8))
    np.testing.assert_array_equal(report.background_image, [[0, 0], [255, 255]])


@DEPTHS
def test_a_picture_of_the_right_size_is_not_copied(dtype):
    image = picture((31, 41), dtype)
    assert to_size(image, frame_from_image(0, 0.0, image).layout) is image
    flat = np.full((8, 8, 3), 77, dtype)
    np.testing.assert_array_equal(to_size(flat, frame_from_image(0, 0.0, image).layout), np.full((31, 41, 3), 77))


def test_the_probability_of_a_pixel_is_that_of_its_cell_and_not_known_without_a_head():
    frame = frame_from_image(0, 0.0, picture((31, 41), np.uint8))
    report = report_of(frame, frame.values, blob(31, 41))
    assert report.probability is None
    logit = np.zeros((16, 21), np.float32)
    logit[3, 5] = np.log(3)
    found = replace(report, logits=CellLogits(logit, 2)).probability
    assert found.shape == (31, 41)
    assert (found[6:8, 10:12] == np.float32(0.75)).all()
    assert np.count_nonzero(found == 0.5) == 31 * 41 - 4


FINISHES = [MaskFinish(5, 0), MaskFinish(-3, 0), MaskFinish(0, 4), MaskFinish(4, 6)]


@DEPTHS
@pytest.mark.parametrize("finish", FINISHES)
def test_mask_matte_and_foreground_are_finished_and_cleaned_frames_are_not(finish, dtype):
    image, plate = picture((60, 80, 3), dtype), picture((60, 80, 3), dtype, 1)
    plain = report_of(frame_from_image(0, 0.0, image), frame_from_image(0, 0.0, plate).values, blob(60, 80))
    report = replace(plain, finish=finish)
    np.testing.assert_array_equal(report.full_mask, finish.grown(plain.full_mask))
    np.testing.assert_array_equal(report.matte, finish.softened(plain.matte))
    np.testing.assert_array_equal(report.deep_matte, finish.softened(plain.deep_matte))
    np.testing.assert_array_equal(report.cleaned_image, plain.cleaned_image)
    np.testing.assert_array_equal(report.finished_mask, report.full_mask)
    cut, matte = report.foreground_rgba, report.matte
    assert ((cut[..., 3] > 0) == (matte > 0)).all()
    assert not cut[matte == 0].any(), "it shows through where nothing is covered"
    far = cv2.dilate(plain.matte, np.ones((9, 9))) == 0
    grown = far & (matte > 0)
    np.testing.assert_array_equal(cut[grown][:, :3], image[grown])


def test_a_finish_counts_in_pixels_of_the_original_at_any_working_size():
    image = picture((80, 120), np.uint8)
    full = frame_from_image(0, 0.0, image)
    small = scaled(full, 40, 60)
    plain = report_of(small, small.values, blob(40, 60))
    report = replace(plain, finish=MaskFinish(6, 0))
    reach = [np.flatnonzero(found.full_mask.any(axis=0)) for found in (plain, report)]
    assert (reach[0][0] - reach[1][0], reach[1][-1] - reach[0][-1]) == (6, 6)
    reach = [np.flatnonzero(found.any(axis=0)) for found in (plain.mask, report.finished_mask)]
    assert (reach[0][0] - reach[1][0], reach[1][-1] - reach[0][-1]) == (3, 3)


def hiding_all(shift=None, seen=None):
    """A report of a frame of which 40 by 60 pixels may hide the scene and a few are foreground; its mask."""
    image, mask = picture((40, 60, 3), np.uint8), np.zeros((40, 60), np.uint8)
    mask[10:14, 50:55] = 255
    frame = frame_from_image(0, 0.0, image)
    frame = frame if shift is None else replace(frame, motion=Motion(shift))
    report = report_of(frame, frame_from_image(0, 0.0, picture((40, 60, 3), np.uint8, 1)).values, mask)
    return replace(report, may_hide=np.full_like(mask, 255), cleaning=Cleaning(0, 0, seen=seen)), mask


def test_where_the_plate_was_never_seen_the_mask_alone_is_replaced():
    seen = np.ones((40, 60), np.bool_)
    seen[:, 30:] = False
    report, mask = hiding_all(seen=seen)
    np.testing.assert_array_equal(report.hidden > 0, seen | (mask > 0))
    np.testing.assert_array_equal(report.cleaned_image[~seen & (mask == 0)], report.input_image[~seen & (mask == 0)])
    assert hiding_all()[0].hidden.min() > 0, "all of it was seen"


def test_what_lies_beyond_the_plate_of_a_camera_that_has_moved_is_not_replaced():
    report, mask = hiding_all(Shift(6.0, -4.0), np.ones((40, 60), np.bool_))
    inside = np.zeros((40, 60), np.bool_)
    inside[6:, :56] = True
    np.testing.assert_array_equal(report.hidden > 0, inside | (mask > 0))
    np.testing.assert_array_equal(hiding_all(Shift(6.0, -4.0))[0].hidden, report.hidden)


@KINDS
def test_edges_of_a_frame_in_other_light_are_cut_against_the_background_in_that_light(shape):
    image, mask = picture(shape, np.uint8) // 2, blob(*shape[:2])
    lit = frame_from_image(0, 0.0, image)
    dark = frame_from_image(0, 0.0, (image // 3).astype(np.uint8))
    plain, report = report_of(lit, lit.values, mask), replace(report_of(lit, dark.values, mask), lit=lit.values)
    assert (report_of(lit, dark.values, mask).matte != plain.matte).any()
    np.testing.assert_array_equal(report.matte, plain.matte)
    np.testing.assert_array_equal(report.foreground_rgba, plain.foreground_rgba)
    np.testing.assert_array_equal(report.background_image, dark.image())


def test_edges_are_cut_against_the_background_in_the_white_balance_of_the_frame():
    rng, mask = np.random.default_rng(5), blob(60, 80)
    scene = cv2.resize(rng.integers(60, 180, (8, 10, 3)).astype(np.uint8), (80, 60))
    turned = scene * np.array([1.2, 0.94, 0.8])
    alpha = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), 1.5)[..., None]
    image = np.rint(alpha * 230 + (1 - alpha) * turned).astype(np.uint8)
    frame, known, there = (frame_from_image(0, 0.0, np.asarray(one, np.uint8)) for one in (image, scene, turned))
    mattes = [report_of(frame, one.values, mask).matte.astype(int) for one in (known, there)]
    ring = (alpha[..., 0] > 0.02) & (alpha[..., 0] < 0.98)
    assert np.abs(mattes[0] - mattes[1])[ring].mean() < 1, "against colours of another white balance it is 3.6"
