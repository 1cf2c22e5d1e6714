import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.runtime import bands
from core.scene.masks.noise_model import INITIAL_NOISE, NOISE_BOUNDS, NoiseModel
from core.scene.masks.parameters import MASK_PARAMETERS, MaskSettings

SIZE = (32, 48)
GREY = Layout(*SIZE, Planes.GREY)
BLOCKS = (4, 6)


def settings(layout=GREY, **chosen):
    return MaskSettings.of({**{p.name: p.default for p in MASK_PARAMETERS}, **chosen}, layout)


def model(layout=GREY):
    shapes = [SIZE] if layout.planes is Planes.GREY else [SIZE, (16, 24), (16, 24)]
    return NoiseModel(layout, shapes)


def learn(noise, now, background, hidden=None, n=1, passed=False, **chosen):
    for _ in range(n):
        tasks = noise.learn(
            now, background, np.zeros(SIZE, np.uint8) if hidden is None else hidden, np.zeros(BLOCKS, np.float32),
            np.full(BLOCKS, passed), settings(**chosen), 2,
        )  # fmt: skip
        bands.all_of(tasks, now[0].size)


def noisy(rng, sigma):
    return [np.clip(np.rint(100 + sigma * rng.standard_normal(SIZE)), 0, 255).astype(np.uint8)]


FLAT = [np.full(SIZE, 100, np.uint8)]


def test_limits_are_so_many_noise_scales_and_more_where_it_flickers():
    noise = model()
    noise.load({"white": np.array(255), "variance0": np.full(SIZE, 9.0, np.float32)})
    flicker = np.zeros(BLOCKS, np.float32)
    flicker[1, 2] = 0.05
    noise.set_limits(flicker, settings(threshold=5, calm=20))
    expected = np.full(SIZE, 15)
    expected[8:16, 16:24] = 30
    np.testing.assert_array_equal(noise.limits[0], expected)


def test_it_learns_the_noise_where_nothing_hides_the_background():
    noise, rng, hidden = model(), np.random.default_rng(0), np.zeros(SIZE, np.uint8)
    hidden[:, 24:] = 255
    for _ in range(300):
        learn(noise, noisy(rng, 9), FLAT, hidden)
    found = np.sqrt(noise.variances[0])
    assert found[:, :24].mean() == pytest.approx(9, rel=0.12)
    np.testing.assert_allclose(found[:, 24:], 255 * INITIAL_NOISE, rtol=1e-5)


def test_the_noise_stays_in_its_bounds_and_grows_little_where_things_keep_passing():
    highs = []
    for passed in (False, True):
        noise, rng = model(), np.random.default_rng(0)
        learn(noise, FLAT, FLAT, n=400)
        assert noise.typical == pytest.approx(NOISE_BOUNDS[0], rel=1e-3)
        for _ in range(1200):
            learn(noise, [rng.choice(np.array([0, 255], np.uint8), SIZE)], FLAT, passed=passed, noise_memory=5)
        highs.append(noise.typical)
    assert highs[0] == pytest.approx(NOISE_BOUNDS[1], rel=1e-3)
    assert highs[1] < highs[0] / 5


def test_a_state_holds_for_other_bit_depths_and_what_was_learnt_can_be_forgotten():
    deep = Layout(*SIZE, Planes.YCC420, 10)
    noise, other = model(Layout(*SIZE, Planes.YCC420)), model(deep)
    noise.variances[1][3, 4] = 77
    other.load(noise.state())
    assert other.typical == pytest.approx(noise.typical)
    assert other.variances[1][3, 4] == pytest.approx(77 * (1023 / 255) ** 2)
    other.forget()
    np.testing.assert_allclose(np.sqrt(other.variances[1]), 1023 * INITIAL_NOISE, rtol=1e-5)
