"""The activity strip."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent

from app import theme
from app.views.activity import ActivityStrip
from app.views.timeline import Timeline
from core.events.activity import Activity
from tests.app.view_helpers import exposed, mouse


def curve(shares, n_bins=64):
    activity = Activity(len(shares), n_bins)
    for index, share in enumerate(shares):
        activity.add(index, share)
    return activity.curve()


@pytest.fixture
def strip(qapp, qtbot):
    theme.apply_theme(qapp, "light")
    made = ActivityStrip()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize("n_frames", [10, 64, 1000])
@pytest.mark.parametrize("width", [7, 100, 640])
def test_the_bar_of_the_busiest_frame_stands_where_that_frame_is(strip, n_frames, width):
    busiest = n_frames * 7 // 10
    shares = np.full(n_frames, 0.01)
    shares[busiest] = 0.5
    strip.set_frames(n_frames, 0)
    strip.show_curve(curve(shares))
    mean, high = strip.bars(width)
    assert np.isfinite(high).all()
    assert abs(int(high.argmax()) + 0.5 - (busiest + 0.5) * width / n_frames) <= 1 + width / min(n_frames, 32)
    assert high.max() == 0.5
    assert (mean <= high).all()


def test_frames_that_were_not_seen_have_no_bars(strip):
    strip.set_frames(100, 0)
    activity = Activity(100)
    for index in range(40):
        activity.add(index, 0.2)
    strip.show_curve(activity.curve())
    assert np.isfinite(strip.bars(100)[1]).tolist() == [True] * 40 + [False] * 60
    strip.clear()
    assert np.isnan(strip.bars(100)[1]).all()


def test_more_moving_is_drawn_higher(strip):
    strip.resize(100, 18)
    strip.set_frames(100, 0)
    strip.show_curve(curve(np.r_[np.full(50, 0.05), np.full(50, 0.5)], 128))
    picture = strip.grab().toImage()
    ground = picture.pixelColor(25, 0)
    assert picture.pixelColor(75, 2) != ground
    assert picture.pixelColor(25, 2) == ground
    assert picture.pixelColor(25, 16) != ground


def test_a_click_on_the_strip_seeks_the_frame_below_it(qapp, qtbot):
    timeline = exposed(qtbot, Timeline(), 900, 56)
    timeline.set_range(200, 25.0)
    with qtbot.waitSignal(timeline.seek_requested) as sought:
        place = (timeline.activity.width() / 2, 9)
        mouse(timeline.activity, QEvent.Type.MouseButtonPress, place)
    assert abs(sought.args[0] - 100) <= 1
    timeline.set_range(None, 25.0, live=True)
    mouse(timeline.activity, QEvent.Type.MouseButtonPress, place)
    assert timeline.slider.value() == 0, "a camera has nothing to seek in"
