import cv2
import numpy as np
import pytest

from core.scene.swaying import sways

SHAPE, N = (80, 120), 9
APART, ALIKE = 24, 8
TREE, STREET = (slice(4, -4), slice(4, 52)), (slice(12, 68), slice(68, 112))


def scene(planes, scale):
    """Leaves before the sky at the left, an even street at the right."""
    rng, whole = np.random.default_rng(0), np.full((planes, *SHAPE), 120.0)
    leaves = cv2.GaussianBlur(rng.standard_normal(SHAPE), (0, 0), 2)[:, :60] > 0
    whole[:, :, :60] = np.where(leaves, 40, 200)
    return (whole * scale).astype(np.uint16 if scale > 1 else np.uint8)


def swayed(still, t):
    """Leaves to the left and right of where they are, by up to 4 pixels."""
    look = still.copy()
    look[:, :, :60] = np.roll(still[:, :, :60], round(4 * np.sin(2.1 * t)), axis=2)
    return look


def stripe(look, t, level, step=11):
    """Somebody before the street, in clothes of his own."""
    look[:, 10:70, 64 + step * (t % 5) : 75 + step * (t % 5)] = level
    return look


@pytest.mark.parametrize(("planes", "scale"), [(1, 1), (3, 1), (1, 200)])
def test_leaves_sway_and_who_passes_does_not(planes, scale):
    still, rng = scene(planes, scale), np.random.default_rng(1)
    looks = [stripe(swayed(still, t), t, scale * rng.integers(0, 255)) for t in range(N)]
    found = sways(still, looks, planes // 2, APART * scale, ALIKE * scale)
    assert found.shape == SHAPE
    assert found[TREE].mean() > 0.95
    differs = np.any([np.abs(look[0].astype(float) - still[0]) > APART * scale for look in looks], axis=0)
    assert differs[STREET].mean() > 0.9, "nobody passed"
    assert found[STREET].mean() < 0.1


def test_who_stands_before_leaves_in_one_frame_does_not_hide_their_sway():
    still = scene(1, 1)
    looks = [swayed(still, t) for t in range(N)]
    looks[4][:, 20:60, 10:50] = 120
    assert sways(still, looks, 0, APART, ALIKE)[TREE].mean() > 0.95


def test_where_nothing_differs_all_stays_as_it_was_learnt():
    still = scene(1, 1)
    assert sways(still, [still] * N, 0, APART, ALIKE).all()


@pytest.mark.parametrize("level", [0, 60000])
def test_what_lies_in_another_light_is_of_the_scene_and_what_hides_it_is_not(level):
    rng = np.random.default_rng(0)
    still = cv2.GaussianBlur(rng.uniform(60, 200, SHAPE), (0, 0), 1.5)[None]
    still = np.clip(130 + 3 * (still - 130), 40, 220).astype(np.uint8)
    looks = [still.copy() for _ in range(N)]
    for t in range(0, N, 2):
        looks[t][:, :, :60] = still[:, :, :60] * (0.5 + 0.04 * t)
        looks[t][:, :, 60:] = np.roll(still, 40, axis=1)[:, :, 60:] * 0.6 + 90 * (t % 4 == 0)
    looks = [look.astype(np.uint16) + np.uint16(level) for look in looks]
    found = sways(still.astype(np.uint16) + np.uint16(level), looks, 0, APART, ALIKE)
    assert found[TREE].mean() > 0.95
    assert found[STREET].mean() < 0.5
