"""Outlines of what was painted by hand."""

import numpy as np
import pytest
from PySide6.QtGui import QColor

from app.theme import BACKGROUND_TINT, MASK_TINTS
from app.views.tools.outline import outline
from app.views.tools.painted import PaintedOutline, PaintedTool
from tests.app.views.tools.geometry import HEIGHT, WHOLE, WIDTH, heard, painted

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("halved", [1, 2])
@pytest.mark.parametrize(("is_background", "tint"), [(True, BACKGROUND_TINT), (False, MASK_TINTS["red"])])
def test_the_border_of_a_stroke_is_drawn_in_its_colour_where_it_lies(halved, is_background, tint):
    where = np.zeros((HEIGHT // halved, WIDTH // halved), bool)
    where[20 // halved : 60 // halved, 40 // halved : 140 // halved] = True
    tool = PaintedTool()
    changed = heard(tool.changed)
    border = PaintedOutline(outline(where), WIDTH // halved, is_background)
    tool.show_outlines([border])
    tool.show_outlines([border])
    assert len(changed) == 1, "the pane is painted anew only where something is different"
    image = painted(tool, WHOLE)
    seen = {(x, y) for x in range(WIDTH) for y in range(HEIGHT) if image.pixelColor(x, y) != QColor(0, 0, 0)}
    assert {x for x, _ in seen} <= set(range(37, 144))
    assert {y for _, y in seen} <= set(range(17, 64))
    assert (90, 40) not in seen, "it is an outline"
    line = np.array([image.pixelColor(90, y).getRgb()[:3] for y in range(17, 25)])
    ours, others = (
        np.abs(line - each).sum(axis=1).min() for each in (tint, *({BACKGROUND_TINT, MASK_TINTS["red"]} - {tint}))
    )
    assert ours < others / 1.5


def test_a_stroke_of_one_pixel_is_seen():
    where = np.zeros((HEIGHT, WIDTH), bool)
    where[50, 100] = True
    tool = PaintedTool()
    assert painted(tool, WHOLE).pixelColor(100, 50) == QColor(0, 0, 0)
    tool.show_outlines([PaintedOutline(outline(where), WIDTH, is_background=False)])
    assert painted(tool, WHOLE).pixelColor(100, 50) != QColor(0, 0, 0)
