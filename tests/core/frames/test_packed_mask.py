import numpy as np
import pytest

from core.frames.packed_mask import PackedMask

SHAPES = [(5, 8), (7, 13), (1, 1)]


def marked(shape, seed):
    return np.random.default_rng(seed).random(shape) < 0.5


@pytest.mark.parametrize("shape", SHAPES)
def test_a_mask_is_unpacked_as_it_was_packed_in_an_eighth_of_the_memory(shape):
    mask = PackedMask.of(marked(shape, 0))
    np.testing.assert_array_equal(mask.rows(), marked(shape, 0))
    np.testing.assert_array_equal(mask.rows(slice(0, None, 2)), marked(shape, 0)[::2])
    np.testing.assert_array_equal(mask.rows(np.array([0, -1, 0])), marked(shape, 0)[[0, -1, 0]])
    assert mask.bits.nbytes == shape[0] * -(-shape[1] // 8)


@pytest.mark.parametrize("shape", SHAPES)
def test_masks_are_joined_and_replaced_pixel_by_pixel_and_stay_as_they_are(shape):
    one, other, where = (marked(shape, seed) for seed in range(3))
    packed = [PackedMask.of(x) for x in (one, other, where)]
    np.testing.assert_array_equal((packed[0] | packed[1]).rows(), one | other)
    np.testing.assert_array_equal(packed[0].replaced(packed[1], packed[2]).rows(), np.where(where, other, one))
    for mask, plain in zip(packed, (one, other, where), strict=True):
        np.testing.assert_array_equal(mask.rows(), plain)
