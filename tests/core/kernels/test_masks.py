"""The kernels of the mask, held to OpenCV's morphology and filters on whole planes."""

import cv2
import numpy as np
import pytest

from core.kernels import masks, noise

SQUARE = np.ones((3, 3), np.uint8)
SIZES = [(1, 1), (2, 2), (3, 5), (8, 8), (17, 23), (97, 131), (96, 128)]
LEAST = 20

sizes = pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
steps = pytest.mark.parametrize("step", [1, 2, 3])
depths = pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
kinds = pytest.mark.parametrize("colour", [False, True], ids=["grey", "colour"])


def halves(n):
    """Two bands where there are two rows, else one."""
    return [(0, n // 2), (n // 2, n)] if n > 1 else [(0, n)]


def beyond(v, known):
    """How far samples leave the range of the background's neighbourhood."""
    above, below = cv2.dilate(known, SQUARE).reshape(v.shape), cv2.erode(known, SQUARE).reshape(v.shape)
    return np.maximum(np.maximum(v.astype(int) - above, below.astype(int) - v), 0)


def majority(marks):
    """The median filter, for masks of 0 and 255."""
    return cv2.threshold(cv2.blur(marks, (5, 5)), 127, 255, cv2.THRESH_BINARY)[1].reshape(marks.shape)


def enlarged(plane, step, shape):
    return np.kron(plane, np.ones((step, step), int))[: shape[0], : shape[1]]


def planes(rng, size, dtype, most, *, colour):
    half = ((size[0] + 1) // 2, (size[1] + 1) // 2)
    shapes = [size, half, half] if colour else [size, (0, 0), (0, 0)]
    return [rng.integers(0, most, shape).astype(dtype) for shape in shapes]


@sizes
@steps
@depths
@kinds
def test_marks_are_what_leaves_the_neighbours_range_by_more_than_the_limit(size, step, dtype, colour):
    rng = np.random.default_rng(0)
    now, known = (planes(rng, size, dtype, 60, colour=colour) for _ in range(2))
    limits = planes(rng, size, dtype, 25, colour=colour)
    raw, mask = np.empty(size, np.uint8), np.empty(size, np.uint8)
    grid = (-(-size[0] // step), -(-size[1] // step))
    luma, background = np.empty(grid, dtype), np.empty(grid, dtype)
    differs, asked = np.empty(grid, np.uint8), np.empty(grid, np.uint8)
    for a, b in halves(-(-size[0] // noise.BLOCK)):
        masks.mark_band(
            a, b, *now, *known, *limits, raw, mask, step, dtype(LEAST), luma, background, differs, asked
        )  # fmt: skip
    marked = beyond(now[0], known[0]) > limits[0]
    for v, b, limit in zip(now[1:], known[1:], limits[1:], strict=True):
        if v.size:
            marked = marked | (enlarged(beyond(v, b) > limit, 2, size) > 0)
    np.testing.assert_array_equal(raw, np.where(marked, 255, 0))
    np.testing.assert_array_equal(mask, majority(raw))
    thin = np.abs(now[0].astype(int) - known[0]) > np.maximum(limits[0], LEAST)
    np.testing.assert_array_equal(differs, np.where(marked | thin, 255, 0)[::step, ::step])
    np.testing.assert_array_equal(asked, mask[::step, ::step])
    np.testing.assert_array_equal(luma, now[0][::step, ::step])
    np.testing.assert_array_equal(background, known[0][::step, ::step])


@sizes
@steps
def test_what_is_taken_from_a_mask_leaves_what_most_neighbours_are(size, step):
    rng = np.random.default_rng(1)
    mask = np.where(rng.random(size) < 0.7, 255, 0).astype(np.uint8)
    grid = (-(-size[0] // step), -(-size[1] // step))
    taken = np.where(rng.random(grid) < 0.2, 255, 0).astype(np.uint8)
    out = np.empty(size, np.uint8)
    for a, b in halves(size[0]):
        masks.uncover_band(a, b, mask, taken, step, out)
    left = np.where(enlarged(taken, step, size) > 0, 0, mask).astype(np.uint8)
    np.testing.assert_array_equal(out, majority(left))


@sizes
def test_a_mask_grows_by_a_pixel_all_around(size):
    mask = np.where(np.random.default_rng(2).random(size) < 0.1, 255, 0).astype(np.uint8)
    out = np.empty(size, np.uint8)
    for a, b in halves(size[0]):
        masks.widen_band(a, b, mask, out)
    np.testing.assert_array_equal(out, cv2.dilate(mask, SQUARE).reshape(size))


def test_several_steps_of_learning_at_once_are_as_many_one_by_one():
    shape, rng = (16, 24), np.random.default_rng(3)
    seen, known = (rng.integers(0, 40, shape).astype(np.uint8) for _ in range(2))
    mask, flicker = np.where(rng.random(shape) < 0.3, 255, 0).astype(np.uint8), np.full((2, 3), 0.05, np.float32)
    f = np.float32
    at_once, one_by_one = np.full(shape, 4, np.float32), np.full(shape, 4, np.float32)
    limit = np.empty(shape, np.uint8)
    high = np.full((2, 3), 1e4, np.float32)
    numbers = f(0.01), f(1000), f(0), f(1), high, f(5), f(20)  # the clip does not bind
    noise.learn_noise_band(0, 2, seen, known, mask, 1, flicker, 3, *numbers, at_once, limit)
    for _ in range(3):
        noise.learn_noise_band(0, 2, seen, known, mask, 1, flicker, 1, *numbers, one_by_one, limit)
    np.testing.assert_allclose(at_once, one_by_one, rtol=1e-5)
    np.testing.assert_allclose(limit, np.floor(np.minimum(5 * (1 + 20 * 0.05) * np.sqrt(at_once), 255)), atol=1)
    assert (at_once[mask > 0] == 4).all()


def test_noise_above_its_ceiling_falls_and_does_not_grow():
    shape, f = (16, 24), np.float32
    known, mask, flicker = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8), np.zeros((2, 3), f)
    seen, limit = np.full(shape, 9, np.uint8), np.empty(shape, np.uint8)
    ceiling = np.array([[1e4, 1e4, 50], [50, 50, 50]], f)
    variance = np.full(shape, 40, f)
    variance[8:, :8], variance[8:, 8:16] = 60, 120  # One of them below the square of 9, one above.
    for _ in range(300):
        noise.learn_noise_band(
            0, 2, seen, known, mask, 1, flicker, 1, f(0.05), f(4), f(0), f(1), ceiling, f(5), f(0), variance, limit
        )
    blocks = variance[::8, ::8]
    np.testing.assert_allclose(blocks, [[81, 81, 50], [60, 81, 50]], rtol=1e-3)


def test_flicker_and_cover_are_shares_of_a_block():
    shape = (16, 20)
    raw, before, near, near_before = (np.zeros(shape, np.uint8) for _ in range(4))
    raw[:4, :8] = 255  # Half of the first block changes sides, a quarter of it near foreground.
    near[:2, :8] = 255
    near[8:, 16:] = 255
    flicker, cover = np.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32)
    noise.learn_flicker_band(0, 2, raw, before, near, near_before, np.float32(0.5), flicker, cover)
    np.testing.assert_allclose(flicker, [[0.125, 0, 0], [0, 0, 0]])
    np.testing.assert_allclose(cover, [[0.125, 0, 0], [0, 0, 0.5]])
