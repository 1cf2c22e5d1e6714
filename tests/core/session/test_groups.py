"""Image sets are learnt from in groups; whoever reads the reports does not notice."""

import time
from itertools import islice

import numpy as np
import pytest

from core import catalogue
from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Planes
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.session.groups import MOST_FRAMES, MOST_VALUES, Groups
from core.session.reader import Reader
from core.session.session import Session
from core.session.settings import Settings

FACE = Layout(19, 19, Planes.GREY)


def face(index, layout=FACE):
    rng = np.random.default_rng(index)
    return Frame(index, float(index), rng.integers(0, 256, layout.n_values, np.uint8), layout)


def faces(n=40, layout=FACE, fail_at=None):
    def render(index):
        if index == fail_at:
            raise CleanplateError("The drive has gone; try again.")
        return face(index, layout)

    return SampleSource(SourceInfo("Faces", layout, None, n), render)


def session(source=None, **values):
    return Session(source or faces(), Settings("opgd", values={"rank": 5, **values}))


class Shrunk(SampleSource):
    """Faces that are learnt from in a smaller size than they have: each keeps its original."""

    def __init__(self, n, original):
        super().__init__(SourceInfo("Shrunk", FACE, None, n, original=original), face)


class Sets:
    """A method that tells how many vectors it was given at once."""

    def __init__(self, n_together):
        self.n_together, self.seen = n_together, []

    @property
    def as_mini_batch(self):
        return self

    def step(self, v):
        return self.step_together([v])[0]

    def step_together(self, vectors):
        self.seen.append(len(vectors))
        return [v.sum() for v in vectors]


def run(method, source, learns=True, first=0):
    reader = Reader(source)
    groups, found = Groups(method, reader, source.info), []
    reader.start(first)
    try:
        while (frame := groups.next_frame(None, learns=learns)[0]) is not None:
            found.append((frame.index, groups.step(frame.values)[0] if learns else None))
    finally:
        reader.close()
    return found


@pytest.mark.parametrize(
    ("layout", "wanted", "expected"),
    [(FACE, 16, 16), (FACE, 1000, MOST_FRAMES), (Layout(600, 1000, Planes.RGB), 16, 1)],
)
def test_groups_are_as_large_as_the_method_takes_and_memory_allows(layout, wanted, expected):
    n = 2 * expected + 1
    method = Sets(wanted)
    found = run(method, faces(n, layout))
    assert method.seen == [expected, expected, 1]
    assert found == [(i, face(i, layout).values.sum()) for i in range(n)], "in order, and each its own"
    assert expected * layout.n_values <= max(MOST_VALUES, layout.n_values)


@pytest.mark.parametrize(
    ("original", "expected"), [(Layout(512, 512, Planes.GREY), 4), (Layout(600, 1000, Planes.RGB), 1)]
)
def test_originals_that_wait_for_their_group_count_by_their_own_size(original, expected):
    method = Sets(16)
    run(method, Shrunk(2 * expected, original))
    assert method.seen == [expected, expected]
    assert expected * original.n_values <= max(MOST_VALUES, original.n_values)


def test_frames_that_teach_nothing_are_read_one_by_one():
    method = Sets(16)
    assert len(run(method, faces(5), learns=False)) == 5
    assert method.seen == []


def test_what_cannot_be_read_is_raised_after_the_frames_before_it():
    reports = session(faces(40, fail_at=21), batch=16).run()
    assert [r.frame.index for r in islice(reports, 21)] == list(range(21))
    with pytest.raises(CleanplateError, match="drive"):
        next(reports)


def test_a_session_gives_the_reports_of_one_by_one():
    tight = {"batch": 8, "lam": 0.1, "encode_tolerance": 1e-9, "encode_steps": 3000}
    grouped = session(**tight)
    reports = list(grouped.run())
    single = session(**tight).method
    assert [r.frame.index for r in reports] == list(range(40))
    for report in reports:
        split = single.step(report.frame.values)
        np.testing.assert_allclose(report.split.background, split.background, atol=5e-3)
    np.testing.assert_allclose(grouped.method.W, single.W, atol=5e-3)


def test_seeking_drops_what_was_read_with_the_frame_before():
    running = session(batch=16)
    reports = running.run()
    next(reports)
    running.seek(30)
    assert [r.frame.index for r in reports] == list(range(30, 40))


def test_what_could_not_be_read_before_a_frame_that_is_sought_is_forgotten():
    running = session(faces(40, fail_at=5), batch=16)
    reports = running.run()
    next(reports)
    running.seek(30)
    assert [r.frame.index for r in reports] == list(range(30, 40))


@pytest.mark.parametrize("sought", [1, 2, 7])
def test_frames_that_were_learnt_from_are_not_learnt_from_again_when_one_of_them_is_sought(sought):
    running, learnt = session(batch=8), []
    step = running.method.step_together
    running.method.step_together = lambda vectors: (learnt.extend(v.tobytes() for v in vectors), step(vectors))[1]
    reports = running.run()
    next(reports)
    running.seek(sought)
    rest = list(reports)
    assert [r.frame.index for r in rest] == list(range(sought, 40))
    assert learnt == [face(i).values.tobytes() for i in range(40)]
    again = session(batch=8)
    for report in again.run():
        if report.frame.index == sought:
            np.testing.assert_array_equal(rest[0].split.background, report.split.background)


@pytest.mark.parametrize("key", ["opgd", "ol-kl", "orpca"])
def test_the_last_samples_of_a_pass_teach_though_they_fill_no_mini_batch(key):
    running = Session(faces(11), Settings(key, values={"rank": 3, "batch": 8, "content": "images"}))
    list(running.run())
    expected = Session(faces(11), Settings(key, values={"rank": 3, "batch": 8, "content": "images"})).method
    vectors = [face(i).values for i in range(11)]
    expected.step_together(vectors[:8])
    expected.step_together(vectors[8:])
    before = expected.W.copy()
    expected.learn_waiting()
    assert not np.array_equal(before, expected.W)
    np.testing.assert_array_equal(running.method.W, expected.W)


def test_the_same_input_gives_the_same_bytes_however_fast_it_comes():
    def slow(index):
        time.sleep(0.002 * (index % 3))
        return face(index)

    one, other = session(), session(SampleSource(SourceInfo("Faces", FACE, None, 40), slow))
    for a, b in zip(one.run(), other.run(), strict=True):
        assert a.split.background.tobytes() == b.split.background.tobytes()
    assert one.method.W.tobytes() == other.method.W.tobytes()


def test_no_frame_of_a_group_may_be_left_out():
    """Aligned frames may be lost, and are not learnt from then: all that follow would get the split of another."""
    for row in catalogue.METHODS.values():
        method = row.build(FACE, row.defaults(), 0)
        assert not (row.aligned and method.as_mini_batch), row.key


def test_live_pictures_are_shown_as_they_come():
    method = Sets(16)
    found = run(method, SampleSource(SourceInfo("Live", FACE, None, 5, live=True), face))
    assert method.seen == [1] * 5
    assert len(found) == 5


def test_frames_of_a_group_share_the_time_that_it_took():
    class Slow(Sets):
        def step_together(self, vectors):
            time.sleep(0.05)
            return super().step_together(vectors)

    source = faces(4)
    reader = Reader(source)
    groups = Groups(Slow(4), reader, source.info)
    reader.start(0)
    started, taken_ms = time.perf_counter(), []
    for _ in range(4):
        taken_ms.append(groups.step(groups.next_frame(None, learns=True)[0].values)[1])
    elapsed_ms = 1e3 * (time.perf_counter() - started)
    reader.close()
    assert 50 <= sum(taken_ms) <= elapsed_ms
