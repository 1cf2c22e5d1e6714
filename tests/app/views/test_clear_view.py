"""Titles and buttons leave the picture free where people draw on it."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication

from app.views.panes import BACKGROUND, FOREGROUND, MASK, PanesView
from app.views.tools.area_board import Drawing
from app.views.tools.brush import Brush
from tests.app.view_helpers import exposed, make_report


@pytest.fixture
def view(qapp, qtbot):
    made = exposed(qtbot, PanesView(), 1500, 700)
    made.show_report(make_report())
    return made


def with_header(view):
    """Which panes have their title, and their buttons with it."""
    shown = []
    for index, pane in enumerate(view.panes):
        header = pane.header
        parts = {part.isVisible() for part in (header.title_chip, header.contrast_button, header.enlarge_button)}
        assert len(parts) == 1
        shown += [index] if parts == {True} else []
    return shown


def enter(pane, kind=QEvent.Type.Enter):
    at = QPointF(20, 20)
    QApplication.sendEvent(pane, QEnterEvent(at, at, at) if kind is QEvent.Type.Enter else QEvent(kind))


DRAWN_WITH = (
    (lambda view: view.set_brush(Brush(12, True)), lambda view: view.set_brush(None)),
    (lambda view: view.areas.draw_with(Drawing("never")), lambda view: view.areas.draw_with(None)),
    (lambda view: view.areas.draw_with(Drawing("never", 20)), lambda view: view.areas.draw_with(None)),
)


@pytest.mark.parametrize(("begin", "end"), DRAWN_WITH, ids=["brush", "areas", "brush of areas"])
def test_panes_keep_their_headers_while_people_draw_but_where_a_large_picture_is_drawn_on(view, begin, end):
    every, pane = list(range(6)), view.panes[MASK]
    for one in view.panes:
        enter(one, QEvent.Type.Leave)
    begin(view)
    enter(pane)
    assert with_header(view) == every, "the picture lies below"
    view.resize(1200, 640)
    assert with_header(view) == every
    view.zoom_in()
    assert with_header(view) == [index for index in every if index != MASK]
    enter(pane, QEvent.Type.Leave)
    assert with_header(view) == every
    enter(pane)
    end(view)
    assert with_header(view) == every
    begin(view)
    assert MASK not in with_header(view)
    view.fit()
    assert with_header(view) == every


def test_a_pane_that_does_not_take_the_tool_says_which_do(view, qtbot):
    pane, taking = view.panes[BACKGROUND], view.panes[MASK]
    for (begin, end), others in ((DRAWN_WITH[0], [BACKGROUND]), (DRAWN_WITH[1], [1, 2, 4, 5])):
        begin(view)
        forbidden = [i for i, one in enumerate(view.panes) if one.cursor().shape() is Qt.CursorShape.ForbiddenCursor]
        assert forbidden == others
        before = pane.grab().toImage()
        qtbot.mousePress(pane, Qt.MouseButton.LeftButton, pos=QPoint(60, 90))
        assert pane.grab().toImage() != before
        qtbot.mouseRelease(pane, Qt.MouseButton.LeftButton, pos=QPoint(60, 90))
        assert pane.grab().toImage() == before
        end(view)
        assert pane.cursor().shape() is not Qt.CursorShape.ForbiddenCursor
    view.set_brush(Brush(12, True))
    view.choice.show(MASK, "confidence")
    assert taking.cursor().shape() is Qt.CursorShape.ForbiddenCursor


def test_the_header_is_hidden_where_a_rectangle_is_measured_for_as_long_as_it_is_dragged(view, qtbot):
    view.zoom_in()
    view.measuring_mode.set_active(True)
    assert with_header(view) == list(range(6)), "what is measured can be chosen"
    pane = view.panes[FOREGROUND]
    qtbot.mousePress(pane, Qt.MouseButton.LeftButton, pos=QPoint(60, 90))
    qtbot.mouseMove(pane, QPoint(90, 110))
    assert FOREGROUND not in with_header(view)
    qtbot.mouseRelease(pane, Qt.MouseButton.LeftButton, pos=QPoint(90, 110))
    assert with_header(view) == list(range(6))
    qtbot.mousePress(pane, Qt.MouseButton.LeftButton, pos=QPoint(60, 90))
    view.measuring_mode.set_active(False)
    assert with_header(view) == list(range(6))


def test_what_to_do_for_a_region_is_said_where_the_pointer_is_not(view):
    for pane in view.panes:
        enter(pane, QEvent.Type.Leave)
    view.zoom_in()
    view.start_region_selection()
    assert with_header(view) == list(range(6))
    enter(view.panes[FOREGROUND])
    assert FOREGROUND not in with_header(view)
    enter(view.panes[FOREGROUND], QEvent.Type.Leave)
    assert FOREGROUND in with_header(view)
    enter(view.panes[FOREGROUND])
    view.back()
    assert with_header(view) == list(range(6))
