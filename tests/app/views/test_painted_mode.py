"""Outlines of strokes on the panes: on the frame that was painted on, or is corrected by it."""

from dataclasses import replace

import numpy as np
import pytest

from app import theme
from app.views.panes import INPUT, MASK, MATTE, PanesView
from app.views.tools.brush import Brush
from core.frames.motion import AT_REST, Motion, Shift
from core.scene.masks.corrections import Corrections
from core.session.alignment import to_scene
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
    for index, motion, expected in (
        (frame.index, AT_REST, [10.5, 60.5]),
        (frame.index + 1, AT_REST, []),
        (10, AT_REST, [60.5]),
        (12, Motion(Shift(0, 4)), [64.5]),
        (13, AT_REST, []),
        (frame.index, Motion(Shift(0, 2)), [12.5, 62.5]),
    ):
        view.painted.show_strokes(strokes, replace(frame, index=index, motion=motion))
        assert lefts(pane) == expected
    view.painted.show_strokes((), frame)
    assert lefts(pane) == []


@pytest.mark.parametrize("motion", [Motion(Shift(6.0, -9.0)), Motion(Shift(3.0, 5.0), 0.2, 0.1)])
def test_it_is_seen_where_it_was_painted_on_a_frame_that_has_moved_and_turned(view, motion):
    frame = replace(view.report.frame, motion=motion)
    where = np.zeros(frame.layout.shapes[0], bool)
    where[50:60, 30:70] = True
    remembered = Corrections(frame.layout)
    remembered.add(to_scene(where, frame), frame, is_background=True)
    view.set_brush(Brush(True, 8))
    view.painted.show_strokes(remembered.strokes, frame)
    box = view.panes[MASK].painted.outlines[0].path.boundingRect()
    assert np.allclose(box.getCoords(), (30.5, 50.5, 69.5, 59.5), atol=1.1)
