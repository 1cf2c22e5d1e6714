"""Strokes teach the head what looks like them: enough to be seen, and no more than they say."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from core.bench.sequences import find_sequences
from core.frames.frame import Layout, Planes
from core.io.sources import InputSpec, open_source
from core.scene.masks.head_weights import shipped
from core.scene.masks.lessons import DESCRIBED, MOST, MOST_REST, NO_CELLS, SeenCells, lesson_of, with_one_rest
from core.scene.masks.lessons_schema import lessons_schema, load_lessons, state_of
from core.scene.masks.likeness import likeness, units_of
from core.scene.masks.look_alikes import MOST_CENTRES, learnt
from core.scene.masks.recent import A_FRAME, RecentCells, chosen
from core.scene.tuning import SETTLED_FRAMES
from core.session.session import Session
from core.session.settings import Settings
from core.training.clip_source import ClipSource
from core.training.scene import drawn_clip

LAYOUT = Layout(48, 64, Planes.GREY)
HEAD = shipped()


def frame_with(kinds, seed=0):
    """A frame of cells of some kinds: of each how many, and the logit that the head gives them."""
    rng = np.random.default_rng(seed)
    looks = np.random.default_rng(99).normal(0, 1, (len(kinds), DESCRIBED))
    kind = np.repeat(np.arange(len(kinds)), [n for n, _ in kinds])
    cells = (looks[kind] + 0.3 * rng.normal(size=(len(kind), DESCRIBED))).astype(np.float32)
    logit = (np.array([z for _, z in kinds])[kind] + 0.1 * rng.normal(size=len(kind))).astype(np.float32)
    return SeenCells(cells, logit, logit.copy()), kind


def lesson(seen, painted, *, is_foreground=True, recent=NO_CELLS, index=20):
    return lesson_of(seen, painted, ~painted, recent, is_foreground=is_foreground, index=index)


MISSED, FOUND, SCENE = range(3)
KINDS = [(60, -1.0), (200, 3.0), (400, -3.0)]
"""Parts of things that the head misses, those that it finds, and what differs of the scene."""


@pytest.fixture
def missed():
    seen, kind = frame_with(KINDS)
    return lesson(seen, kind == MISSED)


def test_without_lessons_nothing_is_changed():
    assert learnt([]) is None


def test_what_looks_like_painted_cells_in_another_frame_changes_and_nothing_else(missed):
    added = learnt([missed]).added
    seen, kind = frame_with([*KINDS, (100, -1.0)], seed=1)
    change = added(seen.cells)
    now = seen.logit + change
    assert (now[kind == MISSED] > 0).mean() > 0.95
    assert (now[kind == FOUND] > 0).all()
    assert (now[kind == SCENE] < 0).all()
    other = change[kind == 3]
    assert np.abs(other).mean() < 0.5 * change[kind == MISSED].mean(), "it looks like nothing that was painted"


@pytest.mark.parametrize("is_foreground", [True, False])
def test_of_which_the_head_is_sure_can_be_taught_too(is_foreground):
    sign = 1 if is_foreground else -1
    seen, kind = frame_with([(60, -5.0 * sign), (200, 3.0), (200, -3.0)])
    change = learnt([lesson(seen, kind == 0, is_foreground=is_foreground)]).added(seen.cells)
    assert (sign * (seen.logit + change)[kind == 0] > 0).mean() > 0.95
    assert (np.sign(seen.logit + change) == np.sign(seen.logit))[kind > 0].all()


def test_what_looks_the_same_and_was_not_painted_holds_a_stroke():
    """A few painted cells among very many that look like them and are right are an accident."""
    seen, kind = frame_with([(1000, -2.0), (200, 3.0)])
    few, all_ = np.zeros(len(kind), bool), kind == 0
    few[:20] = True
    moved = [learnt([lesson(seen, painted)]).added(seen.cells)[all_].mean() for painted in (few, all_)]
    assert moved[1] > 2
    assert moved[0] < 0.5


def test_what_is_right_and_sure_already_teaches_nothing():
    seen, kind = frame_with(KINDS)
    assert lesson(seen, kind == FOUND) is None
    assert lesson(seen, kind == SCENE, is_foreground=False) is None
    assert lesson(seen, np.zeros(len(kind), bool)) is None


def test_contradictory_strokes_cancel_and_stay_finite(missed):
    seen, kind = frame_with(KINDS)
    other = lesson(seen, kind == MISSED, is_foreground=False, index=21)
    of_one, of_both, of_many = (
        np.abs(learnt(lessons).added(seen.cells)[kind == MISSED]).mean()
        for lessons in ([missed], [missed, other], [missed, other] * 50)
    )
    assert of_both < 0.5 * of_one
    assert of_many < of_one


def test_frames_before_hold_what_the_painted_frame_does_not_show():
    """Nearly all that differs in it was missed; before, much differed that was rightly held for the scene."""
    seen, kind = frame_with([(300, -1.0), (5, -1.0), (100, 3.0)])
    before, _ = frame_with([(0, 0), (A_FRAME, -1.0)], seed=2)
    recent = RecentCells()
    for _ in range(2 * SETTLED_FRAMES):
        recent.offer(before.cells, before.logit, 300)
    sample = recent.sample(None)
    assert len(sample.cells) == SETTLED_FRAMES * A_FRAME
    assert sample.weight.sum() == pytest.approx(300), "all of them together are one frame"
    alone, held = (learnt([lesson(seen, kind == 0, recent=cells)]) for cells in (NO_CELLS, sample))
    assert abs(held.added(before.cells).mean()) < 0.6 * abs(alone.added(before.cells).mean())
    assert (seen.logit + held.added(seen.cells))[kind == 0].mean() > 0


def test_cells_of_frames_before_are_others_each_time_and_lie_where_the_head_looks():
    active = np.zeros((9, 12), np.uint8)
    active[2:7, 3:11] = 1
    turns = [chosen(active, (34, 47), turn) for turn in range(40)]
    for rows, columns in turns:
        assert 0 < len(rows) <= A_FRAME
        assert active[rows // 4, columns // 4].all()
        assert len({*zip(rows // 4, columns // 4, strict=True)}) == len(rows)
    assert len({place for turn in turns for place in zip(*turn, strict=True)}) > 500
    assert [len(x) for x in chosen(np.zeros((9, 12), np.uint8), (34, 47), 3)] == [0, 0]


def test_a_frame_that_is_painted_on_twice_counts_once_as_it_was_when_all_was_painted():
    seen, kind = frame_with(KINDS)
    first, second = (lesson(seen, kind == MISSED, index=index) for index in (7, 7))
    other = lesson(seen, kind == MISSED, index=8)
    kept = with_one_rest([first, other, second])
    assert [len(one.rest.cells) > 0 for one in kept] == [False, True, True]
    assert kept[0].painted is first.painted
    assert kept[1] is other
    assert kept[2] is second


@pytest.mark.parametrize("factor", [0, 1e-6, 1e4])
def test_the_fit_is_finite_at_every_scale_of_what_describes_cells(missed, factor):
    seen, kind = frame_with(KINDS)
    odd = lesson(replace(seen, cells=seen.cells * np.float32(factor)), kind == MISSED)
    for lessons in ([odd], [odd, missed], [replace(missed, rest=NO_CELLS)]):
        assert np.isfinite(learnt(lessons).added(seen.cells)).all()


def test_a_number_that_never_varies_tells_nothing():
    seen, kind = frame_with(KINDS)
    seen.cells[:, 5] = 0.1
    found = learnt([lesson(seen, kind == MISSED)])
    other = seen.cells.copy()
    other[:, 5] = 1e6
    np.testing.assert_array_equal(found.added(seen.cells), found.added(other))


def test_two_cells_at_random_are_alike_by_a_third():
    cells = np.random.default_rng(0).normal(3, 1, (300, DESCRIBED)).astype(np.float32)
    cells[:, ::3] *= 1000
    unit = units_of(cells, np.ones(300, np.float32))
    alike = likeness(cells * unit, cells * unit)
    assert alike.diagonal().min() > 0.999
    assert np.log(alike[np.triu_indices(300, 1)]).mean() == pytest.approx(-1, abs=0.05)


def test_it_is_deterministic_and_leaves_its_input_alone(missed):
    kept = missed.painted.packed, missed.rest.packed
    first, second = learnt([missed]), learnt([missed])
    assert first.weights.tobytes() == second.weights.tobytes()
    np.testing.assert_array_equal(missed.painted.packed, kept[0])
    np.testing.assert_array_equal(missed.rest.packed, kept[1])


def test_what_is_kept_of_large_strokes_and_of_many_is_bounded():
    seen, kind = frame_with([(3000, -1.0), (9000, 3.0)])
    made = lesson(seen, kind == 0)
    assert 0 < len(made.painted.cells) <= MOST
    assert 0 < len(made.rest.cells) <= MOST_REST
    assert made.painted.weight.sum() == pytest.approx(3000)
    assert made.rest.weight.sum() == pytest.approx(9000)
    for n in (1, 2, 5, 3 * MOST_CENTRES):
        assert 0 < learnt([made] * n).centres.shape[1] <= MOST_CENTRES


def test_lessons_go_to_arrays_and_back_but_not_to_another_head_or_size(missed):
    seen, kind = frame_with(KINDS)
    lessons = [missed, lesson(seen, kind == MISSED, is_foreground=False, index=3)]
    state = state_of(lessons, LAYOUT, HEAD)
    lessons_schema(LAYOUT).check(state)
    assert state_of([], LAYOUT, HEAD) == {}
    back = load_lessons(state, LAYOUT, HEAD)
    assert [(one.is_foreground, one.index) for one in back] == [(True, 20), (False, 3)]
    assert learnt(back).weights.tobytes() == learnt(lessons).weights.tobytes()
    assert load_lessons(state, Layout(64, 48, Planes.GREY), HEAD) == ()
    assert load_lessons(state, LAYOUT, HEAD._replace(leave=HEAD.leave + 1)) == ()
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
        clip = ClipSource(drawn_clip(seed, (120, 160), 70), as_video=False)
        without, with_it = (trial.f(clip, lambda r: r.frame.truth.mask, paints=paints) for paints in (False, True))
        gains.append(with_it - without)
    assert np.mean(gains) > 0.05
    assert np.min(gains) > -0.05


@pytest.mark.skipif(not DATA, reason="CLEANPLATE_DATA names no data")
@pytest.mark.parametrize("name", ["highway1", "caviar2", "ibmtest2"])
def test_one_stroke_spoils_little_of_a_sequence_of_which_nearly_all_is_right(name):
    if not (Path(DATA) / "sequences" / name).is_dir():
        pytest.skip("there is no such sequence")
    (sequence,) = find_sequences(Path(DATA) / "sequences", [name])
    spec = InputSpec(str(sequence.folder), frames=(1, 150))
    without, with_it = (
        Trial(start=40, size=150, later=15).f(open_source(spec), lambda r: sequence.truth(r.frame.index + 1), paints=p)
        for p in (False, True)
    )
    assert with_it > without - 0.015
