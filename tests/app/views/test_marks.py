"""The strip of marks: handles are dragged, markers are chosen and named."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from app import theme
from app.views.marks import HEIGHT, MarksStrip
from tests.app.view_helpers import mouse

N = 101


@pytest.fixture
def marks(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    made = MarksStrip()
    qtbot.addWidget(made)
    made.resize(820, HEIGHT)
    made.set_frames(N, 10)
    with qtbot.waitExposed(made):
        made.show()
    return made


def drag(marks, start: int, end: int) -> None:
    mouse(marks, QEvent.Type.MouseButtonPress, (marks.place_of(start), 7))
    for index in (start + (end - start) // 2, end):
        mouse(marks, QEvent.Type.MouseMove, (marks.place_of(index), 7))
    mouse(marks, QEvent.Type.MouseButtonRelease, (marks.place_of(end), 7), held=Qt.MouseButton.NoButton)


def test_places_and_frames_belong_together(marks):
    assert [marks.place_of(index) for index in (0, 50, 100)] == [10, 410, 810]
    assert [marks.frame_at(x) for x in (-5, 10, 410, 813)] == [0, 0, 50, 100]
    assert marks.ends == (0, 100)


def test_a_handle_that_is_dragged_shows_the_frames_it_passes_and_tells_where_it_was_let_go(marks, qtbot):
    passed = []
    marks.frame_pressed.connect(passed.append)
    with qtbot.waitSignal(marks.range_dragged) as told:
        drag(marks, 0, 20)
    assert told.args == [20, None]
    assert passed == [10, 20]
    with qtbot.waitSignal(marks.range_dragged) as told:
        drag(marks, 100, 60)
    assert told.args == [20, 60]
    with qtbot.waitSignal(marks.range_dragged) as told:
        drag(marks, 20, 90)
    assert told.args == [60, 60], "handles do not pass each other"
    with qtbot.waitSignal(marks.range_dragged) as told:
        drag(marks, 60, 100)
    assert told.args == [60, None], "the one that can go there"


def test_what_is_shown_waits_while_a_handle_is_held(marks):
    mouse(marks, QEvent.Type.MouseButtonPress, (marks.place_of(0), 7))
    mouse(marks, QEvent.Type.MouseMove, (marks.place_of(30), 7))
    marks.show_marks(5, 6, {})
    assert marks.ends == (30, 100)
    mouse(marks, QEvent.Type.MouseButtonRelease, (marks.place_of(30), 7), held=Qt.MouseButton.NoButton)
    marks.show_marks(5, 400, {})
    assert marks.ends == (5, 100)


def test_a_press_elsewhere_goes_to_the_frame_and_on_a_marker_to_its_own(marks, qtbot):
    marks.show_marks(None, None, {40: "Van", 80: "Cyclist"})
    for x, index in ((marks.place_of(50), 50), (marks.place_of(40) + 4, 40)):
        with qtbot.waitSignal(marks.frame_pressed) as told:
            mouse(marks, QEvent.Type.MouseButtonPress, (x, 7))
        assert told.args == [index]
    with qtbot.waitSignal(marks.name_requested) as told:
        mouse(marks, QEvent.Type.MouseButtonDblClick, (marks.place_of(80), 7))
    assert told.args == [80]
    at = QPoint(round(marks.place_of(40)), 7)
    QApplication.sendEvent(marks, QHelpEvent(QEvent.Type.ToolTip, at, marks.mapToGlobal(at)))
    assert QToolTip.text() == "Van · frame 41"
    assert "Van at frame 41, Cyclist at frame 81" in marks.accessibleDescription()


def test_it_is_drawn_in_both_palettes_and_empty_where_nothing_can_be_marked(marks, qapp):
    bare = marks.grab().toImage()
    marks.show_marks(10, 70, {40: "Van", 41: "A long name that finds no room", 99: "End"})
    assert marks.grab().toImage() != bare
    dark = marks.grab().toImage()
    theme.apply_theme(qapp, "light")
    assert marks.grab().toImage() != dark
    marks.set_frames(0, 10)
    mouse(marks, QEvent.Type.MouseButtonPress, (50, 7))
    colours = {marks.grab().toImage().pixel(x, 7) for x in range(0, 800, 50)}
    assert len(colours) == 1


def test_where_learning_stands_is_seen_and_said_while_it_waits(marks, monkeypatch):
    told = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, *_: told.append(text))
    at, good = QPoint(round(marks.place_of(40)), 7), QColor(theme.colours().good)
    assert marks.grab().toImage().pixelColor(at) != good
    marks.show_learning(40)
    assert marks.grab().toImage().pixelColor(at) == good
    QApplication.sendEvent(marks, QHelpEvent(QEvent.Type.ToolTip, at, marks.mapToGlobal(at)))
    assert told == ["Learning stands at frame 41; the key End goes on there."]
    assert told[0] in marks.accessibleDescription()
    marks.show_learning(N)
    assert "frame 101" in marks.accessibleDescription(), "another pass begins there"
    marks.show_learning(None)
    assert "Learning" not in marks.accessibleDescription()
    assert marks.grab().toImage().pixelColor(at) != good


def test_frames_that_were_painted_have_bars_that_are_seen_said_and_gone_to(marks, qtbot, monkeypatch):
    told = []
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, *_: told.append(text))
    foot, text = HEIGHT - 2, QColor(theme.colours().text)

    def is_drawn(index):
        return marks.grab().toImage().pixelColor(round(marks.place_of(index)), foot) == text

    bare = marks.grab().toImage()
    marks.show_painted([(60, 80), (40, 40), (40, 40)])
    assert [index for index in (30, 39, 40, 41, 59, 61, 70, 79, 85) if is_drawn(index)] == [40, 61, 70, 79]
    for index, said in ((40, "frame 41"), (70, "frames 61 to 81")):
        at = QPoint(round(marks.place_of(index)) + 3, 7)
        QApplication.sendEvent(marks, QHelpEvent(QEvent.Type.ToolTip, at, marks.mapToGlobal(at)))
        assert told.pop() == f"Painted by hand: {said}"
    assert "Painted by hand: frame 41, frames 61 to 81." in marks.accessibleDescription()
    for x, index in ((marks.place_of(40) + 5, 40), (marks.place_of(70), 70), (marks.place_of(45), 45)):
        with qtbot.waitSignal(marks.frame_pressed) as pressed:
            mouse(marks, QEvent.Type.MouseButtonPress, (x, 7))
        assert pressed.args == [index]
    marks.show_marks(None, None, {41: "Van"})
    with qtbot.waitSignal(marks.frame_pressed) as pressed:
        mouse(marks, QEvent.Type.MouseButtonPress, (marks.place_of(41) - 3, 7))
    assert pressed.args == [41], "the marker lies over it"
    marks.show_marks(None, None, {})
    marks.show_painted([])
    assert marks.grab().toImage() == bare
    assert "Painted" not in marks.accessibleDescription()


def test_the_menu_of_a_marker_names_it_and_takes_it_away(marks, qtbot):
    marks.show_marks(None, None, {40: "Van"})

    def menu_at(index):
        place = QPoint(round(marks.place_of(index)), 7)
        QApplication.sendEvent(
            marks, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, marks.mapToGlobal(place))
        )
        return marks.findChild(QMenu)

    assert menu_at(70) is None, "there is no marker"
    menu = menu_at(40)
    assert menu.isVisible()
    offered = {action.text(): action for action in menu.actions()}
    for text, signal in (("Name…", marks.name_requested), ("Take away", marks.removal_requested)):
        with qtbot.waitSignal(signal) as told:
            offered[text].trigger()
        assert told.args == [40]
    menu.close()


def test_only_a_handle_that_was_dragged_tells_a_range_and_only_the_left_button_lets_it_go(marks, qtbot):
    at, right, none = (marks.place_of(50), 7), Qt.MouseButton.RightButton, Qt.MouseButton.NoButton
    with qtbot.assertNotEmitted(marks.range_dragged):
        mouse(marks, QEvent.Type.MouseButtonPress, at)
        mouse(marks, QEvent.Type.MouseButtonRelease, at, held=none)
        mouse(marks, QEvent.Type.MouseButtonPress, (marks.place_of(0), 7))
        mouse(marks, QEvent.Type.MouseButtonRelease, at, right, held=Qt.MouseButton.LeftButton)
    mouse(marks, QEvent.Type.MouseMove, (marks.place_of(30), 7))
    with qtbot.waitSignal(marks.range_dragged) as told:
        mouse(marks, QEvent.Type.MouseButtonRelease, (marks.place_of(30), 7), held=none)
    assert told.args == [30, None]


def test_what_lies_between_the_handles_is_tinted_and_what_is_under_it_seen(marks):
    def at(index):
        return marks.grab().toImage().pixelColor(round(marks.place_of(index)), 3)

    bare = at(30)
    marks.show_marks(10, 60, {})
    assert at(80) == bare
    assert at(30) not in (bare, QColor(theme.colours().accent))
