import numpy as np
import pytest
from PySide6.QtGui import QImage

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
    use(measure, WHOLE, (20, 30), (60, 70))
    use(measure, WHOLE, (-30, -30), (-10, -10))
    assert (measure.region, len(chosen)) == ((20, 30, 40, 40), 1), "what was marked stays, as in the other panes"


def test_the_outline_lies_around_what_is_measured(measure):
    measure.mark((20, 30, 40, 50))
    drawn, nothing = (pixels(painted(tool, WHOLE)) for tool in (measure, MeasureTool()))
    rows, columns = np.nonzero((drawn != nothing).any(axis=2))
    (left, top), (right, bottom) = WHOLE.to_pane(20, 30), WHOLE.to_pane(60, 80)
    assert np.abs([columns.min() - left, rows.min() - top, columns.max() - right, rows.max() - bottom]).max() <= 2.5


def pixels(image):
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.array(image.constBits()).reshape(image.height(), -1, 4)[..., :3]
