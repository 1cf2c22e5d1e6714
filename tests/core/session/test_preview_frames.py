import numpy as np
import pytest

from core.frames.decimated_history import DecimatedHistory
from core.frames.frame import Frame, Layout, Planes
from core.session import preview_frames
from core.session.preview_frames import PreviewFrames

LAYOUT = Layout(4, 4, Planes.GREY)


def frames(n, first=0):
    return [Frame(first + i, 0.0, np.full(16, i % 200, np.uint8), LAYOUT) for i in range(n)]


@pytest.mark.parametrize("capacity", [1, 2, 5, 16, 100])
def test_each_is_in_the_set_under_its_number_and_few_are_kept(capacity):
    shown, of_set = PreviewFrames(capacity), DecimatedHistory(capacity)
    for frame in frames(300):
        shown.offer(frame)
        of_set.offer(frame)
    found = dict(shown.near(index) for index in range(300))
    assert len(found) <= min(capacity, preview_frames.MOST_FRAMES)
    assert all(of_set.items[of_set.numbers.index(number)] is frame for number, frame in found.items())


def test_large_frames_are_fewer(monkeypatch):
    monkeypatch.setattr(preview_frames, "MOST_BYTES", 3 * 2 * LAYOUT.n_bytes)
    shown = PreviewFrames(100)
    for frame in frames(50):
        shown.offer(frame)
    assert len({number for number, _ in (shown.near(i) for i in range(50))}) <= 3


def test_the_nearest_is_told_by_its_place_in_the_source():
    shown = PreviewFrames(10)
    assert shown.near(0) is None
    for frame in frames(4, first=20):
        shown.offer(frame)
    assert shown.near(0)[0] == shown.near(20)[0] == 0
    assert shown.near(22)[0] == 2
    assert shown.near(None)[1].index == 22
