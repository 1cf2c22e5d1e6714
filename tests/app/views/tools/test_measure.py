import pytest

from app.views.tools.measure import MeasureTool
from tests.app.views.tools.geometry import ENLARGED, WHOLE, heard, painted, use


@pytest.fixture
def measure(qapp):
    tool = MeasureTool()
    tool.set_active(True)
    return tool


def test_a_click_marks_a_pixel(measure):
    chosen = heard(measure.chosen)
    use(measure, WHOLE, (50.4, 20.7))
    assert chosen == [((50, 20, 1, 1),)]
    use(measure, ENLARGED, (100, 50))
    assert chosen[-1] == ((60, 40, 1, 1),)


def test_a_drag_marks_all_pixels_that_it_touches_within_the_picture(measure):
    chosen = heard(measure.chosen)
    use(measure, WHOLE, (20.4, 30.6), (60.2, 70.0))
    use(measure, WHOLE, (150, 50), (999, 999))
    assert chosen == [((20, 30, 41, 40),), ((150, 50, 50, 50),)]


def test_a_mark_stays_when_it_measures_no_more_until_it_is_taken_away(measure):
    use(measure, WHOLE, (20, 30), (60, 70))
    measure.set_active(False)
    nothing = painted(MeasureTool(), WHOLE)
    assert measure.region == (20, 30, 40, 40)
    assert painted(measure, WHOLE) != nothing
    measure.mark(None)
    assert painted(measure, WHOLE) == nothing


def test_a_mark_beside_the_picture_is_none(measure):
    chosen = heard(measure.chosen)
    use(measure, WHOLE, (-30, -30), (-10, -10))
    assert not chosen
