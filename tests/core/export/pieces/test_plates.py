"""The plate of a whole from those of its pieces: the look that most frames saw, in the light that was usual."""

from functools import partial

import numpy as np

from core.export.pieces.plates import MOST_TOGETHER, WeightedPlate, joined_plate


def joined(looks, weights, near=24.0):
    plates = [
        WeightedPlate(np.full((2, 3, 3), look, np.uint8), np.full((2, 3), weight, np.float32))
        for look, weight in zip(looks, weights, strict=True)
    ]
    found = joined_plate([partial(lambda plate: plate, plate) for plate in plates], near)
    assert (found.plate == found.plate[0, 0, 0]).all()
    return int(found.plate[0, 0, 0]), float(found.weight[0, 0])


def test_the_look_with_most_frames_wins_and_others_do_not_blend_into_it():
    assert joined([100, 104, 200], [10, 10, 15]) == (102, 20)
    assert joined([100, 104, 200], [10, 10, 25]) == (200, 25)


def test_lights_of_one_look_count_by_their_frames():
    assert joined([100, 110], [10, 10])[0] == 105
    assert joined([100, 110, 112], [100, 1, 1])[0] == 100
    assert joined([90, 100, 110], [1, 1, 1])[0] == 100


def test_what_no_piece_saw_is_the_median_of_guesses_and_weighs_nothing():
    assert joined([80, 90, 100], [0, 0, 0]) == (90, 0)
    assert joined([80, 90, 200], [0, 0, 1]) == (200, 1)


def test_very_many_pieces_are_joined_in_groups():
    n = MOST_TOGETHER**2 + 5
    found, weight = joined([100 + place % 3 for place in range(n)], [2] * n)
    assert found == 101
    assert weight == 2 * n


def test_each_pixel_is_decided_by_itself_and_deep_samples_stay_deep():
    rng = np.random.default_rng(0)
    looks, seen = rng.integers(0, 65535, (3, 40, 30)).astype(np.uint16), rng.random((3, 40, 30)).astype(np.float32)
    found = joined_plate([partial(WeightedPlate, *pair) for pair in zip(looks, seen, strict=True)], 0.0)
    best = seen.argmax(axis=0)[None]
    assert found.plate.dtype == np.uint16
    assert np.array_equal(found.plate, np.take_along_axis(looks, best, axis=0)[0])
