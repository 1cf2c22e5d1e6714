"""What comes live while nobody takes it: it is left out and counted, and times are those at which pictures came."""

import threading
import time

import numpy as np
import pytest

from core.frames.frame import Layout, Planes
from core.io.sources import camera, live, live_device
from core.io.sources.camera import camera_source
from core.io.sources.live_device import LiveDevice
from tests.patience import until
from tests.plugged import N_LEVELS, Plugged

LAYOUT = Layout(2, 2, Planes.GREY)


@pytest.fixture
def device():
    """A device that gives a picture of each level that it is told, as soon as it is told."""
    made = []

    def make(*, waits=False, late_s=0.05):
        levels, more = [], threading.Semaphore(0)

        def read(device):
            device.waits = waits
            while not device.is_stopped:
                if more.acquire(timeout=0.02):
                    device.give(np.full(4, levels.pop(0), np.uint8), LAYOUT)

        def send(level):
            levels.append(level)
            more.release()
            if not waits:
                until(lambda: not levels, "the picture")

        made.append(LiveDevice("told", read, late_s))
        return made[-1], send

    yield make
    for each in made:
        each.stop()


def taken(device):
    picture = device.take(1)
    return None if picture is None else (int(picture.values[0]), picture.n_missed)


def test_pictures_that_come_at_once_are_all_had(device):
    read, send = device(late_s=60)
    for level in range(5):
        send(level)
    until(lambda: len(read._pictures) == 5, "the pictures")
    assert [taken(read) for _ in range(5)] == [(level, 0) for level in range(5)]


def test_what_nobody_takes_in_time_is_left_out_and_counted(device):
    read, send = device()
    for level in range(4):
        send(level)
        time.sleep(0.06)
    assert [taken(read), read.take(0.02)] == [(3, 3), None]
    send(4)
    assert taken(read) == (4, 0)


@pytest.mark.parametrize(("free_bytes", "n_kept"), [(0, 2), (None, 2), (8 * 12, 3)])
def test_pictures_that_wait_have_no_more_room_than_is_allowed(device, monkeypatch, free_bytes, n_kept):
    """Of pictures of 4 bytes: two always, more where there is much memory."""
    monkeypatch.setattr(live_device, "ALWAYS_BYTES", 8)
    monkeypatch.setattr(live_device, "available_bytes", lambda: free_bytes)
    read, send = device(late_s=60)
    for level in range(5):
        send(level)
    until(lambda: read._pictures[-1].values[0] == 4, "the pictures")
    first = 5 - n_kept
    assert [taken(read) for _ in range(n_kept)] == [(first, first), *((level, 0) for level in range(first + 1, 5))]


def test_where_it_sends_no_faster_than_it_is_read_nothing_is_left_out(device):
    read, send = device(waits=True)
    for level in range(4):
        send(level)
    seen = []
    for _ in range(4):
        time.sleep(0.06)
        seen.append(taken(read))
    assert seen == [(level, 0) for level in range(4)]


def test_who_is_slower_than_a_camera_is_no_further_behind_and_has_the_times_at_which_it_saw(monkeypatch):
    monkeypatch.setattr(live, "WATCHED_LATE_S", 0.2)
    plugged = Plugged()
    plugged.period_s = 0.01
    monkeypatch.setattr(camera.cv2, "VideoCapture", plugged.capture)
    source = camera_source(0)
    frames = source.frames()
    seen, numbers = [next(frames)], []
    for _ in range(12):
        time.sleep(0.1)
        seen.append(next(frames))
        numbers.append(int(seen[-1].values[0]))
    source.close()
    assert [frame.index for frame in seen] == list(range(13)), "those that came are numbered"
    assert sum(frame.n_missed for frame in seen) > 12
    n_between = 11 + sum(frame.n_missed for frame in seen[2:])
    assert (numbers[-1] - numbers[0]) % N_LEVELS == n_between % N_LEVELS
    assert seen[-1].time_s - seen[1].time_s >= 0.9 * plugged.period_s * n_between


@pytest.mark.parametrize("is_recorded", [False, True])
def test_who_watches_sees_what_happens_now_and_who_records_catches_up(monkeypatch, is_recorded):
    monkeypatch.setattr(live, "WATCHED_LATE_S", 0.1)
    monkeypatch.setattr(live, "RECORDED_LATE_S", 60)
    plugged = Plugged()
    plugged.period_s = 0.02
    monkeypatch.setattr(camera.cv2, "VideoCapture", plugged.capture)
    source = camera_source(0, patient=is_recorded)
    frames = source.frames()
    next(frames)
    time.sleep(0.5)  # Kernels are loaded.
    n_missed = [next(frames).n_missed for _ in range(3)]
    source.close()
    assert (sum(n_missed) > 0) is not is_recorded
