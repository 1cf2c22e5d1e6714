"""The growth of masks over weak pixels, held to whole-picture dilations."""

import cv2
import numpy as np
import pytest

from core.kernels import hysteresis

SQUARE = np.ones((3, 3), np.uint8)


def beyond(seen, known):
    """How far samples leave the range of the background's neighbourhood."""
    above, below = (f(known, SQUARE).reshape(known.shape) for f in (cv2.dilate, cv2.erode))
    return np.maximum(np.maximum(seen.astype(int) - above, below.astype(int) - seen), 0)


def grown(mask, planes, share, reach, neighbours=SQUARE):
    """Dilate within the weak pixels, again and again."""
    now, known, limits = planes[:3], planes[3:6], planes[6:]
    weak = np.zeros(mask.shape, bool)
    for i, (seen, background, limit) in enumerate(zip(now, known, limits, strict=True)):
        if seen.size:
            over = (beyond(seen, background) > np.float32(share) * limit).astype(np.uint8)
            weak |= np.kron(over, np.ones((1 + (i > 0),) * 2, np.uint8))[: mask.shape[0], : mask.shape[1]] > 0
    out = mask.copy()
    for _ in range(reach):
        out[(cv2.dilate(out, neighbours).reshape(out.shape) > 0) & weak] = 255
    return out


def made(rng, size, dtype, *, colour):
    half = ((size[0] + 1) // 2, (size[1] + 1) // 2) if colour else (0, 0)
    shapes = [size, half, half]
    now, known = ([rng.integers(0, 90, s).astype(dtype) for s in shapes] for _ in range(2))
    limits = [rng.integers(20, 70, s).astype(dtype) for s in shapes]
    mask = np.where(rng.random(size) < 0.02, np.uint8(255), np.uint8(0))
    return mask, [*now, *known, *limits]


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (7, 2), (33, 41), (64, 200)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("colour", [False, True], ids=["grey", "colour"])
@pytest.mark.parametrize("reach", [1, 3])
def test_a_mask_grows_over_the_weak_pixels_that_hang_together_with_it(size, dtype, colour, reach):
    rng = np.random.default_rng(0)
    for share in (0.3, 0.7):
        mask, planes = made(rng, size, dtype, colour=colour)
        expected = grown(mask, planes, share, reach)
        hysteresis.grow(mask, *planes, np.float32(share), reach)
        np.testing.assert_array_equal(mask, expected)


def test_that_comparison_finds_growth_over_edges_alone():
    mask, planes = made(np.random.default_rng(0), (64, 200), np.uint8, colour=True)
    wrong = grown(mask, planes, 0.5, 3, cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
    hysteresis.grow(mask, *planes, np.float32(0.5), 3)
    assert (mask != wrong).any()


@pytest.mark.parametrize("value", [0, 255])
def test_nothing_grows_from_nothing_and_nothing_beyond_everything(value):
    mask, planes = made(np.random.default_rng(0), (40, 70), np.uint8, colour=True)
    mask[:] = value
    hysteresis.grow(mask, *planes, np.float32(0.1), 5)
    assert (mask == value).all()
