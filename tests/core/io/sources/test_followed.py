"""A folder to which files are added: each is read when it is whole, in natural order, until nobody adds any more."""

import math
import os
import threading
import time

import numpy as np
import pytest

from core.errors import CleanplateError
from core.export.job import run_job
from core.export.job_spec import Job
from core.io.sources import InputSpec, arrivals, open_source
from core.io.sources.notes import Notes
from tests.films import write_film
from tests.patience import PATIENCE_S
from tests.small_inputs import save_png, scene


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(arrivals, "STILL_S", 0.2)
    monkeypatch.setattr(arrivals, "POLL_S", 0.02)


def followed(folder, idle_s=math.inf):
    return open_source(InputSpec(str(folder), follow_min=idle_s / 60))


def aged(path, seconds=10.0):
    os.utime(path, (time.time() - seconds, time.time() - seconds))
    return path


def add(folder, index, picture=None):
    save_png(folder / f"shot{index}.png", scene(index) if picture is None else picture)
    return folder / f"shot{index}.png"


def test_files_that_are_there_and_that_come_are_read_in_natural_order_and_then_it_ends(tmp_path):
    for index in (2, 10, 1):
        aged(add(tmp_path, index))
    source = followed(tmp_path, idle_s=0.6)
    assert source.info.live
    names = []
    for frame in source.frames():
        names.append(frame.name)
        if len(names) == 3:
            add(tmp_path, 11)
    assert names == ["shot1.png", "shot2.png", "shot10.png", "shot11.png"]
    source.close()


@pytest.mark.parametrize("suffix", ["png", "jpg", "bmp"])
def test_a_half_written_file_is_waited_for_and_never_read_cut(tmp_path, suffix):
    import cv2

    pictures = [scene(index) for index in range(2)]
    packed = [cv2.imencode(f".{suffix}", picture[..., ::-1])[1].tobytes() for picture in pictures]
    (tmp_path / f"0.{suffix}").write_bytes(packed[0])
    half = tmp_path / f"1.{suffix}"
    half.write_bytes(packed[1][: len(packed[1]) // 2])
    source = followed(tmp_path)
    frames = source.frames()
    assert next(frames).name == f"0.{suffix}"
    threading.Timer(0.3, lambda: half.write_bytes(packed[1])).start()
    frame = next(frames)
    whole = cv2.imdecode(np.frombuffer(packed[1], np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
    assert np.array_equal(frame.layout.image(frame.values), whole)
    source.close()
    assert next(frames, None) is None


def test_what_stays_cut_is_left_out_with_a_word(tmp_path):
    aged(add(tmp_path, 1))
    aged(add(tmp_path, 3))
    (tmp_path / "shot2.png").write_bytes((tmp_path / "shot1.png").read_bytes()[:300])
    aged(tmp_path / "shot2.png", arrivals.GIVEN_UP_S + 5)
    aged(add(tmp_path, 4, scene(4)[:20]))
    os.mkfifo(tmp_path / "shot5.png")
    source = followed(tmp_path, idle_s=0.3)
    assert [frame.name for frame in source.frames()] == ["shot1.png", "shot3.png"]
    assert len(source.warnings) == 2
    assert "shot5.png and 1 more are damaged or cut short" in source.warnings[0]


def test_short_films_follow_each_other_as_one(tmp_path):
    for number in (9, 10):
        aged(write_film(tmp_path / f"clip{number}.mp4", 6))
    half = (tmp_path / "clip9.mp4").read_bytes()
    (tmp_path / "clip11.mp4").write_bytes(half[: len(half) // 2])
    threading.Timer(0.3, lambda: (tmp_path / "clip11.mp4").write_bytes(half)).start()
    frames = list(followed(tmp_path, idle_s=0.6).frames())
    assert [frame.index for frame in frames] == list(range(18))
    assert np.allclose(np.diff([frame.time_s for frame in frames]), 0.04)


def test_a_run_goes_on_over_files_and_completes_when_it_is_told_to(tmp_path):
    (tmp_path / "in").mkdir()
    aged(add(tmp_path / "in", 0))
    seen, done = [], threading.Event()

    def progress(step):
        seen.append(step.frame)
        if len(seen) < 4:
            aged(add(tmp_path / "in", len(seen)))
        else:
            done.set()

    job = Job(InputSpec(str(tmp_path / "in"), follow_min=math.inf), tmp_path / "out", ("mask", "times"))
    started = time.monotonic()
    summary = run_job(job, progress, lambda: time.monotonic() - started > PATIENCE_S, done.is_set)
    assert summary.frames == 4
    assert sorted(os.listdir(tmp_path / "out" / "mask")) == [f"00000{n}.png" for n in (1, 2, 3, 4)]


@pytest.fixture
def listings(monkeypatch):
    """The times of all listings; each takes a moment, as that of a large folder does."""
    times, scandir = [], os.scandir

    def slow(folder):
        times.append(time.monotonic())
        time.sleep(0.05)
        return scandir(folder)

    monkeypatch.setattr(arrivals.os, "scandir", slow)
    return times


def test_a_folder_that_is_written_to_is_not_listed_for_each_file(tmp_path, monkeypatch, listings):
    monkeypatch.setattr(arrivals, "POLL_S", 60.0)
    for index in range(20):
        aged(add(tmp_path, index))
    coming = arrivals.Arrivals(tmp_path, (".png",), lambda _path: True, Notes())
    for index in range(20):
        os.utime(tmp_path)  # As if another file had come.
        assert coming.next(lambda: False, 1.0).name == f"shot{index}.png"
    assert len(listings) == 1


def test_listing_a_large_folder_takes_but_a_part_of_the_time(tmp_path, listings):
    coming = arrivals.Arrivals(tmp_path, (".png",), lambda _path: True, Notes())

    def ended():
        os.utime(tmp_path)
        return False

    assert coming.next(ended, 1.2) is None
    assert 2 <= len(listings) <= 4
    assert np.diff(listings).min() > 0.4


def test_what_cannot_be_followed_is_one_sentence(tmp_path):
    with pytest.raises(CleanplateError, match="is for a folder"):
        InputSpec("camera:0", follow_min=1.0)
    with pytest.raises(CleanplateError, match="more than 0"):
        InputSpec(str(tmp_path), follow_min=0.0)
    with pytest.raises(CleanplateError, match="No image or film came"):
        followed(tmp_path, idle_s=0.3)
    path = add(tmp_path, 1)
    with pytest.raises(CleanplateError, match="is no folder"):
        followed(path)
