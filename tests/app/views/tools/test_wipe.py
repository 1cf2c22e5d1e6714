import pytest
from PySide6.QtCore import QRectF, Qt

from app.views.tools.wipe import WipeTool
from tests.app.views.tools.geometry import ENLARGED, WHOLE, at, painted, use


@pytest.fixture
def wipe(qapp):
    tool = WipeTool()
    tool.set_on(True)
    return tool


def test_only_a_press_on_the_divider_takes_hold_of_it(wipe):
    assert not use(wipe, WHOLE, (80, 50), (20, 50))
    assert wipe.share == 0.5
    assert use(wipe, WHOLE, (104, 50), (150, 50))
    assert wipe.share == 0.75


def test_the_divider_stays_within_the_pane(wipe):
    use(wipe, WHOLE, (100, 50), (900, 50))
    assert wipe.share == 1.0
    use(wipe, WHOLE, (200, 50), (-900, 50))
    assert wipe.share == 0.0
    wipe.press_key(Qt.Key.Key_BracketLeft, WHOLE)
    assert wipe.share == 0.0


def test_the_pointer_says_where_it_can_be_grabbed(wipe):
    assert wipe.cursor(at(105, 10), WHOLE) is Qt.CursorShape.SplitHCursor
    assert wipe.cursor(at(130, 10), WHOLE) is None
    wipe.begin(at(100, 10), WHOLE)
    assert wipe.cursor(at(130, 10), WHOLE) is Qt.CursorShape.SplitHCursor, "it is held"


def test_brackets_move_it_and_belong_to_the_window_when_it_is_off(wipe):
    assert wipe.press_key(Qt.Key.Key_BracketRight, WHOLE)
    assert wipe.share == pytest.approx(0.52)
    wipe.set_on(False)
    assert not wipe.keeps_key(Qt.Key.Key_BracketRight, WHOLE)
    assert not wipe.press_key(Qt.Key.Key_BracketRight, WHOLE)


def test_its_place_is_one_of_the_pane_whatever_the_look(wipe):
    assert wipe.right_of(WHOLE) == wipe.right_of(ENLARGED) == QRectF(100, 0, 100, 100)
    image = painted(wipe, ENLARGED)
    assert image.pixelColor(100, 10).lightness() == 255
    assert image.pixelColor(80, 10).lightness() == 0
