import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from app.views.tools.base import Tool
from app.views.tools.stack import ToolStack
from tests.app.views.tools.geometry import ENLARGED, WHOLE, at, heard


class Diary(Tool):
    """A tool that takes presses where it is told to, and writes down what happens."""

    def __init__(self, name, diary, *, takes=False, shape=None):
        super().__init__()
        self._name, self._diary, self._takes, self._shape = name, diary, takes, shape

    def _note(self, *what):
        self._diary.append((self._name, *what))

    def begin(self, at, view):
        self._note("begin")
        return self._takes

    def move(self, at, view):
        self._note("move", view)

    def end(self, view):
        self._note("end")

    def cancel(self):
        self._note("cancel")

    def hover(self, at, view):
        self._note("hover", view)

    def leave(self):
        self._note("leave")

    def cursor(self, at, view):
        return self._shape

    def paint(self, painter, view):
        self._note("paint", painter.pen().widthF())
        painter.setPen(QPen(Qt.GlobalColor.red, 7.0))

    def press_key(self, key, view):
        self._note("key")
        return self._takes


@pytest.fixture
def scene(qapp):
    class Scene:
        def __init__(self):
            self.view, self.diary, self.owner = WHOLE, [], QObject()

        def stack(self, *tools):
            return ToolStack(tools, lambda: self.view, self.owner)

    return Scene()


def test_the_first_tool_that_takes_the_press_has_the_whole_drag(scene):
    d = scene.diary
    stack = scene.stack(Diary("a", d), Diary("b", d, takes=True), Diary("c", d, takes=True))
    assert stack.press(at(1, 1))
    stack.move(at(2, 2))
    stack.release()
    stack.release()
    assert d == [
        ("a", "begin"), ("b", "begin"), ("b", "move", WHOLE),
        ("a", "hover", WHOLE), ("b", "hover", WHOLE), ("c", "hover", WHOLE), ("b", "end"),
    ]  # fmt: skip


def test_a_drag_that_changes_the_look_is_hovered_in_the_new_look(scene):
    tool = Diary("a", scene.diary, takes=True)
    tool.move = lambda _at, _view: setattr(scene, "view", ENLARGED)
    stack = scene.stack(tool)
    stack.press(at(1, 1))
    stack.move(at(2, 2))
    assert scene.diary[-1] == ("a", "hover", ENLARGED)


def test_where_the_picture_goes_away_the_drag_is_cancelled(scene):
    stack = scene.stack(Diary("a", scene.diary, takes=True))
    stack.press(at(1, 1))
    scene.view = None
    stack.move(at(2, 2))
    stack.release()
    assert scene.diary == [("a", "begin"), ("a", "leave"), ("a", "cancel")]
    assert not stack.press(at(1, 1))


def test_the_pointer_has_the_shape_of_the_uppermost_tool_that_minds(scene):
    d = scene.diary
    hand, cross = Qt.CursorShape.ClosedHandCursor, Qt.CursorShape.CrossCursor
    first = Diary("a", d)
    stack = scene.stack(first, Diary("b", d, shape=cross), Diary("c", d, shape=hand))
    shapes = heard(stack.cursor_changed)
    stack.move(at(1, 1))
    assert shapes == [(cross,)]
    first.cursor = lambda _at, _view: hand
    first.changed.emit()
    assert shapes == [(cross,), (hand,)]
    stack.move(at(1, 2))
    assert len(shapes) == 2, "told only where it is another"


def test_the_uppermost_is_painted_last_and_none_leaves_its_pen_to_the_next(scene):
    d = scene.diary
    stack = scene.stack(Diary("a", d), Diary("b", d))
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    width = painter.pen().widthF()
    stack.paint(painter, WHOLE)
    painter.end()
    assert d == [("b", "paint", width), ("a", "paint", width)]


def test_a_key_goes_to_the_first_tool_that_acts_on_it(scene):
    d = scene.diary
    stack = scene.stack(Diary("a", d), Diary("b", d, takes=True), Diary("c", d, takes=True))
    assert stack.press_key(Qt.Key.Key_A)
    assert d == [("a", "key"), ("b", "key")]
