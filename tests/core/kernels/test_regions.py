import numpy as np
import pytest

from core.kernels import regions

CORNERS = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
NO_DOUBT = np.zeros((1, 1), bool), np.zeros((1, 1), np.float32), 1000, np.float32(np.inf)
"""Regions are dropped and holes filled by their size alone."""

EDGES = [(-1, 0), (1, 0), (0, -1), (0, 1)]


def flood(mask, smallest, neighbours):
    """Drop the regions of True of fewer than ``smallest`` pixels, by walking each of them."""
    kept, seen = mask.copy(), np.zeros_like(mask)
    for start in zip(*np.nonzero(mask), strict=True):
        if seen[start]:
            continue
        region, waiting = [], [start]
        seen[start] = True
        while waiting:
            y, x = waiting.pop()
            region.append((y, x))
            for dy, dx in neighbours:
                at = (y + dy, x + dx)
                inside = 0 <= at[0] < mask.shape[0] and 0 <= at[1] < mask.shape[1]
                if inside and mask[at] and not seen[at]:
                    seen[at] = True
                    waiting.append(at)
        if len(region) < smallest:
            for at in region:
                kept[at] = False
    return kept


def dropped(mask, smallest, holes):
    out = mask.copy()
    regions.drop_small(regions.runs_of(out), smallest, holes, *NO_DOUBT, out, np.zeros_like(out))
    return out


def dropped_plainly(mask, smallest, holes, at_specks=CORNERS, at_holes=EDGES):
    without = flood(mask > 0, smallest, at_specks)
    if not without.any():
        return np.zeros_like(mask)
    return np.where(flood(~without, holes, at_holes), 0, 255).astype(np.uint8)


def masks():
    rng = np.random.default_rng(0)
    for share in (0.1, 0.35, 0.5, 0.65, 0.9):
        for shape in ((23, 31), (1, 17), (16, 1), (30, 30)):
            yield np.where(rng.random(shape) < share, 255, 0).astype(np.uint8)


@pytest.mark.parametrize("smallest", [0, 1, 2, 3, 5, 9, 40, 10_000])
@pytest.mark.parametrize("holes", [0, 2, 5, 40])
def test_it_drops_what_an_obvious_flood_fill_drops(smallest, holes):
    for mask in masks():
        kept = dropped(mask, smallest, holes)
        assert kept.dtype == np.uint8
        np.testing.assert_array_equal(kept, dropped_plainly(mask, smallest, holes), strict=True)


@pytest.mark.parametrize("wrong", [{"at_specks": EDGES}, {"at_holes": CORNERS}])
def test_that_comparison_finds_the_wrong_neighbourhood(wrong):
    assert any((dropped(mask, 5, 4) != dropped_plainly(mask, 5, 4, **wrong)).any() for mask in masks())


@pytest.mark.parametrize("smallest", [1, 400, 401, 100_000])
def test_an_empty_mask_stays_empty_however_large_the_smallest_region(smallest):
    assert not dropped(np.zeros((20, 20), np.uint8), smallest, smallest).any()


@pytest.mark.parametrize(("smallest", "left"), [(1, 255), (400, 255), (401, 0), (100_000, 0)])
def test_a_full_mask_is_one_region(smallest, left):
    assert (dropped(np.full((20, 20), 255, np.uint8), smallest, 400) == left).all()


def test_a_ring_of_the_size_stays_and_its_small_hole_is_filled():
    mask = np.zeros((12, 12), np.uint8)
    mask[2:8, 2:8] = 255
    mask[4:6, 4:6] = 0
    assert (dropped(mask, 32, 5) == 255).sum() == 36
    assert (dropped(mask, 32, 4) == 255).sum() == 32
    assert (dropped(mask, 33, 5) == 255).sum() == 0
    assert (dropped(mask, 0, 5)[4:6, 4:6] == 255).all()


def doubted(mask, logit, doubt=-1.0, holes=2):
    out = mask.copy()
    none = np.zeros_like(logit, bool)
    regions.drop_small(regions.runs_of(out), 0, holes, none, logit, 4, np.float32(doubt), out, np.zeros_like(out))
    return out


def test_a_large_hole_is_filled_where_it_is_doubted_on_average():
    mask, logit = np.full((24, 32), 255, np.uint8), np.full((6, 8), -9, np.float32)
    mask[6:18, 4:12] = 0  # 12 rows of two cells.
    logit[1:5, 1:3] = -0.9
    assert (doubted(mask, logit) == 255).all()
    assert (doubted(mask, logit, doubt=-0.8) == mask).all()
    assert (doubted(mask, logit, doubt=np.inf, holes=1) == mask).all(), "none is to be filled"
    logit[2, 1:3] = -1.5  # A third of it.
    assert (doubted(mask, logit) == mask).all()
    logit[2, 1] = -0.9
    assert (doubted(mask, logit) == 255).all()


def test_a_region_of_any_size_stays_with_one_cell_that_is_to_stay():
    mask, stays, logit = np.zeros((24, 32), np.uint8), np.zeros((6, 8), bool), np.zeros((6, 8), np.float32)
    mask[3:6, 2:6] = 255  # Of four cells.
    mask[10, 20] = 255
    stays[1, 1] = stays[2, 6] = True
    out, covered = mask.copy(), np.zeros_like(mask)
    regions.drop_small(regions.runs_of(out), 100, 0, stays, logit, 4, np.float32(np.inf), out, covered)
    assert np.array_equal(out > 0, covered > 0)
    assert (out[3:6, 2:6] == 255).all()
    assert np.count_nonzero(out) == 12


@pytest.mark.parametrize("opened", [np.s_[6, :4], np.s_[6, 12:], np.s_[:6, 5], np.s_[18:, 5]])
def test_what_is_open_to_an_edge_of_the_picture_is_no_hole(opened):
    mask = np.full((24, 32), 255, np.uint8)
    mask[6:18, 4:12] = mask[opened] = 0
    assert (doubted(mask, np.zeros((6, 8), np.float32)) == mask).all()


def test_blobs_of_which_enough_rests_are_kept():
    blobs, marked, still, out = (np.zeros((20, 30), np.uint8) for _ in range(4))
    for left, n_still in ((2, 12), (10, 11), (20, 16)):
        blobs[2:6, left : left + 4] = marked[2:6, left : left + 4] = 255
        still[2:6, left : left + 4] = np.arange(16).reshape(4, 4) < n_still
    blobs[6, 6:8] = 255  # hangs on by a corner, and has no pixel that is marked
    assert regions.keep_resting(blobs, marked, still, 0.75, out)
    expected = np.zeros_like(out)
    expected[2:6, 2:6] = expected[6, 6:8] = expected[2:6, 20:24] = 255
    np.testing.assert_array_equal(out, expected)
    assert not regions.keep_resting(blobs, marked, still, 1.01, out)
    assert not out.any()
