"""Where the panes lie beside each other."""

import pytest
from PySide6.QtCore import QSize

from app.views.pane_grid import COLUMNS, scale_in
from app.views.panes import PanesView
from tests.app.view_helpers import exposed, make_report


def places(panes):
    """Return how many rows and columns the panes lie in."""
    lies = [pane.geometry() for pane in panes.panes if pane.isVisible()]
    return len({one.top() for one in lies}), len({one.left() for one in lies})


@pytest.fixture
def panes(qtbot):
    return exposed(qtbot, PanesView(), 790, 460)


@pytest.mark.parametrize(("size", "lie"), [((66, 37), (1, 6)), ((37, 66), (2, 3)), ((40, 40), (2, 3))])
def test_upright_pictures_lie_in_one_row_where_they_are_larger_there(qtbot, panes, size, lie):
    panes.show_report(make_report(size=size))
    qtbot.waitUntil(lambda: places(panes) == lie)
    panes.set_enlarged(2)
    qtbot.waitUntil(lambda: places(panes) == (1, 1))
    panes.set_enlarged(-1)
    qtbot.waitUntil(lambda: places(panes) == lie)


def test_one_row_gives_way_as_the_view_becomes_narrow_and_comes_back(qtbot, panes):
    panes.show_report(make_report(size=(66, 37)))
    least = 3 * panes.panes[0].minimumWidth()
    assert panes.minimumSizeHint().width() < least + 60, "it could not be made narrow"
    for width, lie in ((600, (2, 3)), (790, (1, 6))):
        panes.resize(width, 460)
        qtbot.waitUntil(lambda lie=lie: places(panes) == lie)


def test_panes_do_not_change_their_places_for_every_pixel(qtbot, panes):
    upright = QSize(37, 66)
    panes.show_report(make_report(size=(66, 37)))
    heights = range(460, 800)
    gains = [scale_in(6, 6, upright, QSize(790, h)) / scale_in(COLUMNS, 6, upright, QSize(790, h)) for h in heights]
    between = next(height for height, gain in zip(heights, gains, strict=True) if 1.02 < gain < 1.1)
    panes.resize(790, between)
    qtbot.waitUntil(lambda: places(panes) == (1, 6))
    panes.resize(790, 790)
    qtbot.waitUntil(lambda: places(panes) == (2, 3))
    panes.resize(790, between)
    qtbot.wait(30)
    assert places(panes) == (2, 3), "as it was"
