"""A cut: the model is far off, and the last frames agree with each other."""

import numpy as np
import pytest

from core.methods.fast.cuts import LEAST_MISS, N_STEPS, UNDECIDED, CutDetector
from core.methods.fast.pixel_sample import FAR
from core.methods.fast.recent_frames import N_FRAMES, RecentFrames

N = 1000


def frame(seed, scene=0.5, sigma=0.004):
    return (scene + sigma * np.random.default_rng(seed).standard_normal(N)).astype(np.float32)


def recent(frames):
    kept = RecentFrames(N)
    for one in frames:
        kept.offer(one)
    return kept


LOST = N_FRAMES - 1
"""Frames in which the model was lost before the newest of ten that show another scene."""

ZERO = np.zeros(N, np.float32)
VARIED = np.linspace(0, 1, N, dtype=np.float32)
UNCHANGED = recent([ZERO, ZERO])


def is_unlike():
    return True


def never_asked():
    pytest.fail("Nothing has changed at once.")


def missing_by(miss, n=LOST, detector=None):
    detector = detector or CutDetector(1.0, N)
    for _ in range(n):
        detector.follow(np.full(N, miss, np.float32), VARIED, UNCHANGED, never_asked, never_asked)
    return detector


STILL = recent(frame(t) for t in range(N_FRAMES))
MOVING = recent(frame(t, scene=0.5 + 0.03 * t) for t in range(N_FRAMES))
FROZEN = recent([frame(0)] * N_FRAMES)
NOISY = recent(frame(t, sigma=0.01) for t in range(N_FRAMES))


def test_a_still_scene_that_the_model_misses_is_another_scene():
    change = missing_by(0.2).find(STILL)
    np.testing.assert_array_equal(change, STILL.change())


def test_a_frame_unlike_those_before_and_after_is_no_cut():
    """When the next has come, the last ten begin and end in the scene that was there all the time."""
    for n in range(1, LOST):
        assert missing_by(0.2, n).find(STILL) is None


def test_even_tarmac_after_other_tarmac_is_another_scene_where_little_is_explained_at_once():
    plain = (VARIED - 0.5) * 0.02

    def seen(miss, sample, step):
        detector = missing_by(0)
        stepped = recent([ZERO, np.full(N, step, np.float32)])
        detector.follow(np.full(N, miss, np.float32), sample, stepped, lambda: False, never_asked)
        for _ in range(LOST - 1):
            detector.follow(np.full(N, miss, np.float32), sample, UNCHANGED, never_asked, never_asked)
        return detector.find(STILL) is not None

    assert seen(4 / 255, plain, 4 / 255)
    assert not seen(4 / 255, VARIED, 4 / 255), "it explains most"
    assert not seen(4 / 255, plain, 1 / 255), "fog that rises slowly"
    assert not seen(2 / 255, plain / 2, 2 / 255), "little more than light that creeps"


@pytest.mark.parametrize(
    ("miss", "frames"),
    [
        (LEAST_MISS / 2, STILL),
        (0.2, MOVING),
        (0.2, recent(frame(t) for t in range(N_FRAMES - 1))),
        (0.02, NOISY),
        (4 / 255, FROZEN),
    ],
    ids=["the model explains it", "nothing is still", "too few frames", "little more than noise", "light creeps"],
)
def test_nothing_else_is_a_cut(miss, frames):
    assert missing_by(miss).find(frames) is None


def test_a_cut_is_dated_by_how_long_the_model_has_been_lost():
    detector = missing_by(0.2, 30)
    assert detector.find(STILL) is not None
    assert detector.n_lost == 30, "they moved"
    detector.follow(ZERO, VARIED, UNCHANGED, never_asked, never_asked)
    missing_by(0.2, detector=detector)
    assert detector.find(STILL) is not None
    assert detector.n_lost == LOST


def test_who_hides_half_of_the_frame_does_not_make_the_model_miss():
    detector = CutDetector(1.0, N)
    residual = frame(0, scene=0)
    residual[: N // 2] = 0.5
    for _ in range(LOST):
        detector.follow(residual, VARIED, UNCHANGED, never_asked, never_asked)
    assert detector.find(STILL) is None
    assert np.median(np.abs(residual)) > 0.1, "by the median it would be a cut"


COLOUR = N // 3
"""Values of a sample, the last, that tell the colour of a picture that has little."""


def cut_of_little_colour(miss=8 / 255, step=10 / 255, is_unlike=is_unlike, n=LOST, before=0.0):
    detector = CutDetector(1.0, N - COLOUR)
    of_light = np.arange(N) < N - COLOUR
    jump = recent([ZERO, np.where(of_light, np.float32(step), np.float32(0))])
    detector.follow(np.where(of_light, np.float32(before), np.float32(0)), VARIED, UNCHANGED, is_unlike, never_asked)
    for t in range(n):
        residual = np.where(of_light, np.float32(miss), np.float32(0))
        detector.follow(residual, VARIED, jump if t == 0 else UNCHANGED, is_unlike, never_asked)
    return detector


def test_another_scene_of_as_little_colour_is_found_by_its_structure():
    detector = cut_of_little_colour()
    assert detector.find(STILL) is not None
    assert detector.n_lost == LOST, "it is dated by its first frame"
    assert cut_of_little_colour(is_unlike=lambda: False).find(STILL) is None, "other light on the same scene"


def test_structure_is_asked_for_where_the_model_is_lost_at_once_alone():
    cut_of_little_colour(step=3 / 255, is_unlike=never_asked)
    cut_of_little_colour(before=5 / 255, is_unlike=never_asked)


def after_a_pan(step, steps=(2 / 255,) * N_STEPS, is_unlike=is_unlike, n=LOST):
    """Return a detector whose model was lost in a camera that pans, and then misses as much after a step."""
    detector = missing_by(8 / 255, 2 * UNDECIDED)
    places = np.cumsum([0, *steps, step])
    panned = recent(np.full(N, place, np.float32) for place in places)
    for t in range(n):
        frames = panned if t == 0 else UNCHANGED
        detector.follow(np.full(N, 8 / 255, np.float32), VARIED, frames, is_unlike, never_asked)
    return detector


def test_another_scene_after_a_camera_that_pans_is_found_by_the_step_to_it_and_dated_by_it():
    detector = after_a_pan(10 / 255)
    assert detector.find(STILL) is not None
    assert detector.n_lost == LOST, "what was lost before it was so in another scene"
    assert not after_a_pan(10 / 255, n=1).may_learn
    assert after_a_pan(10 / 255, is_unlike=lambda: False).n_lost == 2 * UNDECIDED + LOST, "other light"


@pytest.mark.parametrize(
    ("step", "steps"),
    [
        (10 / 255, (6 / 255,) * N_STEPS),
        (10 / 255, (6 / 255, *(0,) * (N_STEPS - 1))),
        (3 / 255, (0,) * N_STEPS),
        (10 / 255, (0,) * (N_STEPS - 1)),
    ],
    ids=["it goes on", "pictures that are shown four times", "by less than the model misses", "too few frames"],
)
def test_a_camera_that_pans_on_is_not_asked_for_structure(step, steps):
    after_a_pan(step, steps, never_asked)


TURNING = recent(frame(t, scene=0.5 + 0.01 * t) for t in range(N_FRAMES))
"""By less from one to the next than the model misses, so that nothing is lost at once."""


def settled(n, frames=STILL, miss=5 / 255, is_moved=is_unlike, before=0):
    """Return a detector that was not asked at once, while light is missed in ``n`` frames, the last of which agree."""
    detector = missing_by(0)
    for _ in range(before):
        detector.follow(np.full(N, miss, np.float32), VARIED, TURNING, never_asked, never_asked)
    for _ in range(n):
        detector.follow(np.full(N, miss, np.float32), VARIED, frames, never_asked, is_moved)
    return detector


def test_a_view_that_a_camera_has_turned_to_is_found_once_it_is_still():
    detector = settled(N_FRAMES)
    assert detector.find(STILL) is not None
    assert detector.n_lost == N_FRAMES, "it is dated by the first of the frames that agree"
    assert settled(1, before=N_FRAMES).n_lost == N_FRAMES
    assert settled(1, before=2 * N_FRAMES).n_lost == N_FRAMES, "while it turns it is not asked for"
    assert settled(N_FRAMES, is_moved=lambda: False).find(STILL) is None, "other light on the same view"


def test_structure_is_asked_for_again_only_after_as_many_frames():
    asked = []
    settled(3 * N_FRAMES + 1, is_moved=lambda: asked.append(0) is not None)
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("n", "frames", "miss"),
    [
        (N_FRAMES - 1, STILL, 5 / 255),
        (2 * N_FRAMES, TURNING, 5 / 255),
        (2 * N_FRAMES, FROZEN, LEAST_MISS / 8),
        (2 * N_FRAMES, recent(frame(t) for t in range(N_FRAMES - 1)), 5 / 255),
    ],
    ids=["not for long", "it moves", "the model explains it", "too few frames"],
)
def test_what_has_not_settled_is_not_asked_for_structure(n, frames, miss):
    settled(n, frames, miss, never_asked)


def test_a_scene_whose_structure_is_new_teaches_nothing_until_it_is_clear():
    assert [cut_of_little_colour(n=n).may_learn for n in (1, N_FRAMES - 1, N_FRAMES)] == [False, False, True]


def test_new_structure_that_does_not_stand_still_soon_was_no_cut():
    assert cut_of_little_colour(n=UNDECIDED).find(STILL) is not None
    assert cut_of_little_colour(n=UNDECIDED + 1).find(STILL) is None


def test_frames_that_may_be_of_another_scene_teach_nothing_until_it_is_clear():
    far = 2 * FAR
    assert CutDetector(1.0, N).may_learn
    assert missing_by(0.9 * FAR).may_learn
    assert [missing_by(far, n).may_learn for n in (1, N_FRAMES - 1, N_FRAMES)] == [False, False, True]
    detector = missing_by(far, 1)
    detector.follow(ZERO, VARIED, UNCHANGED, never_asked, never_asked)
    assert detector.may_learn
