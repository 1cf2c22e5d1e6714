"""How far ahead a source is decoded, and for how long its frames are waited for."""

import math
from dataclasses import replace

import pytest

from core.frames.frame import Layout, Planes
from core.io.sources.base import SourceInfo
from core.io.sources.samples.synthetic import SampleSource
from core.session import reader
from core.session.prefetch import SLOTS

SMALL = SourceInfo("Small", Layout(48, 64, Planes.RGB), None, 3)
LARGE = replace(SMALL, layout=Layout(1080, 1920, Planes.RGB))


@pytest.mark.parametrize(
    ("info", "slots", "limit_s"),
    [
        (SMALL, SLOTS, None),
        (LARGE, 1, None),
        (replace(LARGE, live=True), SLOTS, None),  # A camera waits for nobody.
        (replace(SMALL, may_pause=True), SLOTS, math.inf),  # And a folder may get its next file tomorrow.
    ],
)
def test_large_frames_wait_one_by_one_but_those_of_cameras_and_pauses_end_nothing(monkeypatch, info, slots, limit_s):
    asked = []

    def prefetch(frames, slots, *, limit_s=None):
        asked.append((slots, limit_s))
        return frames

    monkeypatch.setattr(reader, "prefetch", prefetch)
    reading = reader.Reader(SampleSource(info, None))
    reading.start(0)
    reading.close()
    assert asked == [(slots, limit_s)]
