"""The kernels of the plate, against the obvious versions."""

import numpy as np
import pytest

from core.kernels import clean_plate


def looks_of(dtype, n_frames, n=400, seed=0):
    """Frames (N, P) that show a scene with noise or something far from it, and what hides them; some pixels always."""
    rng = np.random.default_rng(seed)
    white = np.iinfo(dtype).max
    scene = rng.integers(white // 4, white // 2, n)
    frames = np.where(
        rng.random((n_frames, n)) < rng.random(n), scene + rng.integers(-3, 4, (n_frames, n)), white - 5
    ).astype(dtype)
    hidden = (rng.random((n_frames, n)) < rng.random(n)).astype(np.uint8)
    hidden[:, :20] = 1
    return frames, hidden, scene.astype(dtype)


def median_by_the_book(looks, hidden, known):
    seen = looks[hidden == 0].astype(int)
    return int(np.floor(np.median(seen) + 0.5)) if seen.size else int(known)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("n_frames", [1, 2, 9, 24, 301])
def test_the_median_is_that_of_what_was_seen(dtype, n_frames):
    frames, hidden, scene = looks_of(dtype, n_frames)
    out = scene.copy()
    clean_plate.median_of_seen(frames, hidden, out)
    assert out.tolist() == [median_by_the_book(*one) for one in zip(frames.T, hidden.T, scene, strict=True)]
    assert np.array_equal(out[:20], scene[:20]), "never seen"


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("n_frames", [1, 12, 75])
def test_the_spread_is_the_median_distance_of_what_was_seen(dtype, n_frames):
    frames, hidden, scene = looks_of(dtype, n_frames, seed=1)
    out = np.full(scene.size, 7, np.float32)
    clean_plate.spread_of_seen(frames, hidden, scene, out)
    for looks, covered, plate, spread in zip(frames.T.astype(int), hidden.T, scene.astype(int), out, strict=True):
        seen = np.abs(looks[covered == 0] - plate)
        assert spread == (np.median(seen) if seen.size else 0)
