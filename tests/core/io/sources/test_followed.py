"""A folder to which files are added: each is read when it is whole, in natural order, until nobody adds any more."""

import errno
import math
import os
import threading
import time
from dataclasses import replace

import cv2
import numpy as np
import pytest

from core.errors import CleanplateError, NoRoomError
from core.export.job import run_job
from core.export.job_spec import Job
from core.io.sources import InputSpec, arrivals, completeness, decoders, open_source, reading, room
from core.io.sources.failing import LostInputError
from core.io.sources.folder_clock import FolderClock
from core.io.sources.followed import FollowedFolder
from core.io.sources.left_out import LeftOut
from core.io.sources.notes import Notes
from core.io.sources.reading import LastPicture, UnreachableError
from core.runtime import announcing
from tests.films import sounding, write_film, write_planes
from tests.patience import PATIENCE_S
from tests.small_inputs import save_png, scene


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(arrivals, "STILL_S", 0.2)
    monkeypatch.setattr(arrivals, "POLL_S", 0.02)
    monkeypatch.setattr(completeness, "FILM_STILL_S", 0.6)


ENDS_S = 0.1
"""How long a folder is idle that holds all that it will: what is there is read however long that takes."""


def followed(folder, idle_s=math.inf):
    return open_source(InputSpec(str(folder), follow_min=idle_s / 60))


def names_to_the_end(source, frames, n_coming):
    """Return the names of so many frames, which may take their time to come, and of what follows at once."""
    names = [next(frames).name for _ in range(n_coming)]
    source._idle_s = ENDS_S
    return names + [frame.name for frame in frames]


def aged(path, seconds=10.0):
    os.utime(path, (time.time() - seconds, time.time() - seconds))
    return path


def add(folder, index, picture=None):
    save_png(folder / f"shot{index}.png", scene(index) if picture is None else picture)
    return folder / f"shot{index}.png"


def test_where_the_folder_holds_one_called_input_that_is_followed_as_it_is_read_without_waiting(tmp_path):
    (tmp_path / "input").mkdir()
    aged(add(tmp_path / "input", 1))
    aged(add(tmp_path, 0))
    for folder in (tmp_path, tmp_path / "input"):
        source = followed(folder, idle_s=ENDS_S)
        assert [frame.name for frame in source.frames()] == ["shot1.png"]
        assert source.info.title == open_source(InputSpec(str(folder))).info.title == tmp_path.name
        source.close()


def test_no_result_of_a_followed_folder_is_a_frame_the_next_time(tmp_path):
    (tmp_path / "input").mkdir()
    aged(add(tmp_path / "input", 1))
    run_job(Job(InputSpec(str(tmp_path), follow_min=ENDS_S / 60), tmp_path, ("plate",)))
    assert (tmp_path / "plate.png").exists()
    source = followed(tmp_path, idle_s=ENDS_S)
    assert [frame.name for frame in source.frames()] == ["shot1.png"]
    source.close()
    with pytest.raises(CleanplateError, match="would be taken for one of them"):
        Job(InputSpec(str(tmp_path), follow_min=1), tmp_path / "input", ("plate",)).check()


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


@pytest.mark.parametrize("suffix", ["png", "jpg", "tif"])
def test_each_file_is_decoded_once(tmp_path, monkeypatch, suffix):
    """To look whether it is whole, what it is like, and to read it."""
    sizes, opened = [], decoders.opened

    def counted(data):
        found = opened(data)
        return replace(found, decode=lambda: sizes.append(len(data)) or found.decode())

    for index in range(3):
        picture = scene(index, width=64 + 8 * index) if index == 2 else scene(index)
        (tmp_path / f"{index}.{suffix}").write_bytes(cv2.imencode(f".{suffix}", picture)[1].tobytes())
        aged(tmp_path / f"{index}.{suffix}")
    monkeypatch.setattr(decoders, "opened", counted)
    source = followed(tmp_path, idle_s=ENDS_S)
    assert [frame.name for frame in source.frames()] == [f"{index}.{suffix}" for index in range(2)]
    assert sizes == [path.stat().st_size for path in sorted(tmp_path.iterdir())]


def test_a_file_that_is_written_anew_before_it_is_read_is_decoded_anew(tmp_path):
    pictures, path = LastPicture(), add(tmp_path, 0)
    before = pictures.read(path)
    assert pictures.read(path) is before
    aged(add(tmp_path, 0, scene(1)), 20.0)
    np.testing.assert_array_equal(pictures.read(path).image, scene(1))
    path.unlink()
    with pytest.raises(UnreachableError):
        pictures.read(path)


@pytest.mark.parametrize("suffix", ["png", "jpg", "bmp"])
def test_a_half_written_file_is_waited_for_and_never_read_cut(tmp_path, suffix):
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
    source = followed(tmp_path, idle_s=ENDS_S)
    assert [frame.name for frame in source.frames()] == ["shot1.png", "shot3.png"]
    assert source.warnings == [
        "2 files were left out; the first, shot2.png, is damaged or cut short.",
        "1 file was left out: shot4.png differs from the first in size.",
    ]


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (lambda picture: picture[:20], "size"),
        (lambda picture: picture.astype(np.uint16) * 257, "bit depth"),
        (lambda picture: picture[..., 1], "colour"),
    ],
)
def test_what_is_unlike_the_first_file_is_left_out_and_said_to_differ_in_that(tmp_path, other, what):
    for index in range(3):
        aged(add(tmp_path, index, other(scene(index)) if index == 1 else None))
    source = followed(tmp_path, idle_s=ENDS_S)
    assert [frame.name for frame in source.frames()] == ["shot0.png", "shot2.png"]
    assert source.warnings == [f"1 file was left out: shot1.png differs from the first in {what}."]


@pytest.mark.parametrize("ahead_s", [-90.0, 90.0])
def test_a_folder_may_have_another_clock(tmp_path, ahead_s):
    """That of another computer, whose drive it is on: files are seen while they are written, and none is lost."""
    data = add(tmp_path, 0).read_bytes()
    aged(tmp_path / "shot0.png", -ahead_s)
    aged(tmp_path, -ahead_s)
    source = FollowedFolder(tmp_path, (), 1.0, lambda: False)
    frames = source.frames()
    assert next(frames).name == "shot0.png"

    def record():
        for index in (1, 2):
            path = tmp_path / f"shot{index}.png"
            for n_bytes in (100, 200, 300, len(data)):
                path.write_bytes(data[:n_bytes])
                aged(path, -ahead_s)
                aged(tmp_path, -ahead_s)
                time.sleep(0.1)

    threading.Thread(target=record).start()
    assert names_to_the_end(source, frames, 2) == ["shot1.png", "shot2.png"]
    assert source.warnings == []


def test_nothing_is_given_up_by_a_clock_that_is_ahead_while_it_grows(tmp_path, monkeypatch):
    """A time that lies in the future, of whatever file, makes all others seem old."""
    monkeypatch.setattr(arrivals, "STILL_S", 1.0)  # A busy machine may not write for longer than usual.
    aged(add(tmp_path, 9), -3600.0)
    data = aged(add(tmp_path, 0)).read_bytes()
    source = FollowedFolder(tmp_path, (), 1.0, lambda: False)
    frames = source.frames()
    assert next(frames).name == "shot0.png"
    growing = tmp_path / "shot1.png"
    growing.write_bytes(data[:100])

    def record():
        for n_bytes in (200, 300, 400, len(data)):
            time.sleep(0.1)
            growing.write_bytes(data[:n_bytes])

    threading.Thread(target=record).start()
    assert names_to_the_end(source, frames, 2) == ["shot1.png", "shot9.png"]
    assert source.warnings == []


def test_old_files_of_a_folder_whose_own_time_is_not_kept_are_read_at_once(tmp_path, monkeypatch):
    """As on cards of cameras: FAT keeps when a folder was made."""
    monkeypatch.setattr(arrivals, "STILL_S", 1.0)
    for index in range(20):
        aged(add(tmp_path, index), 1000.0 - 10 * index)
    aged(tmp_path, 5000.0)
    source = followed(tmp_path)
    frames = source.frames()
    began = time.monotonic()
    assert [next(frames).name for _ in range(19)] == [f"shot{index}.png" for index in range(19)]
    assert time.monotonic() - began < 10.0
    source.close()


def spoilt(path):
    """Damage an image within."""
    data = bytearray(path.read_bytes())
    data[60:900] = bytes(840)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("n_damaged", [1, 3])
def test_what_is_damaged_is_left_out_where_it_is_the_first_too(tmp_path, n_damaged):
    for index in range(4):
        path = add(tmp_path, index)
        aged(spoilt(path) if index < n_damaged else path)
    source = followed(tmp_path, idle_s=ENDS_S)
    assert [frame.name for frame in source.frames()] == [f"shot{index}.png" for index in range(n_damaged, 4)]
    assert len(source.warnings) == 1
    assert "shot0.png" in source.warnings[0]
    assert source.warnings[0].startswith(f"{n_damaged} file")


def test_where_all_are_damaged_the_error_says_so(tmp_path):
    aged(spoilt(add(tmp_path, 0)))
    with pytest.raises(CleanplateError) as raised:
        followed(tmp_path, idle_s=ENDS_S)
    assert str(raised.value) == (
        f"No file that can be read came to {tmp_path}; check what writes there. 1 file was left out: shot0.png is "
        "damaged or not an image."
    )


def test_all_that_are_damaged_are_counted_and_the_first_is_named(tmp_path):
    for index in range(6):
        path = add(tmp_path, index)
        aged(spoilt(path) if index in (1, 3, 4) else path)
    source = followed(tmp_path, idle_s=ENDS_S)
    assert [frame.name for frame in source.frames()] == ["shot0.png", "shot2.png", "shot5.png"]
    assert source.warnings == ["3 files were left out; the first, shot1.png, is damaged or not an image."]


def test_what_is_taken_away_before_its_turn_is_left_out_and_counted(tmp_path):
    for index in range(6):
        aged(add(tmp_path, index))
    source = followed(tmp_path, idle_s=ENDS_S)
    frames = source.frames()
    next(frames)
    for index in (2, 3):
        (tmp_path / f"shot{index}.png").unlink()
    assert [frame.name for frame in frames] == ["shot1.png", "shot4.png", "shot5.png"]
    assert source.warnings == ["2 files were left out; the first, shot2.png, is gone, or a link to what is gone."]


def test_a_folder_that_is_gone_with_files_in_it_is_an_error(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for index in range(3):
        aged(add(folder, index))
    frames = followed(folder, idle_s=ENDS_S).frames()
    next(frames)
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(CleanplateError, match=r"^in is gone: it was moved or deleted [^.]+\.$"):
        list(frames)


def test_a_folder_whose_files_were_all_read_may_go(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    aged(add(folder, 0))
    frames = followed(folder, idle_s=ENDS_S).frames()
    next(frames)
    folder.rename(tmp_path / "elsewhere")
    assert list(frames) == []


def test_a_folder_that_cannot_be_looked_at_when_it_seems_to_end_is_an_error(tmp_path, monkeypatch):
    aged(add(tmp_path, 0))
    frames = followed(tmp_path, idle_s=ENDS_S).frames()
    next(frames)

    def refuse(*_):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(arrivals.os, "scandir", refuse)
    with pytest.raises(LostInputError, match=r"^The folder \S+ cannot be read \(Input/output error\)"):
        list(frames)


@pytest.mark.parametrize("is_looked_at", [True, False], ids=["looked at", "read"])
def test_an_image_that_a_drive_refuses_is_an_error(tmp_path, monkeypatch, medium, is_looked_at):
    """A file is looked at before its turn, and then read: in both the drive may fail."""
    monkeypatch.setattr(arrivals, "GIVEN_UP_S", 5.0)
    if not is_looked_at:
        monkeypatch.setattr(FollowedFolder, "_is_whole", lambda *_: True)
    for index in range(3):
        aged(add(tmp_path, index))
    frames = followed(tmp_path, idle_s=ENDS_S).frames()
    next(frames)
    medium.fails_at = range(1 << 30)
    with pytest.raises(LostInputError, match=r"^shot1\.png .*cannot be read \(Input/output error\); check the drive"):
        list(frames)


def test_what_cannot_be_read_yet_is_waited_for(tmp_path, medium):
    for index in range(2):
        aged(add(tmp_path, index))
    frames = followed(tmp_path).frames()
    next(frames)
    medium.fails_at = range(1 << 30)
    threading.Timer(0.4, lambda: setattr(medium, "fails_at", range(0))).start()
    began = time.monotonic()
    assert next(frames).name == "shot1.png"
    assert time.monotonic() - began > 0.2


def test_a_film_whose_drive_fails_in_its_middle_is_an_error_and_none_of_it_an_end(tmp_path, medium):
    rng = np.random.default_rng(0)
    noise = [[rng.integers(0, 256, (120, 160)).astype(np.uint8)] for _ in range(60)]
    for number in (1, 2):
        aged(write_planes(tmp_path / f"clip{number}.mkv", "gray", (160, 120), noise))
    frames = followed(tmp_path, idle_s=ENDS_S).frames()
    for _ in range(60):
        next(frames)
    assert next(frames).index == 60
    medium.fails_at = range(600_000, 900_000)
    with pytest.raises(LostInputError, match=r"^clip2\.mkv cannot be read \(Input/output error\)"):
        list(frames)


def test_too_little_memory_is_an_error(tmp_path, monkeypatch):
    for index in range(2):
        aged(add(tmp_path, index))
    frames = followed(tmp_path, idle_s=ENDS_S).frames()
    next(frames)

    def fill(_path):
        raise MemoryError

    monkeypatch.setattr(reading, "read_picture", fill)
    with pytest.raises(NoRoomError, match=r"too little memory to read shot1\.png"):
        list(frames)


@pytest.mark.parametrize("ahead_s", [0.0, -90.0, 90.0])
def test_a_film_that_nobody_has_written_to_for_two_seconds_may_still_be_written(tmp_path, ahead_s):
    """A program that records at a low rate writes every few seconds, and nothing tells where such a film ends."""
    whole = aged(write_film(tmp_path / "clip1.ts", 60), 10 - ahead_s).read_bytes()

    def write(data):
        (tmp_path / "clip2.ts").write_bytes(data)
        aged(tmp_path / "clip2.ts", -ahead_s)
        aged(tmp_path, -ahead_s)

    write(whole[: len(whole) // 2])
    threading.Timer(0.4, write, [whole]).start()
    source = followed(tmp_path, idle_s=ENDS_S)
    assert len(list(source.frames())) == 120
    assert source.warnings == []


@pytest.mark.parametrize("is_last", [True, False])
def test_a_film_that_grows_when_it_was_read_is_told_of(tmp_path, is_last):
    path = aged(write_film(tmp_path / "clip1.ts", 60))
    if not is_last:
        aged(write_film(tmp_path / "clip2.ts", 60))
    whole = path.read_bytes()
    source = followed(tmp_path, idle_s=ENDS_S)
    frames = source.frames()
    for _ in range(60):
        next(frames)
    path.write_bytes(whole + whole)
    told = ["clip1.ts, and perhaps others, grew after reading began: frames at its end may be missing."]
    if not is_last:
        next(frames)
        assert source.warnings == told
    frames.close()
    assert source.warnings == told


def test_damage_within_a_film_is_told_of(tmp_path):
    for number in (1, 2):
        aged(write_film(tmp_path / f"clip{number}.mp4", 40))
    data = bytearray((tmp_path / "clip2.mp4").read_bytes())
    middle = len(data) // 2
    data[middle : middle + 400] = bytes(400)
    (tmp_path / "clip2.mp4").write_bytes(data)
    aged(tmp_path / "clip2.mp4")
    source = followed(tmp_path, idle_s=ENDS_S)
    assert len(list(source.frames())) > 40
    assert len(source.warnings) == 1
    assert source.warnings[0].startswith("Of clip2.mp4, and perhaps others: clip2.mp4 ")


def test_a_film_that_is_too_large_is_left_out_for_that(tmp_path, monkeypatch):
    aged(write_film(tmp_path / "clip1.mp4", 6))
    aged(write_film(tmp_path / "clip2.mp4", 6, size=(320, 240)))
    monkeypatch.setattr(room, "ALWAYS", 64 * 48 * room.DECODED)
    monkeypatch.setattr(room, "LEAST", 1 << 20)
    monkeypatch.setattr(room, "PACKED", 1e-3)
    source = followed(tmp_path, idle_s=ENDS_S)
    assert len(list(source.frames())) == 6
    assert len(source.warnings) == 1
    assert source.warnings[0].startswith("1 file was left out: clip2.mp4 has 320×240 pixels")


def test_a_run_over_a_folder_whose_drive_fails_has_no_results(tmp_path, monkeypatch, medium):
    monkeypatch.setattr(arrivals, "GIVEN_UP_S", 5.0)
    (tmp_path / "in").mkdir()
    for index in range(12):
        aged(add(tmp_path / "in", index))

    def progress(_step):
        medium.fails_at = range(1 << 30)

    job = Job(InputSpec(str(tmp_path / "in"), follow_min=ENDS_S / 60), tmp_path / "out", ("mask", "times"))
    with pytest.raises(LostInputError):
        run_job(job, progress, lambda: False, lambda: False)
    assert not (tmp_path / "out" / "mask").exists()


def test_short_films_follow_each_other_as_one(tmp_path):
    for number in (9, 10):
        aged(write_film(tmp_path / f"clip{number}.mp4", 6))
    half = (tmp_path / "clip9.mp4").read_bytes()
    (tmp_path / "clip11.mp4").write_bytes(half[: len(half) // 2])
    threading.Timer(0.3, lambda: (tmp_path / "clip11.mp4").write_bytes(half)).start()
    frames = list(followed(tmp_path, idle_s=ENDS_S).frames())
    assert [frame.index for frame in frames] == list(range(18))
    assert np.allclose(np.diff([frame.time_s for frame in frames]), 0.04)


def test_films_that_say_no_length_are_read(tmp_path):
    for number in (1, 2):
        aged(write_film(tmp_path / f"clip{number}.mkv", 6, b_frames=0, of_file={"live": "1"}), 40)
    source = followed(tmp_path, idle_s=ENDS_S)
    assert len(list(source.frames())) == 12
    assert source.warnings == []


@pytest.mark.parametrize("has_sound", [True, False])
def test_films_of_short_films_say_that_they_have_no_sound_where_these_have_it(tmp_path, has_sound):
    (tmp_path / "in").mkdir()
    film = write_film(tmp_path / "film.mp4", 12)
    for number in (1, 2):
        path = tmp_path / "in" / f"clip{number}.mp4"
        aged(sounding(path, film, "aac") if has_sound else write_film(path, 12))
    spec = InputSpec(str(tmp_path / "in"), follow_min=ENDS_S / 60)
    summary = run_job(Job(spec, tmp_path / "out", ("mask", "background"), format="mkv"))
    assert summary.frames == 24
    told = "background.mkv has no sound: of streams and followed folders pictures alone are recorded."
    assert [note for note in summary.warnings if "sound" in note] == [told] * has_sound


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
    coming = arrivals.Arrivals(tmp_path, (".png",), lambda *_: True, LeftOut(Notes()), FolderClock())
    for index in range(20):
        os.utime(tmp_path)  # As if another file had come.
        assert coming.next(lambda: False, 1.0).name == f"shot{index}.png"
    assert len(listings) == 1


def test_listing_a_large_folder_takes_but_a_part_of_the_time(tmp_path, listings):
    coming = arrivals.Arrivals(tmp_path, (".png",), lambda *_: True, LeftOut(Notes()), FolderClock())

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
        followed(tmp_path, idle_s=ENDS_S)
    path = add(tmp_path, 1)
    with pytest.raises(CleanplateError, match="is no folder"):
        followed(path)


@pytest.fixture
def held_up(tmp_path):
    """A folder in which a file that was cut short a moment ago stands before others that are whole."""
    for index in (1, 2, 3, 4):
        aged(add(tmp_path, index))
    (tmp_path / "shot2.png").write_bytes((tmp_path / "shot1.png").read_bytes()[:300])
    return tmp_path


def test_a_file_that_holds_up_others_has_a_note_as_long_as_it_does(held_up):
    source = followed(held_up)
    names = []
    thread = threading.Thread(target=lambda: names.extend(frame.name for frame in source.frames()))
    thread.start()
    told = ["Not read: shot2.png, which is not complete, and 2 files behind it, which wait for it."]
    until(lambda: source.warnings == told)
    aged(held_up / "shot2.png", arrivals.GIVEN_UP_S + 5)
    until(lambda: len(names) == 3)
    source.close()
    thread.join(PATIENCE_S)
    assert names == ["shot1.png", "shot3.png", "shot4.png"]
    assert source.warnings == ["1 file was left out: shot2.png is damaged or cut short."]


def test_who_follows_a_run_is_told_what_it_waits_for_and_at_its_end_what_was_not_read(held_up, monkeypatch):
    monkeypatch.setattr(arrivals, "TOLD_S", 0.5)
    works = []
    job = Job(InputSpec(str(held_up), follow_min=math.inf), held_up / "out", ("mask",))
    done = run_job(job, lambda step: works.append(step.work), enough=lambda: any(works))
    assert [work for work in works if work] == ["Waiting for shot2.png to be complete"]
    assert done.frames == 1
    assert "Not read: shot2.png, which is not complete, and 2 files behind it, which wait for it." in done.warnings
    until(lambda: all(thread.name != "decode" for thread in threading.enumerate()))


def test_what_is_told_to_be_waited_for_is_what_stands_first(held_up, monkeypatch):
    monkeypatch.setattr(arrivals, "TOLD_S", 0.3)
    works, cut = [], (held_up / "shot2.png").read_bytes()
    source = followed(held_up)

    def read():
        with announcing.announced_to(works.append):
            list(source.frames())

    thread = threading.Thread(target=read)
    thread.start()
    try:
        until(lambda: works == ["Waiting for shot2.png to be complete"])
        (held_up / "shot1b.png").write_bytes(cut)
        until(lambda: works[1:] == ["", "Waiting for shot1b.png to be complete"])
        told = ["Not read: shot1b.png, which is not complete, and 3 files behind it, which wait for it."]
        until(lambda: source.warnings == told)
    finally:
        source.close()
        thread.join(PATIENCE_S)


def until(condition):
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.02)
