import pytest
from PySide6.QtCore import Qt

from app.views.tools.pan_zoom import PanZoomTool
from tests.app.views.tools.geometry import ENLARGED, WHOLE, at, heard, use


def test_what_is_under_the_pointer_stays_under_it_while_it_drags(qapp):
    tool = PanZoomTool()
    looks = heard(tool.looked)
    grasped = ENLARGED.to_picture(100, 40)
    assert tool.begin(at(100, 40), ENLARGED)
    assert tool.cursor(None, ENLARGED) is Qt.CursorShape.ClosedHandCursor
    tool.move(at(112, 31), ENLARGED)
    ((look,),) = looks
    moved = type(ENLARGED)(look, ENLARGED.picture, ENLARGED.pane, ENLARGED.ratio)
    assert moved.to_picture(112, 31) == pytest.approx(grasped)


def test_each_move_counts_from_the_one_before(qapp):
    tool = PanZoomTool()
    looks = heard(tool.looked)
    use(tool, ENLARGED, (100, 40), (103, 40), (109, 40))
    assert [look.x for (look,) in looks] == pytest.approx([60 - 1, 60 - 2]), "three points are a pixel"


@pytest.mark.parametrize(
    ("key", "dx", "dy"),
    [(Qt.Key.Key_Left, -1, 0), (Qt.Key.Key_Right, 1, 0), (Qt.Key.Key_Up, 0, -1), (Qt.Key.Key_Down, 0, 1)],
)
def test_arrows_look_further_that_way(qapp, key, dx, dy):
    tool = PanZoomTool()
    looks = heard(tool.looked)
    assert tool.keeps_key(key, ENLARGED)
    assert tool.press_key(key, ENLARGED)
    ((look,),) = looks
    assert (look.x, look.y) == pytest.approx((60 + dx * 40 / 3, 40 + dy * 40 / 3))
    assert not tool.keeps_key(key, WHOLE), "there is nothing further"
    assert not tool.press_key(key, WHOLE)


def test_plus_and_minus_undo_each_other_and_0_asks_for_the_whole(qapp):
    tool = PanZoomTool()
    looks = heard(tool.looked)
    assert tool.press_key(Qt.Key.Key_Plus, ENLARGED)
    nearer = type(ENLARGED)(looks[-1][0], ENLARGED.picture, ENLARGED.pane, ENLARGED.ratio)
    assert nearer.look.scale == pytest.approx(1.25 * ENLARGED.look.scale)
    assert tool.press_key(Qt.Key.Key_Minus, nearer)
    assert looks[-1][0].scale == pytest.approx(ENLARGED.look.scale)
    assert tool.press_key(Qt.Key.Key_0, None)
    assert looks[-1] == (None,)
