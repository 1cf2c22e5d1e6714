import pytest

from app.rendering.viewport import LARGEST, Look, Viewport

PICTURE = (400, 300)


def viewport(x=200.0, y=150.0, scale=1.0, pane=(320, 240), ratio=1.0):
    return Viewport(Look(x, y, scale), PICTURE, pane, ratio)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_points_go_to_the_picture_and_back(ratio):
    view = viewport(37.25, 81.5, 2.75, ratio=ratio)
    for point in ((0.0, 0.0), (160.0, 120.0), (319.5, 3.25)):
        assert view.to_pane(*view.to_picture(*point)) == pytest.approx(point)
    assert view.to_picture(160, 120) == pytest.approx((37.25, 81.5)), "the middle of the pane"
    assert view.scale == pytest.approx(2.75 / ratio)


def test_a_pixel_begins_at_its_upper_left_corner_and_none_is_beside_the_picture():
    view = viewport(scale=4.0)
    x, y = view.to_pane(150, 120)
    assert view.pixel_at(x, y) == (150, 120)
    assert view.pixel_at(x + 3.9, y + 3.9) == (150, 120)
    assert view.pixel_at(x - 0.1, y) == (149, 120)
    assert viewport(scale=0.5).pixel_at(1, 1) is None


def test_only_a_picture_larger_than_the_pane_can_be_panned():
    assert not viewport(scale=0.8).can_pan
    assert viewport(scale=0.81).can_pan
    assert not viewport(scale=0.81, ratio=2.0).can_pan, "the pane has twice as many pixels of the screen"


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_picture_has_the_room_below_what_lies_over_the_top(ratio):
    view = Viewport(Look(0, 0, 1), PICTURE, (320, 240), ratio, 30)
    whole = Viewport(view.fitted(), PICTURE, (320, 240), ratio, 30)
    assert whole.to_pane(0, 0) == pytest.approx((20, 30))
    assert whole.to_pane(400, 300) == pytest.approx((300, 240))
    assert not whole.can_pan
    assert whole.kept() == whole.look
    nearer = Viewport(whole.zoomed(1.1), PICTURE, (320, 240), ratio, 30)
    assert nearer.can_pan
    far = Viewport(nearer.panned(1e6, 1e6), PICTURE, (320, 240), ratio, 30)
    assert far.to_pane(0, 0)[1] == pytest.approx(30)
    far = Viewport(nearer.panned(-1e6, -1e6), PICTURE, (320, 240), ratio, 30)
    assert far.to_pane(400, 300)[1] == pytest.approx(240)


def test_zooming_keeps_the_point_under_the_pointer_and_ends_at_both_ends():
    view = viewport(scale=2.0, ratio=2.0)
    nearer = viewport(scale=4.0, ratio=2.0)
    before = nearer.to_picture(200, 100)
    zoomed = Viewport(nearer.zoomed(1.5, (200, 100)), PICTURE, view.pane, 2.0)
    assert zoomed.to_picture(200, 100) == pytest.approx(before)
    assert zoomed.look.scale == pytest.approx(6.0)
    assert view.zoomed(1e9).scale == LARGEST
    assert view.zoomed(1e-9).scale == pytest.approx(min(view.fitted().scale / 2, 1.0))


def test_panning_moves_by_points_of_the_pane_and_stops_at_the_border():
    view = viewport(scale=4.0, ratio=2.0)
    moved = view.panned(10, -6)
    assert (moved.x, moved.y) == pytest.approx((200 - 5, 150 + 3))
    assert view.panned(1e6, 0).x == pytest.approx(320 * 2 / 2 / 4), "half a pane from the left border"
