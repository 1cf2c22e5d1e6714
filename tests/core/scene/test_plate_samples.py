"""What is in the middle of the samples that show a plate, and how far they lie from it."""

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.scene.clean_plate import MOST
from core.scene.plate_consensus import VOTERS
from tests.core.scene.test_clean_plate import flat, plate_of
from tests.core.scene.test_stillest_samples import layouts, scene


@layouts
def test_the_noise_of_a_plate_is_the_deviation_of_its_samples(layout):
    rng = np.random.default_rng(0)
    frames = [
        layout.quantise((0.5 + 4 / 255 * rng.standard_normal(layout.n_values)).astype(np.float32)) for _ in range(60)
    ]
    made, noise = plate_of(layout, frames).samples_and_noise(scene(layout))
    assert np.mean(noise) * 255 / layout.white == pytest.approx(4, rel=0.15)
    assert np.abs(made.astype(float) - 0.5 * layout.white).mean() < 1.5 / 255 * layout.white


def test_a_plate_is_as_exact_as_the_median_of_all_the_frames_it_keeps():
    layout, rng = Layout(60, 80, Planes.GREY), np.random.default_rng(0)
    noise = 8.0
    frames = (np.rint(128 + noise * rng.standard_normal(layout.n_values)).astype(np.uint8) for _ in range(MOST))
    error = plate_of(layout, frames).samples(scene(layout)) - 128.0
    of_median, of_rounding = np.sqrt(np.pi / 2 / MOST) * noise, np.sqrt(1 / 12)
    assert MOST > VOTERS
    assert np.sqrt(np.mean(error**2)) < 1.05 * np.hypot(of_median, of_rounding), "of 151 it would be 1.35 times that"


def test_the_median_of_what_is_visible_takes_masks_for_the_truth():
    layout = Layout(60, 80, Planes.GREY)
    left = np.zeros((60, 80), np.uint8)
    left[:, :40] = 255
    plate = plate_of(layout, [flat(100 + t, layout) for t in range(11)], lambda t: left)
    made = plate.median_of_visible(flat(7, layout)).reshape(60, 80)
    assert set(made[:, :40].ravel()) == {7}
    assert set(made[:, 40:].ravel()) == {105}
