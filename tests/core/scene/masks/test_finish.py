"""Grown, shrunk and feathered masks and mattes."""

import cv2
import numpy as np
import pytest

from core.scene.masks.finish import FINISH_PARAMETERS, MaskFinish

TYPES = pytest.mark.parametrize("dtype", [np.uint8, np.uint16])


def disc(dtype=np.uint8, radius=20, at=(60, 70), shape=(120, 150)):
    drawn = np.zeros(shape, np.uint8)
    cv2.circle(drawn, at[::-1], radius, 255, -1)
    return drawn.astype(dtype) * np.iinfo(dtype).max // 255 if dtype != np.uint8 else drawn


def radius_of(mask):
    return (np.count_nonzero(mask) / np.pi) ** 0.5


def test_without_a_finish_nothing_is_even_copied():
    mask = disc()
    for finish in (MaskFinish(), MaskFinish.of({p.name: p.default for p in FINISH_PARAMETERS}), MaskFinish(0.2, 0.3)):
        assert finish.grown(mask) is mask
        assert finish.softened(mask) is mask


@TYPES
@pytest.mark.parametrize("grow", [-15, -3, -1, 1, 2, 7, 30])
def test_a_disc_grows_and_shrinks_by_so_many_pixels_to_all_sides(dtype, grow):
    mask = disc(dtype)
    before, out = mask.copy(), MaskFinish(grow=grow).grown(mask)
    assert out.dtype == dtype
    np.testing.assert_array_equal(mask, before)
    assert radius_of(out) == pytest.approx(20 + grow, abs=0.06 * abs(grow) + 0.6)
    for reached in (np.flatnonzero(out.any(axis=0)), np.flatnonzero(out.any(axis=1))):
        off = 2 * (20 + grow) - (reached[-1] - reached[0])
        assert off == 0 if grow > 0 else 0 <= off <= 2, "an octagon is as wide as the disc; its corners reach further"
    square = cv2.dilate(mask, np.ones((2 * abs(grow) + 1,) * 2, np.uint8))
    if grow > 6:
        assert np.count_nonzero(square) > np.count_nonzero(out), "it grew by a square"


def test_what_shrinks_by_more_than_it_has_is_gone_and_the_border_shrinks_nothing():
    assert not MaskFinish(grow=-25).grown(disc()).any()
    whole = np.full((30, 40), 255, np.uint8)
    np.testing.assert_array_equal(MaskFinish(grow=-10).grown(whole), whole)
    left = np.zeros((30, 40), np.uint8)
    left[:, :20] = 255
    out = MaskFinish(grow=-5).grown(left)
    assert (out[:, :15] == 255).all()
    assert not out[:, 15:].any()


@TYPES
@pytest.mark.parametrize("feather", [1, 2, 5, 12])
def test_a_feathered_edge_falls_evenly_and_reaches_as_far_as_it_says(dtype, feather):
    white = np.iinfo(dtype).max
    alpha = np.zeros((60, 100), dtype)
    alpha[:, :50] = white
    out = MaskFinish(feather=feather).softened(alpha)
    row = out[30].astype(np.int64)
    assert (np.diff(row) <= 0).all()
    assert (row[: 50 - feather] == white).all()
    assert not row[50 + feather :].any()
    assert 0 < row[50 + feather - 1] < row[50 - feather] < white
    assert row[49] + row[50] == pytest.approx(white, abs=0.02 * white + 2), "the edge has moved"
    assert MaskFinish(feather=feather).grown(alpha) is alpha, "a mask has no soft edge"


def test_an_empty_mask_stays_empty():
    empty = np.zeros((20, 30), np.uint8)
    assert MaskFinish(40, 20).softened(empty) is empty


@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (2, 3)])
def test_pictures_smaller_than_the_reach_are_finished_too(shape):
    whole = np.full(shape, 255, np.uint8)
    for finish in (MaskFinish(100, 100), MaskFinish(-100, 100)):
        out = finish.softened(whole)
        assert out.shape == shape
        assert (out == 255).all()
