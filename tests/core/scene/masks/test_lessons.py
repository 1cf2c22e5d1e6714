"""Strokes teach the last layer of the head: enough to be seen, and no more than they say."""

import os
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest

from core.bench.sequences import find_sequences
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.scene.masks import lessons as module
from core.scene.masks.head import experience, shipped
from core.scene.masks.lessons import MOST, Lesson, lesson_of, load_lessons, state_of
from core.session.session import Session
from core.session.settings import Settings
from core.training.clip_source import ClipSource
from core.training.scene import drawn_clip

LAYOUT = Layout(48, 64, Planes.GREY)
HEAD = shipped()
N = HEAD.leave.shape[1]


def taught(shipped_weights, lessons):
    return module.taught(shipped_weights, lessons, experience())


def logit(weights, cells):
    return cells @ weights.leave[0] + weights.leave_bias[0]


def cells(n, seed=0):
    """Activations as the last layer has them: none below 0, some always 0."""
    x = np.maximum(np.random.default_rng(seed).normal(0.3, 1, (n, N)), 0).astype(np.float32)
    x[:, 3] = 0
    return x


def wrong_and_rest(n, *, is_foreground=True, seed=0):
    """Cells of one kind that the head gets wrong by a little, and others."""
    rest = cells(8000, seed)
    kind = np.flatnonzero(rest[:, 5] > 1.2)
    wrong = kind[(logit(HEAD, rest[kind]) > 0) != is_foreground]
    assert len(wrong) >= n
    chosen = wrong[np.argsort(np.abs(logit(HEAD, rest[wrong])))][:n]
    return rest[chosen], np.delete(rest, chosen, axis=0)


def lesson(n, *, is_foreground=True, seed=0):
    painted, rest = wrong_and_rest(n, is_foreground=is_foreground, seed=seed)
    return Lesson(painted, is_foreground, rest[:MOST])


def flipped(weights, rest):
    return np.mean((logit(weights, rest) > 0) != (logit(HEAD, rest) > 0))


def test_without_lessons_the_weights_are_the_shipped_ones():
    assert taught(HEAD, []) is HEAD


@pytest.mark.parametrize("is_foreground", [True, False])
def test_a_large_stroke_moves_what_was_painted_and_a_tiny_one_does_not_flip_the_picture(is_foreground):
    sign = 1 if is_foreground else -1
    large, tiny = (taught(HEAD, [lesson(n, is_foreground=is_foreground)]) for n in (20, 3))
    painted, rest = wrong_and_rest(20, is_foreground=is_foreground)
    moved = [sign * (logit(w, painted) - logit(HEAD, painted)).mean() for w in (large, tiny)]
    assert moved[0] > 0.2
    assert moved[0] > 2 * moved[1]
    assert flipped(tiny, rest) < 0.03
    assert flipped(large, rest) < 0.15


def test_what_is_right_already_teaches_next_to_nothing():
    rest = cells(2000)
    sure = rest[np.argsort(-logit(HEAD, rest))][:100]
    assert logit(HEAD, sure).min() > -1
    weights = taught(HEAD, [Lesson(sure, True, rest[:MOST])])
    assert flipped(weights, rest) < 0.15


def test_contradictory_strokes_cancel_and_stay_finite():
    one = lesson(20)
    other = Lesson(one.painted, False, one.rest)
    both = taught(HEAD, [one, other])
    assert np.isfinite(both.leave).all()
    many = taught(HEAD, [one, other] * 50)
    by_one, by_both, by_many = (
        np.abs(logit(w, one.painted) - logit(HEAD, one.painted)).mean() for w in (taught(HEAD, [one]), both, many)
    )
    assert by_both < by_one
    assert by_many < 2 * by_both


def test_what_the_head_saw_in_training_holds_it():
    """What a stroke changes costs little of what the weights were fitted to, as far as that is known."""
    one = lesson(20)
    changes = []
    for held in (1, 100):
        weights = module.taught(HEAD, [one], held * experience())
        changes.append(np.append(weights.leave[0] - HEAD.leave[0], weights.leave_bias[0] - HEAD.leave_bias[0]))
    costs = [change @ experience() @ change for change in changes]
    assert costs[1] < 0.1 * costs[0]
    free = np.linalg.eigh(experience())[1][:, 0]  # What the clips said least of.
    along = [abs(change @ free) / np.linalg.norm(change) for change in changes]
    assert along[1] > along[0]


@pytest.mark.parametrize("factor", [0, 1e-6, 1e4])
def test_the_fit_is_finite_at_every_scale_of_the_activations(factor):
    one = lesson(20)
    odd = Lesson(one.painted * np.float32(factor), True, one.rest * np.float32(factor))
    for lessons in (
        [odd],
        [odd, one],
        [Lesson(one.painted, True, one.rest[:0])],
        [Lesson(one.painted[:1], True, one.rest)],
    ):
        weights = taught(HEAD, lessons)
        assert np.isfinite(weights.leave).all()
        assert np.isfinite(weights.leave_bias).all()


def test_it_is_deterministic_touches_foreground_only_and_leaves_its_input_alone():
    one = lesson(20)
    kept = one.painted.copy(), HEAD.leave.copy()
    first, second = taught(HEAD, [one]), taught(HEAD, [one])
    assert first.leave.tobytes() == second.leave.tobytes()
    assert first.leave[1].tobytes() == HEAD.leave[1].tobytes()
    assert first.leave_bias[1] == HEAD.leave_bias[1]
    np.testing.assert_array_equal(one.painted, kept[0])
    np.testing.assert_array_equal(HEAD.leave, kept[1])


def test_a_lesson_keeps_some_of_many_cells_and_none_is_made_of_what_was_not_looked_at():
    activations = np.random.default_rng(0).random((N, 60, 80), np.float32)
    active, painted = np.ones((60, 80), bool), np.zeros((60, 80), bool)
    painted[10:50, 10:50] = True
    logit = np.zeros(active.shape, np.float32)
    made = lesson_of(activations, logit, active, painted, ~painted, is_foreground=True)
    assert 0 < len(made.painted) <= MOST
    assert 0 < len(made.rest) <= MOST
    assert lesson_of(activations, logit, ~painted, painted, ~painted, is_foreground=True) is None
    assert lesson_of(activations, logit + 5, active, painted, ~painted, is_foreground=True) is None, "it is sure"
    logit[:, :29] = 5
    assert lesson_of(activations, logit, active, painted, ~painted, is_foreground=False) is not None
    logit[:, :31] = 5
    assert lesson_of(activations, logit, active, painted, ~painted, is_foreground=True) is not None
    assert lesson_of(activations, logit, active, painted, ~painted, is_foreground=False) is None, (
        "an object of the scene"
    )
    activations[:] = 0
    assert made.painted.any(), "it is a copy"


def test_lessons_go_to_arrays_and_back_but_not_to_another_head_or_size():
    lessons = [lesson(20), lesson(5, is_foreground=False)]
    state = state_of(lessons, LAYOUT, HEAD)
    assert state_of([], LAYOUT, HEAD) == {}
    back = load_lessons(state, LAYOUT, HEAD)
    assert taught(HEAD, back).leave.tobytes() == taught(HEAD, lessons).leave.tobytes()
    assert load_lessons(state, Layout(64, 48, Planes.GREY), HEAD) == ()
    assert load_lessons(state, LAYOUT, taught(HEAD, lessons)) == ()
    assert load_lessons({}, LAYOUT, HEAD) == ()


# -- on labelled clips

DATA = os.environ.get("CLEANPLATE_DATA")


@dataclass(frozen=True)
class Trial:
    """Painting over one mistake of a labelled input, and what comes of it.

    Attributes
    ----------
    start : int
        The first frame in which a mistake may be painted over.
    size : int
        Smaller mistakes are not painted over, pixels.
    later : int
        Frames after it that do not count.
    """

    start: int
    size: int
    later: int

    def f(self, source, truth_of, *, paints):
        """Return F of the frames that count; ``truth_of`` gives what a report's frame shows (H, W), or None."""
        session = Session(source, Settings())
        hit = miss = false = 0
        first = None
        for report in session.run():
            number, truth = report.frame.index, truth_of(report)
            if truth is None or number < self.start:
                continue
            mask = report.full_mask
            if first is not None and number >= first + self.later:
                hit += np.count_nonzero((mask > 0) & (truth == 255))
                false += np.count_nonzero((mask > 0) & (truth <= 50))
                miss += np.count_nonzero((mask == 0) & (truth == 255))
            size, is_foreground, where = largest_mistake(mask, truth)
            if first is None and size >= self.size:
                first = number
                if paints:
                    session.strokes.paint(report.frame, *((None, where) if is_foreground else (where, None)))
        return 2 * hit / max(2 * hit + miss + false, 1)


def largest_mistake(mask, truth):
    """Return size, whether it is foreground, and the pixels (H, W) of the largest wrong region."""
    found = []
    for is_foreground, wrong in ((True, (truth == 255) & (mask == 0)), (False, (truth <= 50) & (mask > 0))):
        n, labels, stats, _ = cv2.connectedComponentsWithStats(wrong.view(np.uint8))
        found += [(int(stats[k, cv2.CC_STAT_AREA]), is_foreground, labels == k) for k in range(1, n)]
    return max(found, key=lambda one: one[0], default=(0, False, mask > 0))


def test_one_stroke_raises_f_of_the_frames_that_follow_where_much_is_wrong():
    gains = []
    for seed in (2, 4, 5, 7, 8, 11):
        trial = Trial(start=20, size=100, later=5)
        without, with_it = (
            trial.f(
                ClipSource(drawn_clip(seed, (120, 160), 70), as_video=False),
                lambda r: r.frame.truth.mask,
                paints=paints,
            )
            for paints in (False, True)
        )
        gains.append(with_it - without)
    assert np.mean(gains) > 0.05
    assert np.min(gains) > -0.05


@pytest.mark.skipif(not DATA, reason="CLEANPLATE_DATA names no data")
@pytest.mark.parametrize("name", ["highway1", "caviar2", "ibmtest2"])
def test_one_stroke_spoils_little_of_a_sequence_of_which_nearly_all_is_right(name):
    if not (Path(DATA) / "sequences" / name).is_dir():
        pytest.skip("there is no such sequence")
    (sequence,) = find_sequences(Path(DATA) / "sequences", [name])
    spec = InputSpec(str(sequence.folder), frames=(1, 220))
    without, with_it = (
        Trial(start=40, size=150, later=15).f(open_source(spec), lambda r: sequence.truth(r.frame.index + 1), paints=p)
        for p in (False, True)
    )
    assert with_it > without - 0.015
