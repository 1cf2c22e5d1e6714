import pytest

from app.views.tools.probe import ProbeTool
from tests.app.views.tools.geometry import ENLARGED, WHOLE, at, heard, painted


def test_it_tells_the_pixel_under_the_pointer_and_none_beside_the_picture(qapp):
    probe = ProbeTool()
    pixels = heard(probe.pointed)
    for view, point in ((WHOLE, (30.9, 40.0)), (ENLARGED, (104, 50)), (WHOLE, (200, 10)), (WHOLE, (10, -0.1))):
        probe.hover(at(*point), view)
    probe.leave()
    assert pixels == [((30, 40),), ((61, 40),), (None,), (None,), (None,)]


def test_it_never_takes_a_press(qapp):
    assert not ProbeTool().begin(at(30, 40), WHOLE)


@pytest.mark.parametrize(("view", "centre"), [(WHOLE, (30.5, 40.5)), (ENLARGED, (11.5, 51.5))])
def test_the_cross_is_around_the_middle_of_the_pixel_and_leaves_it_free(qapp, view, centre):
    probe = ProbeTool()
    probe.mark((30, 40))
    image = painted(probe, view)
    x, y = (int(value) for value in centre)
    assert image.pixelColor(x, y).lightness() == 0
    assert image.pixelColor(x + 7, y).lightness() > 200 or image.pixelColor(x + 7, y + 1).lightness() > 200


def test_the_same_mark_again_paints_nothing_anew(qapp):
    probe = ProbeTool()
    changes = heard(probe.changed)
    probe.mark((3, 4))
    probe.mark((3, 4))
    assert len(changes) == 1
    assert probe.marked == (3, 4)
