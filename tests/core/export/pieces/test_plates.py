"""The plate of a whole from those of its pieces: the look that most frames saw, in the light that was usual."""

import tracemalloc
from functools import partial

import numpy as np
import pytest

from core.export.pieces import plates
from core.export.pieces.plates import GUESS, MOST_TOGETHER, WeightedPlate, joined_plate
from core.runtime import stopping


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


def agreed(looks, weights, near):
    """Return what `joined_plate` does of one pixel, slowly: of looks (N, C) of some weights."""
    weights = [weight + GUESS for weight in weights]

    def alike(one):
        return [max(abs(int(a) - int(b)) for a, b in zip(one, other, strict=True)) <= near for other in looks]

    support = [sum(weight for weight, is_like in zip(weights, alike(one), strict=True) if is_like) for one in looks]
    counts = alike(looks[support.index(max(support))])
    median = []
    for samples in zip(*looks, strict=True):
        found = [(int(s), w) for s, w, counted in zip(samples, weights, counts, strict=True) if counted]
        among = sorted(found, key=lambda pair: pair[0])
        half, reached, before = sum(w for _, w in among) / 2, 0.0, None
        for sample, weight in among:
            middle = reached + weight / 2
            if middle >= half:
                at = (sample, middle) if before is None else before
                share = 0 if before is None else (half - at[1]) / (middle - at[1])
                median.append(at[0] + share * (sample - at[0]))
                break
            reached, before = reached + weight, (sample, middle)
        else:
            median.append(before[0])
    return median


def test_colours_of_a_pixel_are_alike_in_all_planes_and_bands_leave_no_trace(monkeypatch):
    rng = np.random.default_rng(7)
    base = rng.integers(0, 256, (1, 11, 13, 3))
    looks = (base + rng.integers(-20, 21, (5, 11, 13, 3))).clip(0, 255).astype(np.uint8)
    seen = rng.integers(1, 900, (5, 11, 13)).astype(np.float32)
    monkeypatch.setattr(plates, "BAND_PIXELS", 40)
    found = joined_plate([partial(WeightedPlate, *pair) for pair in zip(looks, seen, strict=True)], 15.0).plate
    wanted = np.array([[agreed(looks[:, y, x], seen[:, y, x], 15.0) for x in range(13)] for y in range(11)])
    assert np.abs(found - wanted).max() <= 0.51
    assert np.abs(found - np.median(looks, axis=0)).max() > 5


def test_memory_is_that_of_a_band_and_of_the_plates_themselves():
    plate = WeightedPlate(np.zeros((256, 512, 3), np.uint8), np.ones((256, 512), np.float32))
    tracemalloc.start()
    try:
        joined_plate([lambda: plate] * MOST_TOGETHER, 24.0)
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()


def test_long_work_on_a_plate_is_stopped():
    plate = WeightedPlate(np.zeros((2, 3), np.uint8), np.ones((2, 3), np.float32))
    with stopping.stops_when(lambda: True), pytest.raises(stopping.StoppedError):
        joined_plate([lambda: plate] * 2, 24.0)
