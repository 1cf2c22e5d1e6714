import time

import numpy as np
import pytest

from app.rendering import histogram
from app.rendering.signed import signed, signed_picture, unsigned
from app.rendering.tone_mapping import Levels

ALL = Levels(0, 255)


def test_each_sample_of_8_bits_has_a_bar():
    picture = np.random.default_rng(0).integers(0, 256, (60, 80)).astype(np.uint8)
    found = histogram.histogram(picture, unsigned(255), ALL)
    assert found.counts[0].tolist() == np.bincount(picture.ravel(), minlength=256).tolist()
    assert found.edges[0] == 0
    assert found.middles[100] == pytest.approx(100.5)


def test_colour_has_three_rows():
    picture = np.zeros((10, 10, 3), np.uint8)
    picture[..., 2] = 255
    counts = histogram.histogram(picture, unsigned(255), ALL).counts
    assert counts.shape == (3, 256)
    assert (counts[0, 0], counts[2, 255]) == (100, 100)


def test_differences_are_counted_under_their_values():
    picture = signed_picture(np.array([[-100, 0, 0, 50]]), 255)
    scale = signed(255)
    covered = histogram.span(picture, scale, Levels(0, scale.top))
    found = histogram.histogram(picture, scale, covered)
    counted = [(found.edges[i], found.edges[i + 1]) for i in np.flatnonzero(found.counts[0])]
    for value in (-100, 0, 50):
        assert any(low <= value < high for low, high in counted)
    assert found.counts.sum() == 4


def test_bars_cover_all_of_8_bits_whatever_occurs():
    picture = np.array([[90, 110]], np.uint8)
    assert histogram.span(picture, unsigned(255), Levels(80, 120)) == ALL


def test_bars_cover_what_occurs_of_deep_samples_and_black_and_white_and_only_grow():
    picture = np.array([[500, 1500]], np.uint16)
    first = histogram.span(picture, unsigned(65535), Levels(400, 1200))
    assert 250 <= first.low < 400
    assert 1500 < first.high < 2000
    assert histogram.span(picture + np.uint16(10), unsigned(65535), Levels(400, 1200), first) == first
    more = histogram.span(np.array([[100, 200]], np.uint16), unsigned(65535), Levels(0, 65535), first)
    assert more.low < 100
    assert more.high == first.high


def test_a_large_picture_is_thinned_and_counts_stay_those_of_all_of_it():
    picture = np.random.default_rng(0).integers(0, 4096, (2160, 3840)).astype(np.uint16)
    started = time.thread_time()
    found = histogram.histogram(picture, unsigned(4095), Levels(0, 4095))
    assert time.thread_time() - started < 0.05
    assert found.counts.sum() == pytest.approx(picture.size, rel=0.01)


def test_bars_stay_where_what_occurs_reaches_their_ends():
    covered = Levels(400, 1600)
    for low, high in ((400, 1600), (400, 1000), (1000, 1600)):
        picture = np.array([[low, high]], np.uint16)
        assert histogram.span(picture, unsigned(65535), Levels(0, 65535), covered) == covered
    beyond = histogram.span(np.array([[399, 1600]], np.uint16), unsigned(65535), Levels(0, 65535), covered)
    assert beyond.low < 399
    assert beyond.high > 1600


def test_differences_have_bars_where_they_occur_however_few_bits_there_are():
    scale = signed(63)
    assert scale.top <= 255
    assert histogram.span(np.array([[60, 70]], np.uint16), scale, Levels(0, scale.top)) == Levels(52, 78)
