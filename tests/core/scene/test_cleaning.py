"""What passes and its shadow leave a frame; what is put there fits the frame's light."""

import cv2
import numpy as np
import pytest

from core.frames.frame import Layout, Planes, frame_from_image
from core.frames.planar import PlanarPicture
from core.scene.area_maps import AreaMaps
from core.scene.cleaning import CLEANING_PARAMETERS, Cleaning
from core.scene.cleaning import clean as clean_planes

HEIGHT, WIDTH = 120, 160
COVERED = np.zeros((HEIGHT, WIDTH), np.uint8)
COVERED[40:90, 60:90] = 255


def clean(picture, plate, covered, cleaning, noise, white):
    """What is made of pictures (H, W) or (H, W, 3)."""
    assert white == np.iinfo(picture.dtype).max
    planes = [PlanarPicture.of(frame_from_image(0, 0.0, x)) for x in (picture, plate)]
    return clean_planes(*planes, covered, cleaning, noise).image


def scene(dtype, channels):
    rng = np.random.default_rng(0)
    white = np.iinfo(dtype).max
    coarse = rng.uniform(0.15, 0.7, (12, 16, channels))
    return (white * np.kron(coarse, np.ones((10, 10, 1)))).astype(dtype).squeeze(), white


def in_light(plate, white):
    """The scene in other light: darker, and more so to the right."""
    gain = np.linspace(0.9, 0.6, WIDTH)
    lit = plate * (gain if plate.ndim == 2 else gain[:, None])
    return np.rint(lit).clip(0, white).astype(plate.dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("channels", [1, 3])
def test_what_is_put_in_has_the_light_of_the_frame(dtype, channels):
    plate, white = scene(dtype, channels)
    truth = in_light(plate, white)
    frame = truth.copy()
    frame[COVERED > 0] = white
    cleaned = clean(frame, plate, COVERED, Cleaning(), 0.005, white)
    error = np.abs(cleaned.astype(float) - truth)[COVERED > 0].max() / white
    as_it_is = np.abs(plate.astype(float) - truth)[COVERED > 0].max() / white
    assert error < 0.03
    assert as_it_is > 0.1


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("share", [0.12, 0.25])
def test_bands_of_a_lamp_that_flickers_are_followed(share, turned):
    """Rows are read one after the other, columns where the camera is turned, and each has the light of its moment."""
    plate, white = scene(np.uint8, 3)
    bands = 1 + share * np.sin(np.arange(HEIGHT) * 2 * np.pi * 3 / HEIGHT)[:, None, None]
    truth = np.rint(plate * bands).clip(0, white).astype(np.uint8)
    frame = truth.copy()
    frame[COVERED > 0] = white
    covered = COVERED
    if turned:
        truth, frame, plate, covered = (np.swapaxes(x, 0, 1).copy() for x in (truth, frame, plate, covered))
    cleaned = clean(frame, plate, covered, Cleaning(), 0.005, white)
    off, as_it_is = (np.abs(x.astype(float) - truth)[covered > 0].mean() for x in (cleaned, plate))
    assert off < as_it_is / 4


@pytest.mark.parametrize("turned", [False, True])
def test_what_masks_have_missed_of_a_line_of_which_little_is_seen_makes_no_beam(turned):
    plate, white = scene(np.uint8, 3)
    covered, frame = np.zeros((HEIGHT, WIDTH), np.uint8), plate.copy()
    covered[:105, 60:100] = 255
    frame[covered > 0] = white
    frame[105:, 60:100] = plate[105:, 60:100] // 2 + 100
    if turned:
        frame, plate, covered = (np.swapaxes(x, 0, 1).copy() for x in (frame, plate, covered))
    cleaned = clean(frame, plate, covered, Cleaning(), 0.005, white)
    off = np.abs(cleaned.astype(float) - plate)
    away = off[:, :70] if turned else off[:70]
    assert away.max(axis=-1)[covered[: away.shape[0], : away.shape[1]] > 0].mean() < 5


def test_light_counts_from_the_pedestal():
    layout = Layout(HEIGHT, WIDTH, Planes.GREY, 16, used=0.06, pedestal=10000)
    signal = scene(np.uint16, 1)[0] * 0.06
    known, shown = (PlanarPicture(np.uint16(layout.pedestal + x).ravel(), layout) for x in (signal, 0.5 * signal))
    cleaned = clean_planes(shown, known, COVERED, Cleaning(), 1 / layout.white)
    off = np.abs(cleaned.samples.astype(float) - shown.samples)
    assert off.mean() < layout.contrast / 255


def test_a_person_whom_the_mask_has_missed_does_not_pull_the_light():
    plate, white = scene(np.uint8, 3)
    frame = plate.copy()
    frame[COVERED > 0] = white
    frame[40:90, 100:115] = 10
    cleaned = clean(frame, plate, COVERED, Cleaning(), 0.005, white)
    assert np.abs(cleaned.astype(int) - plate)[COVERED > 0].mean() < 4


def test_nothing_is_touched_away_from_what_is_covered_and_nothing_where_nothing_is():
    plate, white = scene(np.uint8, 3)
    frame = np.full_like(plate, 200)
    frame[0, 0] = 3
    cleaned = clean(frame, plate, COVERED, Cleaning(), 0.005, white)
    np.testing.assert_array_equal(cleaned[:30], frame[:30])
    np.testing.assert_array_equal(clean(frame, plate, 0 * COVERED, Cleaning(), 0.005, white), frame)
    assert (frame[40:90] == 200).all(), "the frame is left as it is"


def test_a_frame_that_is_covered_altogether_shows_the_plate():
    plate, white = scene(np.uint8, 3)
    every = np.full_like(COVERED, 255)
    np.testing.assert_array_equal(clean(np.zeros_like(plate), plate, every, Cleaning(), 0.005, white), plate)


def test_grow_and_feather_reach_as_far_as_they_say():
    bare, grown, soft = (Cleaning(*each).alpha(COVERED, HEIGHT, WIDTH) for each in ((0, 0), (0.05, 0), (0.05, 0.1)))
    np.testing.assert_array_equal(bare, COVERED)
    assert (grown[34:96, 54:96] == 255).all()
    assert not grown[33].any()
    assert (soft[34:96, 54:96] == 255).all()
    edge = soft[60, 96:110].astype(int)
    assert (np.diff(edge) <= 0).all()
    assert 10 <= np.count_nonzero((edge > 0) & (edge < 255)) <= 14
    assert soft[60, 110] == 0


def test_small_frames_are_grown_by_some_pixels():
    alpha = Cleaning(0.001, 0).alpha(COVERED, HEIGHT, WIDTH)
    assert (alpha[38:92, 58:92] == 255).all()
    assert not alpha[37].any()


def test_a_cover_of_working_size_fits_a_picture_of_any_size():
    for height, width in ((60, 80), (240, 320), (121, 161)):
        alpha = Cleaning().alpha(COVERED, height, width)
        assert alpha.shape == (height, width)
        assert alpha[height // 2, width // 2] == 255
        assert alpha[0, 0] == 0


def test_defaults_are_those_of_the_parameters():
    assert Cleaning.of({p.name: p.default for p in CLEANING_PARAMETERS}) == Cleaning()


VIDEO = [Layout(HEIGHT, WIDTH, Planes.YCC420, depth, full) for depth in (8, 10) for full in (False, True)]


def video(layout, rgb):
    """A picture in units of white (H, W, 3) as video has it, BT.601."""
    red, green, blue = (rgb[..., i] for i in range(3))
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    unit = 1 << (layout.bit_depth - 8)
    span, black = (layout.white, 0) if layout.full_range else (219 * unit, 16 * unit)
    chroma_span = layout.white if layout.full_range else 224 * unit
    chroma = [((x - luma) / y)[::2, ::2] * chroma_span + layout.neutral for x, y in ((blue, 1.772), (red, 1.402))]
    planes = [luma * span + black, *chroma]
    return np.concatenate([np.rint(plane).clip(0, layout.white).ravel() for plane in planes]).astype(layout.dtype)


@pytest.mark.parametrize("layout", VIDEO)
@pytest.mark.parametrize("tint", [(1, 1, 1), (1.15, 1, 0.85)])
def test_video_planes_get_the_light_of_the_frame_and_its_colour(layout, tint):
    plate = scene(np.uint16, 3)[0] / 65535
    plate = 0.2 + 0.5 * plate
    truth = video(layout, plate * np.linspace(0.9, 0.7, WIDTH)[:, None] * tint)
    frame = truth.copy()
    layout.plane(frame, 0)[COVERED > 0] = layout.white
    for index in (1, 2):
        layout.plane(frame, index)[20:45, 30:45] = layout.white // 4
    shown, known = PlanarPicture(frame, layout), PlanarPicture(video(layout, plate), layout)
    cleaned = clean_planes(shown, known, COVERED, Cleaning(), 0.005).samples
    for index, (inside, bound) in enumerate(zip((COVERED > 0, *[COVERED[::2, ::2] > 0] * 2), (6, 3, 3), strict=True)):
        got, wanted, as_it_is = (layout.plane(x, index).astype(float) for x in (cleaned, truth, known.samples))
        unit = 1 << (layout.bit_depth - 8)
        assert np.abs(got - wanted)[inside].mean() < bound * unit, index
        if index == 0 or tint != (1, 1, 1):
            assert np.abs(as_it_is - wanted)[inside].mean() > bound * unit, index


@pytest.mark.parametrize("layout", VIDEO)
def test_samples_of_video_away_from_what_is_covered_stay_as_they_are(layout):
    rng = np.random.default_rng(0)
    frame, plate = (
        PlanarPicture(rng.integers(0, layout.white, layout.n_values).astype(layout.dtype), layout) for _ in range(2)
    )
    alpha = Cleaning().alpha(COVERED, HEIGHT, WIDTH)
    cleaned = clean_planes(frame, plate, COVERED, Cleaning(), 0.005)
    untouched = layout.spread(alpha == 0)
    for index in (1, 2):  # Chroma changes with any of its four pixels.
        any_of_four = cv2.resize(alpha, layout.shapes[index][::-1], interpolation=cv2.INTER_AREA) > 0
        layout.plane(untouched, index)[...] = ~any_of_four
    np.testing.assert_array_equal(cleaned.samples[untouched], frame.samples[untouched])
    assert (cleaned.samples[~untouched] != frame.samples[~untouched]).mean() > 0.9


@pytest.mark.parametrize("layout", [Layout(HEIGHT, WIDTH, Planes.RGB), *VIDEO[::3]])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.7])
def test_other_light_is_followed_however_much_is_hidden_as_long_as_enough_is_seen(layout, share):
    plate = 0.2 + 0.5 * scene(np.uint16, 3)[0] / 65535
    frame, known = (
        video(layout, light * plate) if layout.planes is Planes.YCC420
        else layout.quantise((light * plate).transpose(2, 0, 1).ravel()) for light in (0.5, 1)
    )  # fmt: skip
    covered = np.zeros((HEIGHT, WIDTH), np.uint8)
    covered[:, : round(share * WIDTH)] = 255
    shown, behind = PlanarPicture(frame, layout), PlanarPicture(known, layout)
    cleaned = clean_planes(shown, behind, covered, Cleaning(0, 0), 0.005).samples
    inside = (slice(None), slice(None, round(share * WIDTH)))
    off = layout.plane(cleaned, layout.luma_index).astype(float) - layout.plane(frame, layout.luma_index)
    assert abs(off[inside].mean()) < 2 * layout.white / 255


def test_where_next_to_nothing_is_seen_the_light_stays_that_of_the_plate():
    plate, white = scene(np.uint8, 3)
    frame = np.full_like(plate, 255)
    covered = np.full((HEIGHT, WIDTH), 255, np.uint8)
    covered[:8] = 0  # What the mask has missed.
    cleaned = clean(frame, plate, covered, Cleaning(0, 0), 0.005, white)
    assert np.abs(cleaned.astype(float) - plate)[8:].mean() < 0.3 * np.abs(255 - plate.astype(float))[8:].mean()


def test_what_is_replaced_far_within_what_was_seen_stays_within_it():
    seen = np.ones((HEIGHT, WIDTH), np.bool_)
    seen[:, 100:] = False
    cleaning = Cleaning(0.05, 0.05)
    within = cleaning.far_within(seen)
    alpha = cleaning.alpha(within, HEIGHT, WIDTH)
    assert not alpha[~seen].any()
    assert alpha[:, :80].min() == 255
    assert cleaning.far_within(np.ones_like(seen)).min() == 255, "the border of a picture is no limit"


def test_no_colour_of_what_is_replaced_is_left_at_its_edge_nor_taken_from_what_is_kept():
    layout = Layout(HEIGHT, WIDTH, Planes.YCC420)
    plate = np.full(layout.n_values, 128, np.uint8)
    frame, covered = plate.copy(), np.zeros((HEIGHT, WIDTH), np.uint8)
    covered[41:90, 61:90] = 255
    for index in (1, 2):
        layout.plane(frame, index)[20:45, 30:45] = 200  # As far as any of four pixels is covered.
    shown, known = PlanarPicture(frame, layout), PlanarPicture(plate, layout)
    bare = Cleaning(0, 0)
    cleaned = clean_planes(shown, known, covered, bare, 0.005).samples
    np.testing.assert_array_equal(cleaned, plate)
    kept = np.full((HEIGHT, WIDTH), 255, np.uint8)
    kept[:, 75:] = 0
    half = clean_planes(shown, known, covered, bare, 0.005, AreaMaps(cleaned=kept)).samples
    np.testing.assert_array_equal(layout.plane(half, 1)[:, 37:], layout.plane(frame, 1)[:, 37:])
    np.testing.assert_array_equal(layout.plane(half, 1)[:, :37], layout.plane(plate, 1)[:, :37])
