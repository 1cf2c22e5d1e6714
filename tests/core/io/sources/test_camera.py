"""A camera, played by a film that OpenCV reads: how it is opened, falls silent, and is given up."""

import threading
import time
from itertools import islice, pairwise

import cv2
import numpy as np
import pytest

from core.errors import CleanplateError
from core.io.sources import camera, live
from core.io.sources.camera import camera_source
from tests.patience import aside, ends, until
from tests.plugged import Plugged

OpenFilm = cv2.VideoCapture
N_FRAMES = 12


@pytest.fixture
def film(tmp_path):
    """A film whose frames get brighter, red above and blue below."""
    path = str(tmp_path / "film.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 25, (64, 48))
    for i in range(N_FRAMES):
        picture = np.zeros((48, 64, 3), np.uint8)
        picture[:24, :, 2], picture[24:, :, 0] = 100 + 10 * i, 100 + 10 * i
        writer.write(picture)
    writer.release()
    return path


@pytest.fixture
def devices(film, monkeypatch):
    """Every device that is opened from now on."""
    opened = []

    def capture(number):
        opened.append(OpenFilm(film))
        return opened[-1]

    monkeypatch.setattr(camera.cv2, "VideoCapture", capture)
    return opened


def test_frames_come_in_rgb_numbered_from_where_reading_goes_on_until_it_falls_silent(devices, monkeypatch):
    monkeypatch.setattr(live, "SILENT_S", 0.2)
    source = camera_source(3)
    assert source.info.live
    assert source.info.n_frames is None
    frames = list(source.frames(5))
    assert [frame.index for frame in frames] == list(range(5, 5 + N_FRAMES - 1)), "the first told what it shows"
    assert all(b.time_s >= a.time_s for a, b in pairwise(frames))
    red, _, blue = np.moveaxis(frames[0].image(), -1, 0).astype(int)
    assert (red - blue)[4:20].min() > 50 > -50 > (red - blue)[28:44].max()
    assert source.warnings == ["Camera 3 gives no more frames; check that it is connected."]


def test_when_it_is_closed_iterators_end_and_the_device_is_free(devices):
    source = camera_source(0)
    frames = source.frames()
    assert len(list(islice(frames, 2))) == 2
    source.close()
    source.close()
    assert list(frames) == []
    assert not devices[0].isOpened()


@pytest.fixture
def plugged(monkeypatch):
    made = Plugged()
    monkeypatch.setattr(camera.cv2, "VideoCapture", made.capture)
    monkeypatch.setattr(live, "SILENT_S", 0.2)
    return made


@pytest.mark.parametrize("how", ["gone", "hangs"])
def test_an_unplugged_camera_ends_with_a_sentence_and_goes_on_when_it_is_back(plugged, how):
    source = camera_source(0)
    frames = source.frames()
    before = list(islice(frames, 3))
    if how == "gone":
        plugged.is_there = False
    else:
        plugged.hangs.set()
    before += list(frames)
    assert source.warnings == ["Camera 0 gives no more frames; check that it is connected."]
    assert list(source.frames()) == [], "not back yet"
    plugged.is_there = True
    plugged.hangs.clear()
    back = []
    for _ in range(100):
        back += list(islice(source.frames(), 3))
        if back:
            break
    assert [frame.index for frame in back] == [len(before) + i for i in range(3)], "numbers go on"
    assert back[0].time_s > before[-1].time_s
    assert source.warnings == []
    source.close()
    assert not plugged.opened


def test_a_slow_camera_is_not_taken_for_a_silent_one_once_it_has_run_for_a_while(plugged):
    plugged.period_s = 0.15  # Longer than a picture is waited for at a time, and less than SILENT_S.
    source = camera_source(0)
    assert len(list(islice(source.frames(), 6))) == 6
    assert source.warnings == []
    source.close()


def test_a_silent_camera_is_closed_at_once(plugged, monkeypatch):
    monkeypatch.setattr(live, "SILENT_S", 600)  # It does not end by itself.
    source = camera_source(0)
    frames, silent_at, ended_at = source.frames(), [], []
    next(frames)
    plugged.hangs.set()

    def wait_for_a_picture():
        silent_at.append(time.monotonic())
        list(frames)
        ended_at.append(time.monotonic())

    with aside(wait_for_a_picture, source.close) as waiting:
        until(lambda: silent_at, "the thread that reads")
        waiting.join(0.2)
        assert waiting.is_alive()
        began = time.monotonic()
        source.close()
        ends(waiting)
    assert ended_at[0] - began < 2


def test_a_device_that_answers_after_it_was_given_up_is_released(film, monkeypatch):
    asked, may_answer, cancelled, devices = threading.Event(), threading.Event(), threading.Event(), []

    def capture(number):
        asked.set()
        may_answer.wait(60)
        devices.append(OpenFilm(film))
        return devices[0]

    def give_up():
        asked.wait(60)
        cancelled.set()

    monkeypatch.setattr(camera.cv2, "VideoCapture", capture)
    threading.Thread(target=give_up).start()
    with pytest.raises(CleanplateError, match="cancelled"):
        camera_source(0, cancelled.is_set)
    assert not devices
    opener = next(thread for thread in threading.enumerate() if thread.name == "camera")
    may_answer.set()
    ends(opener)
    assert not devices[0].isOpened()
