"""What passes and its shadow leave a frame; what is put there fits the frame's light."""

import numpy as np
import pytest

from core.scene.cleaning import CLEANING_PARAMETERS, Cleaning, clean

HEIGHT, WIDTH = 120, 160
COVERED = np.zeros((HEIGHT, WIDTH), np.uint8)
COVERED[40:90, 60:90] = 255


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
