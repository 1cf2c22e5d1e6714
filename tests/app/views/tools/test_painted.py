"""Outlines of what was painted by hand."""

import time

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from app.rendering.viewport import Look, Viewport
from app.theme import BACKGROUND_TINT, MASK_TINTS
from app.views.tools.outline import MOST_SIDES, outlines
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
    border = PaintedOutline(outlines([where])[0], WIDTH // halved, is_background)
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
    tool.show_outlines([PaintedOutline(outlines([where])[0], WIDTH, is_background=False)])
    assert painted(tool, WHOLE).pixelColor(100, 50) != QColor(0, 0, 0)


FRAME = (2160, 3840)


def specks():
    where = np.zeros(FRAME, bool)
    rng = np.random.default_rng(0)
    for y, x in zip(rng.integers(0, FRAME[0] - 8, 10_000), rng.integers(0, FRAME[1] - 8, 10_000), strict=True):
        where[y : y + 8, x : x + 8] = True
    return where


def comb():
    where = np.zeros(FRAME, bool)
    where[:340, :340:4] = where[:340, 1:340:4] = where[:2, :340] = True
    return where


@pytest.mark.parametrize("make", [specks, comb, lambda: np.random.default_rng(0).random(FRAME) < 0.5])
@pytest.mark.parametrize("scale", [0.25, 2.0])
def test_no_stroke_holds_the_windows_thread(make, scale):
    where = make()
    began = time.thread_time()
    (border,) = outlines([where])
    made_s = time.thread_time() - began
    assert border.elementCount() < MOST_SIDES
    look = Look(480 / scale, 270 / scale, scale)  # The upper left corner.
    view = Viewport(look, (FRAME[1], FRAME[0]), (960, 540))
    tool, image = PaintedTool(), QImage(960, 540, QImage.Format.Format_RGB32)
    tool.show_outlines([PaintedOutline(border, FRAME[1], is_background=False)])
    painter = QPainter(image)
    began = time.thread_time()
    tool.paint(painter, view)
    painted_s = time.thread_time() - began
    painter.end()
    assert max(made_s, painted_s) < 0.5, "a second and more without a bound"


def test_many_strokes_share_what_is_drawn_and_a_thin_one_is_lost_by_none_of_it():
    where = np.zeros((400, 400), bool)
    where[::4] = True
    where[1, 101:301] = where[101:301, 1] = True
    (alone,) = outlines([where])
    many = outlines([where] * 20)
    assert sum(path.elementCount() for path in many) < MOST_SIDES
    for path in (alone, many[0]):
        box = path.boundingRect()
        assert box.left() <= 8
        assert box.right() >= 392


def test_the_border_of_larger_pixels_lies_where_that_of_small_ones_does():
    where = np.zeros(FRAME, bool)
    where[300:900, 1201:1800] = True
    (fine,) = outlines([where])
    where[1000:2000, 5::10] = True  # Too much to be drawn.
    (coarse,) = outlines([where])
    first = min((part.boundingRect() for part in coarse.toSubpathPolygons()), key=lambda box: box.top())
    assert fine.boundingRect().getCoords() == (1201.5, 300.5, 1799.5, 899.5)
    assert np.allclose(first.getCoords(), fine.boundingRect().getCoords(), atol=16)
