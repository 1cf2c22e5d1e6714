"""A cut: the model is far off, and the last frames agree with each other."""

import numpy as np
import pytest

from core.methods.fast.cuts import LEAST_MISS, CutDetector
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


def missing_by(miss, n=LOST, detector=None):
    detector = detector or CutDetector(1.0)
    for _ in range(n):
        detector.follow(np.full(N, miss, np.float32), VARIED, UNCHANGED)
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
        detector.follow(np.full(N, miss, np.float32), sample, recent([ZERO, np.full(N, step, np.float32)]))
        for _ in range(LOST - 1):
            detector.follow(np.full(N, miss, np.float32), sample, UNCHANGED)
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
    detector.follow(ZERO, VARIED, UNCHANGED)
    missing_by(0.2, detector=detector)
    assert detector.find(STILL) is not None
    assert detector.n_lost == LOST


def test_who_hides_half_of_the_frame_does_not_make_the_model_miss():
    detector = CutDetector(1.0)
    residual = frame(0, scene=0)
    residual[: N // 2] = 0.5
    for _ in range(LOST):
        detector.follow(residual, VARIED, UNCHANGED)
    assert detector.find(STILL) is None
    assert np.median(np.abs(residual)) > 0.1, "by the median it would be a cut"


def test_frames_that_may_be_of_another_scene_teach_nothing_until_it_is_clear():
    far = 2 * FAR
    assert CutDetector(1.0).may_learn
    assert missing_by(0.9 * FAR).may_learn
    assert [missing_by(far, n).may_learn for n in (1, N_FRAMES - 1, N_FRAMES)] == [False, False, True]
    detector = missing_by(far, 1)
    detector.follow(ZERO, VARIED, UNCHANGED)
    assert detector.may_learn
