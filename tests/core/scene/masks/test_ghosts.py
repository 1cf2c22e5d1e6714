import numpy as np
import pytest

from core.scene.masks.cells import Cells
from core.scene.masks.ghosts import Ghosts
from core.scene.tuning import SETTLED_FRAMES
from tests.core.scene.masks.learning import follow

SHAPE = (80, 120)
LEFT, MOVING = np.s_[20:60, 20:50], np.s_[20:60, 50:70]
NO_PLANE = np.empty((0, 0), np.uint8)


def judgements(frame, background, n=24, static_frames=0, sure=None, moving=MOVING):
    """Yield what is found in each of n frames, or None; in them ``moving`` changes all the time."""
    ghosts, rng = Ghosts(SHAPE, 2), np.random.default_rng(0)
    for _ in range(n):
        shown, expected = np.zeros((3, *SHAPE), np.float32), np.zeros((3, *SHAPE), np.float32)
        shown[0], expected[0] = frame, background
        shown[0][moving] = rng.integers(150, 250, shown[0][moving].shape)
        difference = shown - expected
        cells = Cells(shown, expected, np.abs(difference), difference**2, (NO_PLANE, NO_PLANE), 2)
        differs = np.where(np.abs(difference[0]) > 10, 255, 0).astype(np.uint8)
        yield follow(ghosts, cells, differs, static_frames, sure)


def judged(*of, **more):
    """Cells found in any of the frames."""
    return np.any([found > 0 for found in judgements(*of, **more) if found is not None] or [np.zeros(SHAPE, bool)], 0)


@pytest.fixture
def scene():
    floor = np.full(SHAPE, 100, np.float32)
    floor[:, 35:] = 120
    figure = floor.copy()
    figure[LEFT] = 30
    return floor, figure


def test_what_somebody_left_is_background_while_they_still_stand_next_to_it(scene):
    floor, figure = scene
    found = judged(frame=floor, background=figure)
    assert found[LEFT].all()
    assert not found[MOVING].any(), "who moves is no part of it"
    assert found.sum() < 1.4 * 40 * 30


def test_nothing_is_judged_before_it_was_still_for_long_enough(scene):
    floor, figure = scene
    assert not judged(frame=floor, background=figure, n=SETTLED_FRAMES - 1).any()


def test_what_was_put_there_is_no_ghost_whatever_moves_next_to_it(scene):
    floor, figure = scene
    assert not judged(frame=figure, background=floor).any()


def test_what_was_put_there_becomes_background_after_the_stated_time_and_what_moves_does_not(scene):
    floor, figure = scene
    assert not judged(frame=figure, background=floor, n=39, static_frames=40).any()
    found = judged(frame=figure, background=floor, n=60, static_frames=40)
    assert found[LEFT].all()
    assert not found[20:60, 51:70].any()


def test_what_stands_is_told_once_each_time_that_it_has_stood_for_as_long_as_stated(scene):
    floor, figure = scene
    times = [t for t, found in enumerate(judgements(figure, floor, 130, static_frames=40), 1) if found is not None]
    assert times == [40, 80, 120]


def test_where_the_background_is_sure_nothing_has_gone_but_what_stands_long_enough_is_taken(scene):
    floor, figure = scene
    sure = np.zeros(SHAPE, bool)
    sure[:, :35] = True
    found = judged(frame=floor, background=figure, sure=sure)
    assert not found[sure].any()
    assert found[LEFT][:, 15:].all()


def test_a_leg_that_rests_is_no_ghost_where_most_of_the_person_moves(scene):
    floor, _ = scene
    leg = np.s_[40:60, 46:50]
    behind = floor.copy()
    behind[leg] = 30  # Darker than the floor, which looks like the leg.
    person = np.s_[10:40, 40:76]
    assert judged(frame=floor, background=behind, moving=np.s_[0:1, 0:1])[leg].all(), "by itself it goes on evenly"
    assert not judged(frame=floor, background=behind, moving=person).any()


@pytest.mark.parametrize(("side", "is_found"), [(1, True), (2, False)])
def test_what_left_a_stack_that_bleaches_is_found_in_the_noise_of_single_pixels(scene, side, is_found):
    """Where a cell has more pixels it has less noise, and what changes with all of the frame is taken to change."""
    floor, figure = scene
    ghosts, rng, found = Ghosts(SHAPE, side), np.random.default_rng(0), np.zeros(SHAPE, bool)
    for index in range(40):
        light = 1 - 0.005 * index
        shown, expected = (light * picture[None] for picture in (floor, figure))
        shown = (shown + rng.normal(0, 5, shown.shape)).astype(np.float32)
        difference = shown - expected
        cells = Cells(shown, expected, np.abs(difference), difference**2, (NO_PLANE, NO_PLANE), 2)
        differs = np.where(np.abs(figure - floor) > 0, np.uint8(255), np.uint8(0))
        revealed = follow(ghosts, cells, differs, 0, None)
        if revealed is not None:
            found |= revealed > 0
    assert found[LEFT].all() == is_found
    assert found.any() == is_found
