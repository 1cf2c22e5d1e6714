"""What is painted corrects masks, teaches, and is shown on the last report where that is of its frame."""

from dataclasses import replace

import numpy as np
import pytest

from core.frames.frame import Frame
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings
from core.session.stroke_painter import FrameStroke
from tests.core.scene.masks import test_corrections as standing
from tests.core.session.test_session import LAYOUT, SCENE, clip, frame


def spot(n):
    where = np.zeros(LAYOUT.shapes[0], bool)
    where[40:44, 4 * n : 4 * n + 4] = True
    return where


@pytest.mark.parametrize(
    ("frames", "learns", "is_here"), [(None, True, True), ((2, 3), False, True), ((4, 9), False, False)]
)
def test_a_stroke_for_some_frames_is_of_no_others_and_teaches_nothing(frames, learns, is_here):
    painted = frame(3)
    stroke = FrameStroke(painted, painted, spot(0), spot(2), frames)
    assert (stroke.learns, stroke.is_here) == (learns, is_here)
    assert np.array_equal(stroke.where, spot(0) | spot(2))
    assert not replace(stroke, background=None, foreground=None).where.any()


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
    found = session.foreground.detect(later.frame, later.compared_with)
    logit = found.verdict.foreground.copy()
    session.foreground.teach(())
    untaught = session.foreground.detect(later.frame, later.compared_with).verdict.foreground
    block = later.frame.truth.mask[::2, ::2] > 0
    changed = logit - untaught
    assert (changed[block] < 0).mean() > 0.7
    assert changed[block].mean() < changed[~block].mean() - 0.05
    reports.close()


def test_what_is_taught_changes_masks_whether_they_hold_shadows_or_not():
    for shadows in (True, False):
        session, reports, _, _ = taught_session(settings=Settings(values={"shadows": shadows}))
        later = next(reports)
        found = session.foreground.detect(later.frame, later.compared_with).mask
        session.foreground.teach(())
        untaught = session.foreground.detect(later.frame, later.compared_with).mask
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


def test_a_stroke_while_frames_are_gathered_teaches_nothing():
    session = Session(clip(8), Settings("bpgd", {"iterations": 2}))
    for report in session.run():
        if report.phase is Phase.GATHERING and report.frame.index == 7:
            session.strokes.paint(report.frame, foreground=spot(0))
    assert session.foreground.lessons == ()
