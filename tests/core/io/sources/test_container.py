"""A video file is that file alone."""

import os

import pytest

from core.errors import CleanplateError
from core.io.sources import video
from tests.hostile.media import film
from tests.hostile.references import LISTS, concat, outside, playlist
from tests.small_inputs import opened


@pytest.fixture
def canary(tmp_path):
    """A film that a list can name."""
    (tmp_path / "canary.ts").write_bytes(film("mpegts", "mpeg2video", "yuv420p"))
    assert len(list(opened(tmp_path / "canary.ts").frames())) == 6
    return tmp_path / "canary.ts"


@pytest.mark.parametrize("suffix", [".m3u8", ".mp4", ".txt", ""])
@pytest.mark.parametrize(
    "make", [make for make in dict.fromkeys(LISTS) if make is not outside], ids=lambda make: make.__name__
)
def test_lists_are_refused_under_any_name(make, suffix, canary):
    path = canary.with_name(f"list{suffix}")
    for target in (canary.name, str(canary)):
        path.write_bytes(make(target))
        with pytest.raises(CleanplateError, match=r"^list[^\n]*\.$"):
            opened(path)


@pytest.mark.parametrize("make", [playlist, concat])
def test_a_list_is_called_one(make, canary):
    canary.with_name("list.txt").write_bytes(make(canary.name))
    with pytest.raises(CleanplateError, match="is a list that names other files or addresses"):
        opened(canary.with_name("list.txt"))


def test_samples_that_lie_elsewhere_are_not_looked_for(tmp_path):
    os.mkfifo(tmp_path / "elsewhere")  # Who opened it would wait for ever.
    (tmp_path / "film.mov").write_bytes(outside(str(tmp_path / "elsewhere")))
    with pytest.raises(CleanplateError, match="holds no frame"):
        opened(tmp_path / "film.mov")


@pytest.mark.parametrize("name", ["concat:a.ts", "http:a.ts", "%03d.ts", "a|b.ts", "-", "pipe:0"])
def test_a_name_is_never_an_address(name, canary):
    canary.rename(canary.with_name(name))
    assert len(list(opened(canary.with_name(name)).frames())) == 6


def test_pipes_and_devices_are_refused(tmp_path):
    os.mkfifo(tmp_path / "a.mp4")
    with pytest.raises(CleanplateError, match="named pipe"):
        opened(tmp_path / "a.mp4")
    with pytest.raises(CleanplateError, match="device"):
        opened("/dev/zero")


def test_closing_ends_the_reading(canary):
    source = video.VideoSource(canary)
    frames = source.frames()
    next(frames)
    source.close()
    with pytest.raises(CleanplateError, match="cancelled"):
        list(source.frames())
