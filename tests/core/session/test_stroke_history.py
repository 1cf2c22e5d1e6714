"""Strokes are shown where their frame is still there, and taken back one by one."""

import numpy as np

from core.session.phase import Phase
from core.session.session import Session
from core.session.settings import Settings
from core.session.stroke_history import MOST_UNDOABLE
from tests.core.session.test_session import LAYOUT, clip


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


def test_what_is_forgotten_cannot_be_taken_back():
    session = Session(clip(8), Settings())
    reports = session.run()
    report = next(reports)
    session.strokes.paint(report.frame, foreground=spot(0))
    assert not session.strokes.forget().mask[spot(0)].any()
    assert session.strokes.painted == {}
    assert session.strokes.undo() is None
    reports.close()
