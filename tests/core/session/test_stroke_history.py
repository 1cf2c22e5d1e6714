"""Strokes are taken back one by one, and what was painted at another time can be come back to."""

import cv2
import numpy as np
import pytest

from core.errors import CleanplateError
from core.scene.masks import stroke_room
from core.session.model import Model
from core.session.session import Session
from core.session.settings import Settings
from core.session.stroke_history import MOST_UNDOABLE
from tests.core.scene.masks import test_corrections as standing
from tests.core.session import test_scenes as scenes
from tests.core.session.test_session import LAYOUT, clip
from tests.core.session.test_stroke_painter import doubtful_clip, spot, stroke_on, taught_session


def test_the_last_strokes_are_taken_back_in_turn_and_the_oldest_stay():
    session = Session(clip(8), Settings())
    reports = session.run()
    shown = [next(reports)]
    for n in range(MOST_UNDOABLE + 2):
        shown.append(session.strokes.paint(shown[0].frame, foreground=spot(n)))
    for n in reversed(range(2, MOST_UNDOABLE + 2)):
        np.testing.assert_array_equal(session.strokes.undo().mask, shown[n].mask)
    assert session.strokes.undo() is None
    assert len(session.strokes.painted["painted_strokes"]) == 2
    reports.close()


def test_a_stroke_for_which_there_is_no_room_is_refused_and_all_else_stays_as_it_was(monkeypatch):
    monkeypatch.setattr(stroke_room, "MOST", 2)
    session = Session(clip(8), Settings())
    reports = session.run()
    shown = next(reports)
    once = session.strokes.paint(shown.frame, foreground=spot(0))
    before = session.strokes.now
    with pytest.raises(CleanplateError, match="left out"):
        session.strokes.paint(shown.frame, background=spot(1), foreground=spot(2))
    assert session.strokes.now is before
    kept = session.strokes.paint(shown.frame, background=spot(1))
    np.testing.assert_array_equal(kept.mask[spot(2)], once.mask[spot(2)])
    assert len(session.strokes.now.strokes) == 2, "half of what was refused was kept"
    session.strokes.paint(shown.frame, background=spot(3), frames=(0, 0))
    session.strokes.undo()
    session.strokes.undo()
    assert session.strokes.now.is_same(before)
    np.testing.assert_array_equal(session.strokes.undo().mask, shown.mask)
    reports.close()


def test_what_is_forgotten_cannot_be_taken_back():
    session = Session(clip(8), Settings())
    reports = session.run()
    report = next(reports)
    session.strokes.paint(report.frame, foreground=spot(0))
    assert not session.strokes.forget().mask[spot(0)].any()
    assert session.strokes.painted == {}
    assert session.strokes.undo() is None
    reports.close()


def test_what_is_taken_back_leaves_the_same_bytes():
    session, reports, report, shown = taught_session()
    mask = report.mask.copy()
    assert not np.array_equal(shown.mask, mask)
    back = session.strokes.undo()
    assert back.mask.tobytes() == mask.tobytes()
    assert session.foreground.lessons == ()
    assert session.strokes.painted == {}
    reports.close()


def test_nobody_sees_a_stroke_without_its_lesson(monkeypatch):
    session = Session(doubtful_clip(24), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == 12)
    seen, teach = [], session.foreground.teach

    def watched(lessons):
        now = session.strokes.now
        seen.append((len(now.strokes), len(now.lessons)))
        teach(lessons)

    monkeypatch.setattr(session.foreground, "teach", watched)
    session.strokes.paint(report.frame, stroke_on(report))
    painted = session.strokes.now
    session.strokes.undo()
    session.strokes.restore(painted)
    assert seen == [(0, 0), (1, 1), (0, 0)]
    assert session.strokes.now.is_same(painted)
    reports.close()


def test_what_is_forgotten_teaches_no_more():
    session, reports, _, _ = taught_session()
    assert "taught_cells" in session.strokes.painted
    session.strokes.forget()
    assert session.foreground.lessons == ()
    reports.close()


def test_an_export_with_what_was_painted_and_a_model_know_the_lessons(tmp_path):
    session, reports, _, _ = taught_session()
    for _ in reports:
        pass
    painted = session.strokes.painted
    fresh = Session(clip(24), Settings(painted=painted))
    assert fresh.foreground.lessons
    session.model().save(tmp_path / "model.npz")
    applied = Session(clip(24), Settings(), Model.load(tmp_path / "model.npz"))
    for other in (fresh, applied):
        for name, array in other.strokes.painted.items():
            np.testing.assert_array_equal(array, painted[name])


def test_what_was_painted_at_any_time_can_be_come_back_to():
    session = Session(clip(8), Settings())
    reports = session.run()
    first = next(reports)
    strokes, states, shown = session.strokes, [session.strokes.now], [first]
    for n in range(MOST_UNDOABLE + 2):
        shown.append(
            strokes.paint(first.frame, background=spot(n)) if n % 2 else strokes.paint(first.frame, None, spot(n))
        )
        states.append(strokes.now)
    painted = [state.arrays for state in states]
    for order in (range(len(states))[::-1], range(len(states)), (5, 0, 7, 2, 3, 2)):
        for n in order:
            again = strokes.restore(states[n])
            assert strokes.painted.keys() == painted[n].keys()
            assert all(np.array_equal(strokes.painted[name], painted[n][name]) for name in painted[n])
            for k in range(MOST_UNDOABLE + 2):
                assert bool(again.mask[spot(k)].all()) == (k < n and not k % 2), (n, k)
    assert Session(clip(8), Settings(painted=painted[3])).strokes.painted.keys() == painted[3].keys()
    reports.close()


def test_what_was_painted_as_background_is_shown_in_cleaned_frames_whether_it_is_learnt_or_not():
    session = Session(standing.clip(), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == standing.COMES + 3)  # It has just come: nothing is learnt.
    block = report.mask > 0
    assert (report.cleaned_image != report.input_image)[block].any()
    known = report.background_image
    around = cv2.dilate(block.view(np.uint8), np.ones((25, 25), np.uint8)) > 0  # As a brush is drawn over a thing.
    painted = session.strokes.paint(report.frame, background=around)
    np.testing.assert_array_equal(painted.cleaned_image[block], report.input_image[block])
    assert cv2.absdiff(painted.background_image, known)[block].mean() < 2
    later = next(reports)
    np.testing.assert_array_equal(later.cleaned_image[block], later.input_image[block])
    reports.close()


def test_one_stroke_is_taken_back_and_painted_again_with_what_it_said_of_the_background():
    session = Session(standing.clip(), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == standing.COMES + 10)
    block = report.mask > 0
    assert block.any()

    def background():
        return session.method.transform(report.frame.values).samples(session.layout)

    before, untold = session.strokes.now, background()
    session.strokes.paint(report.frame, background=block)
    after, told = session.strokes.now, background()
    assert not np.array_equal(untold, told), "what stands there is what the background shows"
    session.strokes.restore(before)
    assert not np.array_equal(background(), told)
    session.strokes.restore(after)
    assert np.array_equal(background(), told)
    reports.close()


def test_after_a_leap_to_other_strokes_what_was_said_of_the_background_before_is_not_said_again():
    session = Session(standing.clip(), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == standing.COMES + 10)
    before = session.strokes.now
    session.strokes.paint(report.frame, background=report.mask > 0)
    after = session.strokes.now
    session.strokes.paint(report.frame, foreground=standing.area(standing.RGB, (slice(0, 4), slice(0, 4))))
    other = session.strokes.now
    session.strokes.restore(after)
    session.strokes.restore(before)
    session.strokes.restore(other)  # Two strokes more.
    known = session.method.transform(report.frame.values).samples(session.layout)
    session.strokes.restore(after)
    np.testing.assert_array_equal(session.method.transform(report.frame.values).samples(session.layout), known)
    reports.close()


def test_what_was_painted_before_the_camera_had_drifted_stays_where_it_lies_now():
    """What was before it is known by where all lay then."""
    session = Session(clip(8), Settings())
    reports = session.run()
    session.strokes.paint(next(reports).frame, foreground=spot(0))
    session.strokes.move(-8, 4)
    assert session.strokes.undo() is None
    (stroke,) = session.strokes.now.strokes
    assert stroke.part == (slice(32, 36), slice(4, 8))
    reports.close()


def test_a_stroke_that_is_taken_back_or_painted_again_after_a_cut_leaves_the_background_of_the_new_scene():
    session = Session(scenes.cut(), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == scenes.CUT - 20)
    where = np.zeros(scenes.LAYOUT.shapes[0], bool)
    where[70:90, 20:60] = True
    before = session.strokes.now
    session.strokes.paint(report.frame, background=where)
    after = session.strokes.now
    report = next(r for r in reports if r.frame.index == scenes.CUT + 30)
    known = session.method.transform(report.frame.values).samples(scenes.LAYOUT)
    for strokes in (before, after):
        session.strokes.restore(strokes)
        assert session.strokes.now.is_same(strokes)
        now = session.method.transform(report.frame.values).samples(scenes.LAYOUT)
        np.testing.assert_array_equal(now, known)
    reports.close()


def test_what_was_painted_on_frames_of_another_size_is_left_alone():
    session = Session(clip(8), Settings())
    reports = session.run()
    report = next(reports)
    other = Session(clip(8, LAYOUT.grey()), Settings()).strokes.now
    session.strokes.paint(report.frame, background=spot(0))
    assert session.strokes.restore(other) is None
    assert session.strokes.painted
    reports.close()
