import pytest
from PySide6.QtCore import QRect

from app.views.tools.region import RegionTool
from tests.app.views.tools.geometry import ENLARGED, WHOLE, at, heard, painted, use


@pytest.fixture
def region(qapp):
    tool = RegionTool()
    tool.set_active(True)
    return tool


@pytest.mark.parametrize(("start", "end"), [((20.4, 30.6), (60.2, 70.0)), ((60.2, 70.0), (20.4, 30.6))])
def test_it_covers_all_pixels_that_are_touched_whichever_corner_comes_first(region, start, end):
    drawn = heard(region.drawn)
    assert use(region, WHOLE, start, end)
    assert drawn == [(QRect(20, 30, 41, 40),)]


def test_it_is_in_pixels_of_the_picture_and_cut_at_its_border(region):
    drawn = heard(region.drawn)
    use(region, ENLARGED, (100, 50), (100 + 3 * 10, 50 + 3 * 5))
    assert drawn[-1] == (QRect(60, 40, 10, 5),)
    use(region, WHOLE, (150, 50), (999, 999))
    assert drawn[-1] == (QRect(150, 50, 50, 50),)


def test_a_click_draws_nothing_and_it_stays_active(region):
    drawn = heard(region.drawn)
    use(region, WHOLE, (50, 50), (52, 51))
    use(region, WHOLE, (50, 50))
    assert not drawn
    assert region.active
    assert region.rectangle is None


def test_giving_up_forgets_what_is_half_drawn(region):
    drawn = heard(region.drawn)
    region.begin(at(10, 10), WHOLE)
    region.move(at(90, 90), WHOLE)
    assert region.rectangle == QRect(10, 10, 80, 80)
    region.set_active(False)
    region.end(WHOLE)
    assert not drawn
    assert region.rectangle is None
    assert not region.begin(at(10, 10), WHOLE)


def test_what_is_outside_is_dimmed_and_what_is_inside_is_left(region):
    region.begin(at(40, 30), WHOLE)
    region.move(at(160, 80), WHOLE)
    picture = painted(region, WHOLE)
    assert picture.pixelColor(100, 60).lightness() == 0
    assert picture.pixelColor(40, 60).lightness() > 0 or picture.pixelColor(40, 61).lightness() > 0, "its edge"
