"""Regions of random masks, held to scipy's labels and closing."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from core.kernels import regions
from tests.core.kernels.test_regions import NO_DOUBT

CORNERS, EDGES = np.ones((3, 3)), ndimage.generate_binary_structure(2, 1)


def random_mask(height, width, share, seed):
    return np.where(np.random.default_rng(seed).random((height, width)) < share, 255, 0).astype(np.uint8)


MASKS = st.builds(random_mask, st.integers(1, 40), st.integers(1, 150), st.floats(0, 1), st.integers(0, 99))
SIZES = st.integers(0, 30)


def small(inside, size, structure):
    """Pixels of regions of fewer than ``size`` pixels."""
    labels, _ = ndimage.label(inside, structure)
    return inside & (np.bincount(labels.ravel())[labels] < size)


def dropped(mask, smallest, holes, at_specks=CORNERS, at_holes=EDGES):
    left = (mask > 0) & ~small(mask > 0, smallest, at_specks)
    return left | small(~left, holes, at_holes) if left.any() else left


@given(MASKS, SIZES, SIZES)
def test_specks_go_and_holes_are_filled(mask, smallest, holes):
    wanted, covered = dropped(mask, smallest, holes), np.zeros_like(mask)
    regions.drop_small(regions.runs_of(mask), smallest, holes, *NO_DOUBT, mask, covered)
    np.testing.assert_array_equal(mask, np.where(wanted, 255, 0))
    np.testing.assert_array_equal(covered, mask)


def test_other_neighbours_would_be_noticed():
    for wrong in ({"at_specks": EDGES}, {"at_holes": CORNERS}):
        mask = random_mask(40, 60, 0.5, 0)
        wanted = dropped(mask, 6, 6, **wrong)
        regions.drop_small(regions.runs_of(mask), 6, 6, *NO_DOUBT, mask, np.zeros_like(mask))
        assert (mask != np.where(wanted, 255, 0)).any()


@given(MASKS, st.integers(0, 99), st.floats(0, 1))
def test_regions_of_which_enough_rests_stay(mask, seed, share):
    marked, still = (random_mask(*mask.shape, 0.6, seed + n) for n in (1, 2))
    labels, n = ndimage.label(mask, CORNERS)
    n_marked, n_still = (np.bincount(labels.ravel(), x.ravel() > 0, n + 1) for x in (marked, still))
    stays = (n_marked > 0) & (n_still >= share * n_marked)
    stays[0] = False
    out = np.full_like(mask, 7)
    assert regions.keep_resting(mask, marked, still, share, out) == stays.any()
    np.testing.assert_array_equal(out, np.where(stays[labels], 255, 0))
