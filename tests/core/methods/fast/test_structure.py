"""Structure is that of a scene, whatever light falls on it."""

import cv2
import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.methods.fast.structure import FEWEST_BLOCKS, SIDE, is_unlike

HEIGHT, WIDTH = 128, 160
LAYOUT = Layout(HEIGHT, WIDTH, Planes.YCC420, 8)
GRAIN = 1 / 255


def scene(seed):
    rng = np.random.default_rng(seed)
    coarse = rng.uniform(40, 215, (HEIGHT // 2, WIDTH // 2)).astype(np.float32)
    return cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR)


def vector(luma):
    out = np.full(LAYOUT.n_values, 128, np.uint8)
    LAYOUT.plane(out, 0)[...] = np.clip(luma, 0, 255)
    return out


def test_another_scene_is_unlike():
    for seed in range(20):
        assert is_unlike(vector(scene(seed)), vector(scene(seed + 100)), LAYOUT, GRAIN)


@pytest.mark.parametrize("light", [lambda x: 0.4 * x, lambda x: 255 * (x / 255) ** 2, lambda x: 0.6 * x + 90])
def test_the_same_scene_in_other_light_is_not(light):
    assert not is_unlike(vector(light(scene(0))), vector(scene(0)), LAYOUT, GRAIN)


def test_a_lamp_at_one_side_is_not():
    lamp = np.linspace(0.2, 1.1, WIDTH, dtype=np.float32)
    assert not is_unlike(vector(scene(0) * lamp), vector(scene(0)), LAYOUT, GRAIN)


def test_who_fills_most_of_the_picture_does_not_make_it_another_scene():
    filled = scene(0)
    filled[:, : int(0.9 * WIDTH)] = scene(1)[:, : int(0.9 * WIDTH)]
    assert not is_unlike(vector(filled), vector(scene(0)), LAYOUT, GRAIN)


def test_what_shows_next_to_nothing_tells_nothing():
    few = np.full((HEIGHT, WIDTH), 100, np.float32)
    few[:SIDE, : 3 * SIDE] = scene(1)[:SIDE, : 3 * SIDE]
    assert FEWEST_BLOCKS > 3
    assert not is_unlike(vector(few), vector(np.full((HEIGHT, WIDTH), 100)), LAYOUT, GRAIN)


def test_noise_is_no_structure():
    sigma = 12
    noisy = [vector(100 + sigma * np.random.default_rng(k).standard_normal((HEIGHT, WIDTH))) for k in range(2)]
    assert not is_unlike(*noisy, LAYOUT, sigma / 255)
    assert is_unlike(*noisy, LAYOUT, GRAIN), "if it were taken for structure"
