"""Polygons and their corners, as they are clicked, dragged and removed."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from app.views.tools import area_board
from app.views.tools.area_board import AreaBoard, Drawing
from app.views.tools.areas import AreaTool
from app.views.tools.dragged_area import LEAST_SIDE, ellipse
from app.views.tools.held_area import is_ellipse
from core.scene.area_maps import draw_areas
from core.scene.areas import Areas, Shape
from tests.app.views.tools.geometry import ENLARGED, WHOLE, at, heard, painted, use

SQUARE = ((20.0, 20.0), (60.0, 20.0), (60.0, 60.0), (20.0, 60.0))

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def board():
    made = AreaBoard()
    made.draw_with(Drawing("never"))
    return made


@pytest.fixture
def tool(board):
    made = AreaTool()
    made.use(board)
    return made


def click(tool, x, y, view=WHOLE):
    assert tool.begin(at(x, y), view)
    tool.end(view)


def press(tool, key):
    assert tool.keeps_key(key, WHOLE)
    assert tool.press_key(key, WHOLE)


def test_clicks_are_corners_and_enter_closes(tool, board):
    closed = heard(board.drawn)
    for corner in SQUARE:
        click(tool, *corner)
        press(tool, Qt.Key.Key_Return) if corner != SQUARE[-1] and len(board.corners) < 3 else None
    assert not closed
    press(tool, Qt.Key.Key_Enter)
    assert closed == [(SQUARE,)]
    assert board.corners == []


@pytest.mark.parametrize("where", [SQUARE[0], SQUARE[-1]], ids=["the first corner", "the last one, twice"])
def test_a_press_on_the_first_or_the_last_corner_closes(tool, board, where):
    closed = heard(board.drawn)
    for corner in SQUARE:
        click(tool, *corner)
    click(tool, where[0] + 2, where[1] - 2)
    assert closed == [(SQUARE,)]


def test_two_corners_are_no_polygon_however_they_are_closed(tool, board):
    closed = heard(board.drawn)
    click(tool, *SQUARE[0])
    click(tool, *SQUARE[0])
    click(tool, *SQUARE[1])
    press(tool, Qt.Key.Key_Return)
    click(tool, *SQUARE[1])
    assert board.corners == [SQUARE[0], SQUARE[1]]
    assert not closed


@pytest.mark.parametrize("view", [WHOLE, ENLARGED], ids=["whole", "enlarged"])
def test_a_drag_draws_a_rectangle_in_the_picture_and_with_shift_an_ellipse(tool, board, view, monkeypatch):
    drawn = heard(board.drawn)
    start, end = (view.to_pane(x, y) for x, y in ((52, 35), (70, 45)))
    assert use(tool, view, start, ((start[0] + end[0]) / 2, end[1]), end)
    xs, ys = ({round(point[k], 1) for point in drawn[0][0]} for k in (0, 1))
    assert (xs, ys) == ({52.0, 70.0}, {35.0, 45.0})
    assert len(drawn[0][0]) == 4
    assert board.corners == []
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", lambda: Qt.KeyboardModifier.ShiftModifier)
    use(tool, view, end, start)
    round_one = np.array(drawn[1][0])
    np.testing.assert_allclose([round_one.min(axis=0), round_one.max(axis=0)], [(52, 35), (70, 45)], atol=0.2)
    distance = np.hypot((round_one[:, 0] - 61) / 9, (round_one[:, 1] - 40) / 5)
    np.testing.assert_allclose(distance, 1, atol=0.02)


def test_what_is_dragged_ends_with_the_picture_and_is_seen_before(tool, board):
    drawn = heard(board.drawn)
    tool.begin(at(150, 50), WHOLE)
    tool.move(at(500, 300), WHOLE)
    image = painted(tool, WHOLE)
    assert image.pixelColor(150, 75) != image.pixelColor(120, 75)
    tool.end(WHOLE)
    assert drawn == [(((150.0, 50.0), (200.0, 50.0), (200.0, 100.0), (150.0, 100.0)),)]


def test_a_button_that_is_let_go_when_nobody_draws_any_more_does_nothing(tool, board):
    drawn = heard(board.drawn)
    for end in ((20, 20), (60, 60)):
        board.draw_with(Drawing("never"))
        tool.begin(at(20, 20), WHOLE)
        tool.move(at(*end), WHOLE)
        board.draw_with(None)
        tool.end(WHOLE)
    assert (board.corners, drawn) == ([], [])


def test_every_corner_stays_where_it_is_clicked_beyond_the_edge_too(tool, board):
    for point in ((-30, -30), (-30, 80)):
        use(tool, WHOLE, point)
    assert board.corners == [(-30.0, -30.0), (-30.0, 80.0)]


def test_a_shaking_hand_clicks_a_line_is_no_area_and_escape_gives_a_drag_up(tool, board):
    drawn = heard(board.drawn)
    left = heard(board.left)
    assert use(tool, WHOLE, (20, 20), (22, 21))
    assert board.corners == [(20.0, 20.0)]
    board.give_up()
    use(tool, WHOLE, (20, 20), (90, 20))
    assert (board.corners, drawn) == ([], [])
    tool.begin(at(20, 20), WHOLE)
    tool.move(at(60, 60), WHOLE)
    press(tool, Qt.Key.Key_Escape)
    tool.end(WHOLE)
    assert (board.corners, drawn, left) == ([], [], [])
    press(tool, Qt.Key.Key_Escape)
    assert len(left) == 1


def test_a_drag_that_comes_back_to_its_start_draws_nothing_at_any_zoom(tool, board):
    drawn = heard(board.drawn)
    for view in (WHOLE, ENLARGED):
        use(tool, view, (20, 20), (90, 60), (28, 24))
        assert (drawn, board.corners) == ([], []), "neither an area that nobody sees nor a corner"
        assert not tool._dragged.corners
    use(tool, WHOLE, (20, 20), (90, 60), (24, 40))
    assert len(drawn) == 1, "as narrow as a pole"


def test_escape_gives_the_polygon_up_and_then_leaves(tool, board):
    left = heard(board.left)
    click(tool, *SQUARE[0])
    click(tool, *SQUARE[1])
    press(tool, Qt.Key.Key_Backspace)
    assert board.corners == [SQUARE[0]]
    press(tool, Qt.Key.Key_Escape)
    assert board.corners == []
    assert not left
    press(tool, Qt.Key.Key_Escape)
    assert left


def test_points_are_pixels_of_the_input_at_any_look_and_in_a_region(tool, board):
    board.show_areas(Areas(), (100, 50))
    click(tool, 20, 20)
    assert board.corners == [(120.0, 70.0)]
    board.give_up()
    board.show_areas(Areas(), (0, 0))
    click(tool, 100, 50, ENLARGED)
    assert board.corners == [(60.0, 40.0)]


def test_a_corner_is_dragged_and_the_shape_told(tool, board):
    areas = Areas((Shape("never", SQUARE), Shape("keep", ((100, 50), (150, 50)), 10)))
    board.show_areas(areas, (0, 0))
    told = heard(board.reshaped)
    assert tool.cursor(at(61, 59), WHOLE) == Qt.CursorShape.SizeAllCursor
    assert tool.cursor(at(90, 90), WHOLE) == Qt.CursorShape.CrossCursor
    before = painted(tool, WHOLE)
    use(tool, WHOLE, (62, 58), (70, 70), (80, 90))
    assert told == [(0, (SQUARE[0], SQUARE[1], (80.0, 90.0), SQUARE[3]))]
    assert board.areas == areas, "who knows the areas changes them"
    use(tool, WHOLE, (20, 20))
    assert len(told) == 1, "it was not moved"
    tool.begin(at(20, 20), WHOLE)
    tool.move(at(40, 30), WHOLE)
    assert painted(tool, WHOLE) != before
    tool.cancel()
    tool.end(WHOLE)
    assert len(told) == 1
    assert not board.corners


def test_delete_removes_the_uppermost_area_under_the_pointer(tool, board):
    board.show_areas(Areas((Shape("never", SQUARE), Shape("keep", ((10, 40), (90, 40)), 12))), (0, 0))
    removed = heard(board.removed)
    for point, expected in (((40, 40), 1), ((40, 25), 0), ((80, 40), 1)):
        tool.hover(at(*point), WHOLE)
        press(tool, Qt.Key.Key_Delete)
        assert removed[-1] == (expected,)
    tool.hover(at(150, 90), WHOLE)
    press(tool, Qt.Key.Key_Delete)
    tool.leave()
    press(tool, Qt.Key.Key_Delete)
    assert len(removed) == 3


def test_with_a_brush_it_takes_no_press_but_its_keys(tool, board):
    click(tool, *SQUARE[0])
    board.draw_with(Drawing("keep", 20))
    assert not board.corners, "the polygon of before is given up"
    assert not tool.begin(at(30, 30), WHOLE)
    assert tool.cursor(at(30, 30), WHOLE) is None
    steps = heard(board.thickened)
    press(tool, Qt.Key.Key_BracketRight)
    press(tool, Qt.Key.Key_BracketLeft)
    assert steps == [(1,), (-1,)]


def test_areas_are_seen_as_they_are_used_tinted_while_they_are_drawn(tool, board):
    board.show_areas(Areas((Shape("never", SQUARE), Shape("none", ((30, 30), (50, 30), (50, 50), (30, 50))))), (0, 0))
    tinted = painted(tool, WHOLE)
    assert tinted.pixelColor(25, 25).blue() > 60
    assert tinted.pixelColor(40, 40).blue() == 0, "what is erased is no area"
    board.draw_with(None)
    outlined = painted(tool, WHOLE)
    assert outlined.pixelColor(25, 25).blue() == 0
    assert outlined.pixelColor(40, 20).blue() > 100
    assert not tool.modal


def test_a_picture_of_areas_is_seen_too_and_of_another_size_what_fits(tool, board):
    codes = np.zeros((100, 200), np.uint8)
    codes[10:40, 20:80] = 2
    board.show_areas(Areas(size=(200, 100), codes=codes.tobytes()), (0, 0))
    assert painted(tool, WHOLE).pixelColor(50, 25).green() > 60
    for corner in ((0, 0), (15, 5), (300, 300)):
        board.show_areas(Areas(size=(20, 10), codes=bytes([1]) * 200), corner)
        assert (painted(tool, WHOLE).pixelColor(2, 2).blue() > 60) == (corner[0] < 20)


@pytest.mark.parametrize("view", [WHOLE, ENLARGED], ids=["whole", "enlarged"])
def test_an_area_of_the_kind_that_is_drawn_is_moved_by_a_drag_inside_it_and_stays_in_the_picture(tool, board, view):
    line = Shape("never", ((52.0, 48.0), (58.0, 48.0)), 3)
    board.show_areas(Areas((Shape("never", ((55.0, 30.0), (65.0, 30.0), (65.0, 40.0), (55.0, 40.0))), line)), (0, 0))
    told, drawn = heard(board.reshaped), heard(board.drawn)
    start, end = (view.to_pane(x, y) for x, y in ((60, 35), (66.5, 32)))
    assert tool.cursor(at(*start), view) == Qt.CursorShape.SizeAllCursor
    assert use(tool, view, start, ((start[0] + end[0]) / 2, end[1]), end)
    np.testing.assert_allclose(told[0][1], [(61.5, 27), (71.5, 27), (71.5, 37), (61.5, 37)], atol=0.11)
    use(tool, view, view.to_pane(55, 48), view.to_pane(55, -300))
    np.testing.assert_allclose(told[1][1], [(52, 0), (58, 0)], atol=0.11)
    assert [number for number, _ in told] == [0, 1]
    assert not drawn


def test_a_click_inside_an_area_is_a_corner_and_a_drag_there_draws_where_another_kind_or_shift_is_chosen(
    tool, board, monkeypatch
):
    board.show_areas(Areas((Shape("never", SQUARE),)), (0, 0))
    told, drawn = heard(board.reshaped), heard(board.drawn)
    use(tool, WHOLE, (40, 40), (42, 41))
    assert board.corners == [(40.0, 40.0)]
    board.give_up()
    board.draw_with(Drawing("none"))
    assert tool.cursor(at(40, 40), WHOLE) == Qt.CursorShape.CrossCursor
    use(tool, WHOLE, (30, 30), (50, 50))
    board.draw_with(Drawing("never"))
    monkeypatch.setattr(QGuiApplication, "keyboardModifiers", lambda: Qt.KeyboardModifier.ShiftModifier)
    use(tool, WHOLE, (30, 30), (50, 50))
    assert [len(points) for (points,) in drawn] == [4, 24]
    assert not told


def test_escape_lets_an_area_that_is_moved_lie_where_it_was(tool, board):
    board.show_areas(Areas((Shape("never", SQUARE),)), (0, 0))
    told, left = heard(board.reshaped), heard(board.left)
    before = painted(tool, WHOLE)
    tool.begin(at(40, 40), WHOLE)
    tool.move(at(70, 60), WHOLE)
    assert painted(tool, WHOLE) != before
    press(tool, Qt.Key.Key_Escape)
    tool.move(at(80, 60), WHOLE)
    tool.end(WHOLE)
    assert (told, left, board.corners) == ([], [], [])


def test_an_ellipse_has_a_handle_at_each_end_of_its_axes_and_stays_one(tool, board):
    board.show_areas(Areas((Shape("never", ellipse((20, 20), (120.3, 60.7))),)), (0, 0))
    told = heard(board.reshaped)
    slanted = next(point for point in board.areas.shapes[0].points[1:])
    assert tool.cursor(at(120.3, 40.35), WHOLE) == Qt.CursorShape.SizeAllCursor
    assert tool.cursor(at(slanted[0] + 3, slanted[1] + 3), WHOLE) == Qt.CursorShape.CrossCursor, "no handle"
    boxes = (
        ((120, 40), (150, 77), (20, 20, 150, 60.7)),
        ((20, 40), (60, 0), (60, 20, 120.3, 60.7)),
        ((70, 60.7), (0, 90), (20, 20, 120.3, 90)),
        ((70, 20), (0, 70), (20, 60.7, 120.3, 70)),  # beyond the other end
        ((40, 40), (51.3, 52), (31.3, 32, 131.6, 72.7)),  # all of it
    )
    for start, end, box in boxes:
        use(tool, WHOLE, start, end)
        points = np.array(told[-1][1])
        np.testing.assert_allclose([*points.min(axis=0), *points.max(axis=0)], box, atol=0.2)
        assert is_ellipse(told[-1][1])
        bent = (*told[-1][1][:3], (100.0, 90.0), *told[-1][1][4:])
        assert not is_ellipse(bent)


@pytest.mark.parametrize(("start", "end"), [((120, 40), (20, 40)), ((20, 40), (120, 40)), ((70, 60), (70, 20.4))])
def test_an_ellipse_is_never_dragged_to_nothing(tool, board, start, end):
    board.show_areas(Areas((Shape("never", ellipse((20, 20), (120, 60))),)), (0, 0))
    told = heard(board.reshaped)
    use(tool, WHOLE, start, end)
    points = np.array(told[-1][1])
    assert (points.max(axis=0) - points.min(axis=0) >= LEAST_SIDE).all()
    assert is_ellipse(told[-1][1])


@pytest.mark.parametrize("how", ["Delete", "Delete elsewhere", "undo"])
def test_what_is_removed_while_it_is_held_gives_its_points_to_no_other(tool, board, how):
    other = tuple((x + 60, y) for x, y in SQUARE)
    areas = Areas((Shape("never", SQUARE), Shape("never", other)))
    board.show_areas(areas, (0, 0))
    board.removed.connect(lambda number: board.show_areas(board.areas.without(number), (0, 0)))
    board.reshaped.connect(lambda number, points: board.show_areas(board.areas.reshaped(number, points), (0, 0)))
    tool.begin(at(40, 40), WHOLE)
    tool.move(at(60, 50), WHOLE)
    tool.hover(at(150, 90) if how == "Delete elsewhere" else at(40, 40), WHOLE)
    board.show_areas(areas.without(0), (0, 0)) if how == "undo" else press(tool, Qt.Key.Key_Delete)
    tool.move(at(70, 50), WHOLE)
    tool.end(WHOLE)
    assert [shape.points for shape in board.areas.shapes] == [other]
    assert not board.corners


def test_the_shape_under_a_point_is_the_one_that_is_drawn_there_and_far_ones_are_not_drawn(board, monkeypatch):
    shapes = (
        Shape("never", ((20.4, 20), (29.6, 22), (25, 30.5))), Shape("keep", ((40, 20), (45.5, 28)), 1),
        Shape("keep", ((60.2, 20),), 9), Shape("never", ((0, 0), (3, 0), (3, 3))),
    )  # fmt: skip
    board.show_areas(Areas(shapes), (0, 0))
    found = set()
    for y in range(40):
        for x in range(80):
            drawn = [draw_areas(Areas((shape,)), 1, 1, (x, y)).any() for shape in shapes]
            found.add(board.shape_at((x + 0.5, y + 0.5)))
            assert board.shape_at((x + 0.5, y + 0.5)) == next((n for n in (3, 2, 1, 0) if drawn[n]), None)
    assert found == {0, 1, 2, 3, None}
    monkeypatch.setattr(area_board, "draw_areas", None)
    assert board.shape_at((75, 5)) is None
