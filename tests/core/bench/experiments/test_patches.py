"""Patches: taken apart and put together again, against loops; and a quick run."""

import numpy as np

from core.bench.experiments import patches
from core.bench.experiments.base import finish
from tests.reference import experiments as reference


def test_patches_are_those_of_the_slow_twin_and_come_together_again():
    image = np.random.default_rng(0).random((21, 30)).astype(np.float32)
    found = patches.to_patches(image)
    expected = reference.patches(image.tolist(), patches.SIDE, patches.STRIDE)
    np.testing.assert_array_equal(found, np.array(expected, np.float32))
    np.testing.assert_allclose(patches.from_patches(found, image.shape), image, atol=1e-6)
    moved = patches.from_patches(found[::-1], image.shape)
    assert np.abs(moved - image).max() > 0.1, "the order counts"


def test_a_quick_run_makes_the_image_cleaner_than_it_came():
    result = finish(patches.run(None, 0, True))
    (values,) = result.figures["psnr_db"].values()
    assert values["robust-nmf"] > values["spoiled"]
    assert result.sheet.ndim == 2
