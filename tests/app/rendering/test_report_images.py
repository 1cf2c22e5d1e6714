"""Pictures at the detail of the screen, and how the panes ask for it."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from app import theme
from app.rendering.report_images import Pictures
from app.views.panes import BACKGROUND, INPUT, MASK, PanesView
from core.frames.frame import Frame
from tests.app.view_helpers import exposed, hover, make_report, rgb

NAMES = ("input", "background", "foreground", "mask")
LARGE = (720, 960)
INSIDE, OUTSIDE = (400, 360), (160, 360)


@pytest.mark.parametrize("halvings", [1, 2, 3])
def test_smaller_pictures_show_the_same(halvings):
    report = make_report(size=LARGE)
    whole, small = Pictures(report), Pictures(report, halvings)
    step = 2**halvings
    for name in NAMES:
        picture = getattr(small, name)
        assert picture.shape[:2] == (LARGE[0] // step, LARGE[1] // step)
        for x, y in (INSIDE, OUTSIDE):
            far = picture[y // step, x // step].astype(int) - getattr(whole, name)[y, x]
            assert np.abs(far).max() <= 1, f"{name} at {x}, {y}"
    assert small.size == whole.size == (LARGE[1], LARGE[0])


def test_a_working_size_below_the_screens_is_enlarged_not_asked_for():
    full, work = make_report(size=LARGE), make_report(size=(90, 120))
    frame = Frame(3, 0.1, work.frame.values, work.frame.layout, original=full.frame)
    pictures = Pictures(replace(work, frame=frame), 1)
    assert {getattr(pictures, name).shape[:2] for name in NAMES} == {(360, 480)}
    assert tuple(pictures.background[180, 240]) == (200, 201, 202)
    assert tuple(pictures.background_pixel(*INSIDE)) == (200, 201, 202)


def test_grey_pictures_keep_their_size():
    pictures = Pictures(make_report(size=LARGE, colour=False, dtype=np.uint16), 2)
    assert pictures.input.shape == LARGE
    assert pictures.halvings == 0


def test_single_pixels_are_those_of_the_original():
    report = make_report(size=LARGE)
    pictures = Pictures(report, 3)
    for x, y in (INSIDE, OUTSIDE, (320, 240), (319, 239)):
        assert tuple(pictures.input_pixel(x, y)) == tuple(report.input_image[y, x])
        assert tuple(pictures.background_pixel(x, y)) == tuple(report.background_image[y, x])
        assert tuple(pictures.foreground_pixel(x, y)) == tuple(report.foreground_image[y, x])


@pytest.fixture
def view(qapp, qtbot):
    theme.apply_theme(qapp, "dark")
    return exposed(qtbot, PanesView(), 500, 400)


def test_panes_ask_for_what_the_screen_shows_and_make_more_themselves_when_zoomed(view):
    asked = []
    view.detail_changed.connect(asked.append)
    report = make_report(size=LARGE)
    view.show_report(report)
    assert asked == [2], "a picture of 960 in a pane of some 235"
    view.show_report(report, Pictures(report, 2))
    small, pane = view.panes[INPUT].picture, view.panes[INPUT]
    assert small.shape[1] == 240
    before = rgb(pane.grab().toImage(), QPointF(*pane.viewport.to_pane(*OUTSIDE)))
    pane.zoom(8.0, QPointF(*pane.viewport.to_pane(*OUTSIDE)))
    assert asked == [2, 0]
    assert view.panes[INPUT].picture.shape[1] == 960
    after = rgb(pane.grab().toImage(), QPointF(*pane.viewport.to_pane(*OUTSIDE)))
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) <= 1
    assert pane.size_of_picture == (960, 720)


def test_smaller_pictures_are_drawn_where_the_whole_ones_are_and_read_out_exactly(view):
    report = make_report(size=LARGE)
    looks = []
    for halvings in (0, 2):
        view.show_report(report, Pictures(report, halvings))
        looks.append([view.panes[i].grab().toImage() for i in (INPUT, BACKGROUND, MASK)])
    for whole, small in zip(*looks, strict=True):
        a, b = (np.frombuffer(image.constBits(), np.uint8).astype(int) for image in (whole, small))
        assert np.mean(np.abs(a - b) > 8) < 0.02, "edges may differ by a pixel, no more"
    pane = view.panes[INPUT]
    at = pane.viewport.to_pane(INSIDE[0] + 0.5, INSIDE[1] + 0.5)
    hover(pane, at)
    x, y = (int(word) for word in pane.readout.text().split(" · ")[0].split()[1::2])
    assert pane.readout.text().endswith(" ".join(map(str, report.input_image[y, x])))
