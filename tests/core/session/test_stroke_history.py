"""Strokes are shown where their frame is still there, and taken back one by one."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Frame
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.scene.masks import stroke_room
from core.session.model import Model
from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings
from core.session.stroke_history import MOST_UNDOABLE
from tests.core.scene.masks import test_corrections as standing
from tests.core.session import test_scenes as scenes
from tests.core.session.test_session import LAYOUT, SCENE, clip, frame


def spot(n):
    where = np.zeros(LAYOUT.shapes[0], bool)
    where[40:44, 4 * n : 4 * n + 4] = True
    return where


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


def test_a_stroke_on_a_frame_that_is_gone_is_remembered_and_not_shown():
    session = Session(clip(8), Settings())
    reports = session.run()
    first, _ = next(reports), next(reports)
    assert session.strokes.paint(first.frame, foreground=spot(0)) is None
    assert len(session.strokes.painted["painted_strokes"]) == 1
    assert (next(reports).mask[spot(0)] == 255).all()
    reports.close()


def test_strokes_on_frames_that_are_gathered_or_iterated_over_are_shown_when_they_are_applied():
    session = Session(clip(8), Settings("bpgd", {"iterations": 3, "tolerance": 1e-9, "smallest": 100_000}))
    for report in session.run():
        if report.phase is Phase.GATHERING and report.frame.index == 7:
            assert session.strokes.paint(report.frame, foreground=spot(0)) is None
        if report.iteration is not None and report.iteration.number == 2:
            assert session.strokes.paint(report.frame, foreground=spot(1)) is None
            assert session.strokes.paint(report.frame, foreground=spot(2)) is None
            back = session.strokes.undo()
            assert back.iteration == report.iteration, "it is the iteration that is shown again"
    assert (report.mask[spot(0) | spot(1)] == 255).all()
    assert not report.mask[spot(2)].any()


def test_every_report_says_where_its_mask_was_painted():
    session = Session(clip(8), Settings())
    reports = session.run()
    first = next(reports)
    assert first.painted is None
    shown = session.strokes.paint(first.frame, foreground=spot(0))
    assert np.array_equal(shown.painted > 0, spot(0))
    assert (shown.matte[41:43, 1:3] == 255).all()
    assert np.array_equal(next(reports).painted > 0, spot(0)), "the next frame too, where it shows the same"
    session.control.set({"sensitivity": 60.0})
    assert np.array_equal(session.preview().painted > 0, spot(0))
    back = session.strokes.undo()
    assert back.painted is None or not back.painted.any()
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


def stroke_on(report):
    """Half of the block, as a person would paint it."""
    where = report.frame.truth.mask > 0
    where[18:] = False
    return where


def doubtful_clip(n):
    """The clip with a block so little brighter than the scene that the head is in doubt."""

    def render(index):
        truth = frame(index).truth
        v = SCENE + 2 * np.random.default_rng(index).standard_normal(LAYOUT.n_values)
        v[LAYOUT.spread(truth.mask > 0)] += 50
        return Frame(index, index / 25, LAYOUT.quantise((v / 255).astype(np.float32)), LAYOUT, truth)

    return SampleSource(SourceInfo("Clip", LAYOUT, 25.0, n), render)


def taught_session(n=24, *, frames=None, settings=None, model=None):
    """Paint half of the block of frame 12 as background."""
    session = Session(doubtful_clip(n), settings or Settings(), model)
    reports = session.run()
    report = next(r for r in reports if r.frame.index == 12)
    return session, reports, report, session.strokes.paint(report.frame, stroke_on(report), frames=frames)


def test_a_stroke_changes_what_is_found_in_other_frames():
    session, reports, _, _ = taught_session()
    assert [one.is_foreground for one in session.foreground.lessons] == [False]
    later = next(reports)
    found = session.foreground.detect(later.frame, later.split)
    logit = found.verdict.foreground.copy()
    session.foreground.teach(())
    untaught = session.foreground.detect(later.frame, later.split).verdict.foreground
    block = later.frame.truth.mask[::2, ::2] > 0
    changed = logit - untaught
    assert (changed[block] < 0).mean() > 0.7
    assert changed[block].mean() < changed[~block].mean() - 0.05
    reports.close()


def test_what_is_taught_changes_masks_whether_they_hold_shadows_or_not():
    for shadows in (True, False):
        session, reports, _, _ = taught_session(settings=Settings(values={"shadows": shadows}))
        later = next(reports)
        found = session.foreground.detect(later.frame, later.split).mask
        session.foreground.teach(())
        untaught = session.foreground.detect(later.frame, later.split).mask
        assert np.count_nonzero(found) < np.count_nonzero(untaught)
        reports.close()


def test_in_the_first_frames_a_stroke_corrects_and_teaches_nothing():
    """What is wrong there is wrong of the background."""
    for index, teaches, values in ((5, False, {}), (12, True, {}), (5, False, {"warm_up": 0})):
        session = Session(doubtful_clip(24), Settings(values=values))
        reports = session.run()
        report = next(r for r in reports if r.frame.index == index)
        shown = session.strokes.paint(report.frame, stroke_on(report))
        assert not shown.mask[stroke_on(report)].any()
        assert bool(session.foreground.lessons) == teaches
        reports.close()


def test_painted_background_that_has_stayed_is_the_scene_and_says_nothing_of_what_moves():
    session = Session(standing.clip(goes=standing.N), Settings())
    reports = session.run()
    for index, teaches in ((standing.COMES + 4, True), (standing.COMES + 20, False)):
        report = next(r for r in reports if r.frame.index == index)
        session.strokes.paint(report.frame, standing.area(standing.RGB, standing.THING))
        assert bool(session.foreground.lessons) == teaches
        session.strokes.undo()
    reports.close()


def test_what_stands_or_passes_in_a_frame_out_of_turn_is_not_known_and_teaches_only_where_the_head_is_in_doubt():
    session = Session(standing.clip(goes=standing.N), Settings())
    reports = session.run()
    next(r for r in reports if r.frame.index == standing.COMES + 10)
    there = next(session.browse(standing.COMES + 4))
    session.strokes.paint(there.frame, standing.area(standing.RGB, standing.THING))
    assert session.foreground.lessons == ()
    reports.close()


def test_strokes_on_the_same_frame_are_one_lesson_of_what_else_it_shows():
    session = Session(doubtful_clip(24), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == 12)
    first, second = stroke_on(report), stroke_on(report)
    columns = np.flatnonzero(first.any(axis=0))
    half = int(columns[len(columns) // 2])
    first[:, half:] = second[:, :half] = False
    session.strokes.paint(report.frame, first)
    assert len(session.foreground.lessons[0].rest.cells)
    session.strokes.paint(report.frame, second)
    assert [len(one.rest.cells) > 0 for one in session.foreground.lessons] == [False, True]
    session.strokes.undo()
    assert len(session.foreground.lessons[0].rest.cells)
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


def test_a_stroke_that_is_painted_over_loses_nothing_of_its_lesson():
    session = Session(doubtful_clip(24), Settings())
    reports = session.run()
    report = next(r for r in reports if r.frame.index == 12)
    session.strokes.paint(report.frame, foreground=stroke_on(report))
    (first,) = session.foreground.lessons
    session.strokes.paint(report.frame, stroke_on(report))
    assert session.foreground.lessons[0].painted is first.painted
    assert len(session.foreground.lessons) == 2
    assert len(session.strokes.painted["painted_strokes"]) == 1
    session.strokes.undo()
    assert session.foreground.lessons == (first,)
    reports.close()


def test_for_this_frame_only_nothing_is_learnt_and_it_comes_again_in_the_next_pass():
    settings = Settings(passes=2)
    plain = {(r.pass_index, r.frame.index): r.mask for r in Session(doubtful_clip(16), settings).run()}
    session, reports, report, shown = taught_session(16, frames=(12, 12), settings=settings)
    where = stroke_on(report)
    assert session.foreground.lessons == ()
    assert not shown.mask[where].any()
    np.testing.assert_array_equal(shown.mask[~where], plain[0, 12][~where])
    later = {(r.pass_index, r.frame.index): r.mask for r in reports}
    np.testing.assert_array_equal(later[0, 13], plain[0, 13])
    assert plain[1, 12][where].any()
    assert not later[1, 12][where].any()


def test_a_span_is_corrected_in_each_of_its_frames_and_in_no_other():
    settings = Settings(passes=2)
    plain = {(r.pass_index, r.frame.index): r.mask for r in Session(doubtful_clip(16), settings).run()}
    session, reports, report, shown = taught_session(16, frames=(11, 13), settings=settings)
    where = stroke_on(report)
    assert session.foreground.lessons == ()
    assert not shown.mask[where].any()
    later = {(r.pass_index, r.frame.index): r.mask for r in reports}
    for key in ((0, 13), (1, 11), (1, 12), (1, 13)):
        assert not later[key][where].any(), key
    assert any(plain[1, n][where].any() for n in (11, 12, 13))
    for n in (*range(11), 14, 15):
        assert later[1, n][where].any() == plain[1, n][where].any(), n
    saved = dict(session.strokes.painted)
    np.testing.assert_array_equal(saved["painted_frames"], [[11, 13]])
    again = Session(doubtful_clip(16), replace(settings, painted=saved))
    for r in again.run():
        if 11 <= r.frame.index <= 13:
            assert not r.mask[where].any()
    assert again.strokes.painted["painted_frames"].tolist() == [[11, 13]]


def test_a_span_elsewhere_leaves_the_frame_that_was_painted_on():
    _, reports, _, shown = taught_session(16, frames=(3, 5))
    assert shown is None
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


def test_a_stroke_while_frames_are_gathered_teaches_nothing():
    session = Session(clip(8), Settings("bpgd", {"iterations": 2}))
    for report in session.run():
        if report.phase is Phase.GATHERING and report.frame.index == 7:
            session.strokes.paint(report.frame, foreground=spot(0))
    assert session.foreground.lessons == ()


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
