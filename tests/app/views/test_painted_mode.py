"""Outlines of strokes on the panes: on the frame that was painted on, or is corrected by it."""

from dataclasses import replace

import numpy as np
import pytest

from app import theme
from app.views.panes import INPUT, MASK, MATTE, PanesView
from app.views.tools.brush import Brush
from core.frames.frame import Shift
from core.scene.masks.corrections import Corrections
from tests.app.view_helpers import make_report


@pytest.fixture
def view(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    made = PanesView()
    qtbot.addWidget(made)
    made.show_report(make_report())
    return made


def strokes_on(frame):
    """One of all frames, one of the span from 10 to 12, both painted on this frame."""
    remembered = Corrections(frame.layout)
    for left, frames in ((10, None), (60, (10, 12))):
        where = np.zeros(frame.layout.shapes[0], bool)
        where[20:30, left : left + 20] = True
        remembered.add(where, frame, is_background=True, frames=frames)
    return remembered.strokes


def lefts(pane):
    return [border.path.boundingRect().left() for border in pane.painted.outlines]


def test_a_stroke_is_seen_where_people_paint_and_as_long_as_they_do(view):
    frame = view.report.frame
    view.painted.show_strokes(strokes_on(frame), frame)
    assert not any(pane.painted.outlines for pane in view.panes)
    view.set_brush(Brush(True, 8))
    assert [len(view.panes[index].painted.outlines) for index in (INPUT, MASK, MATTE)] == [2, 2, 2]
    assert lefts(view.panes[MASK]) == [10.5, 60.5]
    view.choice.show(MATTE, "background")
    assert not view.panes[MATTE].painted.outlines
    view.set_brush(None)
    assert not any(pane.painted.outlines for pane in view.panes)


def test_it_is_seen_on_its_frame_and_on_those_of_its_span_and_moves_with_the_camera(view):
    frame, pane = view.report.frame, view.panes[MASK]
    view.set_brush(Brush(True, 8))
    strokes = strokes_on(frame)
    for index, shift, expected in (
        (frame.index, Shift(0, 0), [10.5, 60.5]),
        (frame.index + 1, Shift(0, 0), []),
        (10, Shift(0, 0), [60.5]),
        (12, Shift(0, 4), [56.5]),
        (13, Shift(0, 0), []),
        (frame.index, Shift(0, 2), [8.5, 58.5]),
    ):
        view.painted.show_strokes(strokes, replace(frame, index=index, shift=shift))
        assert lefts(pane) == expected
    view.painted.show_strokes((), frame)
    assert lefts(pane) == []
