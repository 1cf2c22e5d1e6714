"""What is held of each number of plates, stillest samples and sway that was set by hand: `test_tuning` moves them."""

from unittest.mock import patch

import numpy as np

from core.frames.frame import Layout, Planes
from core.scene.clean_plate import CleanPlate
from core.scene.masks.head import Verdict
from core.scene.masks.sway import discounted
from core.scene.stillest_samples import StillestSamples
from core.scene.surroundings import change_around

GREY = Layout(60, 80, Planes.GREY)
EVERYTHING = np.full(GREY.shapes[0], 255, np.uint8)
CELLS = (60, 80)


def flat(level):
    return np.full(GREY.n_values, level, np.uint8)


def plate_of(frames, covered=lambda t: 0 * EVERYTHING):
    """The plate of frames (F,), of which masks cover what they do at each."""
    plate = CleanPlate(GREY)
    for t, v in enumerate(frames):
        plate.offer(v, covered(t), None)
    return plate.samples(flat(7))


def doubted(apart=40, hidden=0.7, trembles=60, noise=0):
    """Is a background replaced that misses the scene by so much, hidden so often by what trembles by so much?"""
    still, rng = StillestSamples(GREY), np.random.default_rng(0)
    for t in range(150):
        v = 100 + rng.integers(0, noise + 1, GREY.n_values)
        if t % 10 >= 3:
            v = 104 + rng.choice([0, trembles], GREY.n_values)
        still.offer(v.astype(np.uint8))
    return still.better(flat(100 + apart), np.full(GREY.shapes[0], hidden, np.float32)) is not None


# -- what is held of each number


def alike():
    """What a mask covers counts where it looks like what is seen."""
    for brighter, counts in ((20, True), (28, False)):
        frames = [flat(100 if t % 3 == 0 else 100 + brighter) for t in range(30)]
        assert set(plate_of(frames, lambda t: EVERYTHING * (t % 3 > 0))) == {100 + brighter if counts else 100}


def majority():
    """What is covered counts with most of its surroundings; masks are doubted that let mostly be seen what passes."""
    _with_most_around()
    for share, plate in ((0.4, 110), (0.65, 115.7)):  # The middle of the wall's noise; that of all which is seen.
        rng = np.random.default_rng(0)
        walls = [100 + rng.integers(0, 21, GREY.n_values) for _ in range(60)]
        frames = [
            wall.astype(np.uint8) if t % 20 < 20 * share else flat(140 + 47 * t % 110) for t, wall in enumerate(walls)
        ]
        assert abs(plate_of(frames).mean() - plate) < 1


def _with_most_around():
    for share, counts in ((0.4, False), (0.65, True)):
        rng = np.random.default_rng(0)
        walls = [rng.random(GREY.n_values) < share for _ in range(60)]
        frames = [
            flat(100) if t % 4 == 0 else np.where(wall, 110, 220).astype(np.uint8) for t, wall in enumerate(walls)
        ]
        made = plate_of(frames, lambda t: EVERYTHING * (t % 4 > 0))
        assert np.mean(made == (110 if counts else 100)) > 0.8


def still():
    """A noisy wall that is seen in three frames of ten; the leaves before it outvote it unless they tremble enough."""
    for trembles, wins in ((12, False), (16, True)):
        rng, frames = np.random.default_rng(0), []
        for t in range(60):
            v = (
                100 + rng.integers(0, 7, GREY.n_values)
                if t % 10 < 3
                else 200 + rng.choice([0, trembles], GREY.n_values)
            )
            frames.append(v.astype(np.uint8))
        assert (np.mean(plate_of(frames) < 150) > 0.5) == wins


def around():
    """How far from what changes a point is not still."""
    before, now = np.zeros((60, 80), np.uint8), np.zeros((60, 80), np.uint8)
    now[:, :40] = 200
    change = change_around(now, before, 255)
    assert (change[:, 42] > 0).all()
    assert not change[:, 44].any()


def asked():
    """In the crown of a tree the head has to be surer, and what it is surest of stays."""
    for logit, stays in ((3, False), (5, True)):
        said = np.full(CELLS, logit, np.float32)
        found = discounted(
            Verdict(said, said, said, np.ones((15, 20), np.uint8), [np.zeros((*CELLS, 16), np.float32)]),
            np.where(np.arange(80) < 40, 900, 4) * np.ones(CELLS, np.float32), 2,
        )  # fmt: skip
        assert (found.foreground[:, :20] > 0).all() == stays


def dense_frames():
    """All of so many frames are looked at, and as many of every second."""
    with patch("core.scene.stillest_samples.change_around", wraps=change_around) as looks:
        still = StillestSamples(GREY)
        for t in range(3 * 64):
            still.offer(flat(t))
    assert looks.call_count == 2 * 64 - 1, "there is none before the first"


def apart():
    """Of a scene without noise, whose deviation counts as one level."""
    assert not doubted(2)
    assert doubted(4)


def hidden():
    assert not doubted(hidden=0.25)
    assert doubted(hidden=0.35)


def restless():
    """Of a scene that changes by a level from frame to frame."""
    assert not doubted(trembles=24, noise=2)
    assert doubted(trembles=34, noise=2)
