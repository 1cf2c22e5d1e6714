"""The source panel: what it says of an input."""

import pytest

from app.panels.source import SourcePanel
from core.frames.frame import Layout, Planes
from core.io.sources.base import SourceInfo

LAYOUT = Layout(64, 48, Planes.GREY, 16)


@pytest.mark.parametrize(
    ("times", "rate", "length"),
    [
        ({"fps": 25.0}, "25 frames/s", "60 frames, 2.4 s"),
        ({"fps": 30.0, "is_rate_told": False, "n_frames": None, "live": True}, "not told", "live"),
        ({"fps": None}, "still images", "60 frames"),
        ({"fps": None, "interval_s": 0.5}, "one every 0.5 s", "60 frames, 30 s"),
        ({"fps": None, "interval_s": 600.0}, "one every 10 min", "60 frames, 10 h"),
        ({"fps": None, "interval_s": 90.0}, "one every 90 s", "60 frames, 90 min"),
    ],
)
def test_it_says_how_much_time_lies_between_frames_that_have_no_rate(qtbot, times, rate, length):
    panel = SourcePanel()
    qtbot.addWidget(panel)
    panel.show_source(SourceInfo("cells.tif", LAYOUT, **{"n_frames": 60, **times}), original=(64, 48), is_grey=True)
    assert panel.facts.text("Rate") == rate
    assert panel.facts.text("Length") == length
