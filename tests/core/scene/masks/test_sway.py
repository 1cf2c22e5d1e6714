"""Where the background sways more is asked of what differs, and nowhere else."""

import numpy as np
import pytest

from core.scene.masks.head import Verdict
from core.scene.masks.sway import CALM, MOST, discounted

SHAPE = (60, 81)


def verdict(logit=3.0):
    foreground = np.full(SHAPE, logit, np.float32)
    return Verdict(
        foreground, foreground - 2, foreground, np.ones((15, 21), np.uint8), [np.zeros((*SHAPE, 16), np.float32)]
    )


def noise(level=2.0, crown=None):
    """Return variances of a frame of one noise scale, and of another in a crown of a tree."""
    scale = np.full(SHAPE, level, np.float32)
    if crown is not None:
        scale[:30, 30:] = crown
    return scale**2


@pytest.mark.parametrize("level", [1, 5, 12, 40])
def test_noise_that_is_the_same_everywhere_asks_nothing(level):
    before = verdict()
    found = discounted(before, noise(level), level)
    np.testing.assert_array_equal(found.foreground, before.foreground)
    np.testing.assert_array_equal(found.shadow, before.shadow)


def test_a_calm_frame_gives_the_verdict_itself():
    before = verdict()
    assert discounted(before, noise(1, crown=CALM), 1) is before


def test_a_crown_is_discounted_and_what_lies_far_from_it_is_not():
    before = verdict()
    found = discounted(before, noise(2, crown=14), 2)
    less = before.foreground - found.foreground
    np.testing.assert_allclose(less[:14, 46:], MOST * ((14 - 2) / CALM - 1))
    assert not less[46:].any()
    assert not less[:, :14].any()
    np.testing.assert_allclose(before.shadow - found.shadow, less, atol=1e-6)


def test_what_is_given_stays_as_it_is():
    before, variance = verdict(), noise(2, crown=30)
    discounted(before, variance, 2)
    assert (before.foreground == 3).all()
    assert (before.shadow == 1).all()
    np.testing.assert_array_equal(variance, noise(2, crown=30))


def test_what_the_head_is_sure_of_stays_foreground_in_any_crown():
    found = discounted(verdict(float(MOST) + 0.1), noise(2, crown=200), 2)
    assert (found.foreground > 0).all()
    assert found.foreground.dtype == np.float32


def test_leaves_count_that_were_only_seen_around_a_cell():
    variance = noise(2, crown=30)
    variance[10:12, 50:52] = 1
    found = discounted(verdict(), variance, 2)
    assert (found.foreground[10:12, 50:52] < 0).all()


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (5, 7)])
def test_frames_of_a_few_cells(shape):
    few = Verdict(*(np.zeros(shape, np.float32) for _ in range(3)), np.ones((2, 2), np.uint8), [np.zeros((*shape, 16))])
    assert discounted(few, np.full(shape, 400, np.float32), 2).foreground.shape == shape
