import numpy as np
import pytest

from core.frames.coarse_grid import Coarse, Grid
from core.scene.masks.ghosts import Ghosts

SHAPE = (80, 120)
LEFT, MOVING = np.s_[20:60, 20:50], np.s_[20:60, 50:70]


def judged(frame, background, n=24):
    """Pixels found within n frames, in which ``MOVING`` changes all the time."""
    ghosts, rng = Ghosts(SHAPE, 1, 255, np.uint8), np.random.default_rng(0)
    found = np.zeros(SHAPE, bool)
    none = np.empty((0, 0), np.uint8)
    for _ in range(n):
        now = frame.copy()
        now[MOVING] = rng.integers(150, 250, now[MOVING].shape)
        pictures = Coarse(Grid(*SHAPE), [now, none, none], [background, none, none])
        pictures.now[0][:], pictures.known[0][:] = now, background
        differs = np.abs(now.astype(int) - background) > 10
        pictures.differs[:] = pictures.mask[:] = np.where(differs, 255, 0)
        for task in ghosts.follow(pictures):
            task()
        revealed = ghosts.judge(pictures, 0)
        if revealed is not None:
            found |= revealed > 0
    return found


@pytest.fixture
def scene():
    floor = np.full(SHAPE, 100, np.uint8)
    floor[:, 35:] = 120
    figure = floor.copy()
    figure[LEFT] = 30
    return floor, figure


def test_what_somebody_left_is_background_while_they_still_stand_next_to_it(scene):
    floor, figure = scene
    found = judged(frame=floor, background=figure)
    assert found[LEFT].all()
    assert found[20:60, 51:70].mean() < 0.02, "who moves is no part of it"
    assert found.sum() < 1.4 * 40 * 30


def test_what_was_put_there_is_no_ghost_whatever_moves_next_to_it(scene):
    floor, figure = scene
    assert not judged(frame=figure, background=floor).any()
