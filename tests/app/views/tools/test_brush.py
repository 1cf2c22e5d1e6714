import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.views.tools.brush import Brush, BrushTool, stroke_mask
from tests.app.views.tools.geometry import ENLARGED, HEIGHT, WHOLE, WIDTH, at, heard, painted, use


@pytest.fixture
def tool(qapp):
    made = BrushTool()
    made.set_brush(Brush(True, 10))
    return made


def test_a_stroke_covers_what_is_within_its_thickness_and_nothing_else():
    where = stroke_mask([(20.0, 30.0), (60.0, 30.0), (60.0, 50.0)], 10, (100, 80))
    y, x = np.mgrid[0:80, 0:100] + 0.5
    along = np.minimum(np.hypot(x - np.clip(x, 20, 60), y - 30), np.hypot(x - 60, y - np.clip(y, 30, 50)))
    assert where[along < 4].all()
    assert not where[along > 6.5].any()


def test_a_dab_is_a_disc_and_a_stroke_beside_the_picture_is_nothing():
    assert 45 < stroke_mask([(10.0, 10.0)], 9, (40, 40)).sum() < 90
    assert stroke_mask([(-50.0, -50.0), (-60.0, 90.0)], 9, (40, 40)) is None
    assert stroke_mask([], 9, (40, 40)) is None, "there is no stroke"


def test_a_drag_tells_what_it_covers_in_pixels_of_the_picture(tool):
    begun, strokes = heard(tool.begun), heard(tool.painted)
    assert use(tool, ENLARGED, (100, 50), (130, 50))
    ((covered,),) = strokes
    assert len(begun) == 1
    assert covered.shape == (HEIGHT, WIDTH)
    np.testing.assert_array_equal(covered, stroke_mask([(60.0, 40.0), (70.0, 40.0)], 10, (WIDTH, HEIGHT)))
    assert not tool.painting


def test_a_stroke_beside_the_picture_tells_nothing(tool):
    strokes = heard(tool.painted)
    use(tool, WHOLE, (-50, -50), (-60, 90))
    assert not strokes


def test_putting_the_brush_away_forgets_the_stroke(tool):
    strokes = heard(tool.painted)
    tool.begin(at(50, 50), WHOLE)
    assert tool.painting
    tool.set_brush(None)
    tool.end(WHOLE)
    assert not strokes
    assert not tool.painting
    assert tool.cursor(at(50, 50), WHOLE) is None


def test_another_brush_goes_on_with_the_stroke(tool):
    strokes = heard(tool.painted)
    tool.begin(at(50, 50), WHOLE)
    tool.set_brush(Brush(True, 30))
    tool.end(WHOLE)
    ((covered,),) = strokes
    assert covered.sum() > 500


def test_the_outline_follows_the_pointer_as_wide_as_the_brush(tool):
    tool.hover(at(100, 50), ENLARGED)
    image = painted(tool, ENLARGED)
    assert image.pixelColor(100, 50).lightness() == 0, "the picture shows through"
    assert image.pixelColor(100 + 15, 50).lightness() > 100, "ten pixels are thirty points across"
    tool.leave()
    assert painted(tool, ENLARGED).pixelColor(100 + 15, 50).lightness() == 0
    assert tool.cursor(None, ENLARGED) is Qt.CursorShape.CrossCursor


@pytest.mark.parametrize("is_background", [True, False])
def test_a_stroke_has_the_colour_of_what_it_says(tool, is_background):
    tool.set_brush(Brush(is_background, 20))
    tool.begin(at(40, 50), WHOLE)
    tool.move(at(160, 50), WHOLE)
    colour = painted(tool, WHOLE).pixelColor(100, 50)
    assert (colour.blue() > colour.red()) == is_background
