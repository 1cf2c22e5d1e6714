"""The line that events are counted over, and their area: drawn by a drag, seen, moved by their ends."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from app.command_words import AREA, LINE
from app.theme import EVENT_TINT
from app.views.tools.event_drag import EventDragTool
from app.views.tools.event_marks import EventMarks, EventMarksTool
from core.events.event import Event
from tests.app.views.tools.geometry import ENLARGED, HEIGHT, WHOLE, WIDTH, at, heard, painted, use

VIEWS = pytest.mark.parametrize("view", [WHOLE, ENLARGED], ids=["whole", "enlarged"])
ENDS = ((50.0, 35.0), (70.0, 45.0))
SQUARE = ((40.0, 30.0), (80.0, 30.0), (80.0, 50.0), (40.0, 50.0))

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def marks():
    return EventMarks()


@pytest.fixture
def drag_tool(marks):
    made = EventDragTool()
    made.use(marks)
    return made


@pytest.fixture
def tool(marks):
    made = EventMarksTool()
    made.use(marks)
    return made


@VIEWS
@pytest.mark.parametrize(
    ("what", "points"), [(LINE, ENDS), (AREA, (ENDS[0], (70.0, 35.0), ENDS[1], (50.0, 45.0)))], ids=[LINE, AREA]
)
def test_a_drag_draws_in_whole_pixels_of_the_picture(drag_tool, marks, view, what, points):
    marks.draw(what)
    drawn = heard(marks.drawn)
    start, end = (view.to_pane(x + 0.2, y - 0.3) for x, y in ENDS)
    assert use(drag_tool, view, start, (150, 10), end)
    assert drawn == [(what, points)]


def test_what_is_dragged_ends_with_the_picture(drag_tool, marks):
    marks.draw(LINE)
    drawn = heard(marks.drawn)
    use(drag_tool, WHOLE, (-20, 40), (900, 900))
    assert drawn == [(LINE, ((0.0, 40.0), (WIDTH, HEIGHT)))]


@pytest.mark.parametrize(("what", "end"), [(LINE, (52, 51)), (AREA, (52, 51)), (AREA, (90, 50))])
def test_a_click_draws_nothing_and_neither_does_an_area_without_a_side(drag_tool, marks, what, end):
    marks.draw(what)
    drawn = heard(marks.drawn)
    assert use(drag_tool, WHOLE, (50, 50), end)
    assert not drawn
    assert drag_tool.modal, "one may try again"


def test_an_upright_line_is_one(drag_tool, marks):
    marks.draw(LINE)
    drawn = heard(marks.drawn)
    use(drag_tool, WHOLE, (50, 50), (50, 20))
    assert drawn == [(LINE, ((50.0, 50.0), (50.0, 20.0)))]


def test_esc_in_a_drag_gives_up(drag_tool, marks):
    marks.left.connect(lambda: marks.draw(""))
    marks.draw(LINE)
    drawn = heard(marks.drawn)
    drag_tool.begin(at(50, 50), WHOLE)
    drag_tool.move(at(90, 60), WHOLE)
    assert drag_tool.press_key(Qt.Key.Key_Escape, WHOLE)
    drag_tool.end(WHOLE)
    assert not drawn
    assert not drag_tool.modal


@VIEWS
def test_an_end_and_a_corner_are_dragged(tool, marks, view):
    marks.show_marks(ENDS, SQUARE)
    drawn = heard(marks.drawn)
    near, to = view.to_pane(*ENDS[1]), view.to_pane(60, 41)
    assert use(tool, view, (near[0] + 2, near[1] - 2), to)
    assert use(tool, view, view.to_pane(*SQUARE[0]), to)
    assert drawn == [(LINE, (ENDS[0], (60.0, 41.0))), (AREA, ((60.0, 41.0), *SQUARE[1:]))]
    assert not tool.begin(at(*view.to_pane(60, 41)), view), "elsewhere a press is not for it"


@pytest.mark.parametrize("give_up", [
    lambda tool, _: tool.press_key(Qt.Key.Key_Escape, WHOLE), lambda _, marks: marks.show_marks((), ()),
], ids=["Esc", "it is there no more"])  # fmt: skip
def test_a_drag_of_an_end_is_given_up(tool, marks, give_up):
    marks.show_marks(ENDS, ())
    drawn = heard(marks.drawn)
    tool.begin(at(*ENDS[0]), WHOLE)
    tool.move(at(10, 10), WHOLE)
    give_up(tool, marks)
    tool.end(WHOLE)
    assert not drawn


def test_an_end_on_the_other_one_moves_nothing(tool, marks):
    marks.show_marks(ENDS, ())
    drawn = heard(marks.drawn)
    use(tool, WHOLE, ENDS[0], ENDS[1])
    assert not drawn


def test_the_line_is_seen_on_any_ground_and_its_arrow_points_to_its_right(tool, marks):
    marks.show_marks(((100.0, 90.0), (100.0, 10.0)), ())
    image = painted(tool, WHOLE)
    tint = QColor(*EVENT_TINT)
    assert abs(image.pixelColor(100, 30).hue() - tint.hue()) < 5
    black = QColor(0, 0, 0)
    assert image.pixelColor(110, 50) != black
    assert image.pixelColor(90, 50) == black
    marks.show_marks((), ())
    assert painted(tool, WHOLE).pixelColor(100, 30) == black


def test_an_event_has_a_box_in_the_frames_in_which_it_is_seen_and_nowhere_else(tool, marks):
    rows = np.array([[4, 40, 30, 40, 20, 500], [6, 60, 30, 40, 20, 500]], np.int32)
    repainted = heard(tool.changed)
    marks.show_event(Event(1, rows, np.array([0.16, 0.24])))
    for index, left in ((3, None), (4, 40), (5, None), (6, 60), (7, None)):
        marks.show_frame(index)
        image = painted(tool, WHOLE)
        seen = {x for x in range(WIDTH) if image.pixelColor(x, 40) != QColor(0, 0, 0)}
        assert marks.box == (None if left is None else (left, 30, 40, 20))
        if left is None:
            assert not seen
        else:
            assert {left, left + 40} <= {x + d for x in seen for d in (-1, 0, 1)}
            assert not seen & set(range(left + 5, left + 35)), "it is a border"
    assert len(repainted) == 4
    marks.show_frame(4)
    marks.show_event(None)
    assert marks.box is None
