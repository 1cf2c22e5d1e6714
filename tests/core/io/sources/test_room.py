"""Pictures are held against the memory there is, by their headers."""

import zlib

import numpy as np
import pytest

from core.errors import CleanplateError
from core.frames.frame import Layout, Planes
from core.io.sources import reading, room
from core.io.sources.base import SourceInfo
from tests.hostile.media import png
from tests.small_inputs import opened, save_png, scene

GB = 10**9


@pytest.fixture
def plenty(monkeypatch):
    """A machine with 16 GB to spare."""
    monkeypatch.setattr(room, "available_bytes", lambda: 16 * GB)


def info(width, height, planes=Planes.RGB, n_bytes=None, original=None):
    return SourceInfo("a", Layout(height, width, planes), None, 1, n_bytes=n_bytes, original=original)


@pytest.mark.usefixtures("plenty")
def test_a_photograph_of_a_large_camera_is_decoded_and_a_bomb_of_its_size_is_not():
    assert room.too_large(9000, 6000, 20_000_000) is None
    assert "packed into 30 KB" in room.too_large(9000, 6000, 30_000)


@pytest.mark.usefixtures("plenty")
def test_a_flat_picture_of_usual_size_is_worked_on_however_small_its_file_is():
    whole = info(1920, 1080, n_bytes=500)
    room.check_working(whole, whole)


@pytest.mark.usefixtures("plenty")
def test_what_does_not_fit_says_what_helps():
    whole = info(12_000, 9_000, n_bytes=GB)
    with pytest.raises(CleanplateError, match=r"about 37 GB .* have 16 GB; choose a smaller working size \(--size\)"):
        room.check_working(whole, whole)
    small = info(640, 480, n_bytes=GB, original=whole.layout)
    room.check_working(whole, small)
    vast = info(30_000, 20_000, n_bytes=GB)
    with pytest.raises(CleanplateError, match=r"; choose a region \(--roi\)\.$"):
        room.check_working(vast, info(640, 480, original=vast.layout))


def test_nothing_is_refused_where_the_system_does_not_tell(monkeypatch):
    monkeypatch.setattr(room, "available_bytes", lambda: None)
    whole = info(30_000, 20_000, n_bytes=GB)
    room.check_working(whole, whole)
    assert room.too_large(30_000, 20_000, GB) is None


def test_memory_is_little_where_little_is_left(monkeypatch):
    monkeypatch.setattr(room, "available_bytes", lambda: 10**8)
    assert room.too_large(1920, 1080, 10**6) is None
    assert room.too_large(3840, 2160, 10**7)


def test_a_bomb_is_one_sentence(tmp_path):
    (tmp_path / "bomb.png").write_bytes(png(16_000, 16_000))
    with pytest.raises(
        CleanplateError, match=r"^bomb\.png has 16000×16000 pixels packed into 32 KB, .* choose another"
    ):
        opened(tmp_path / "bomb.png")


def test_a_bomb_among_pictures_is_left_out(tmp_path):
    grey = zlib.compress(bytes(65 * 48))
    for name in ("1", "3"):
        (tmp_path / f"{name}.png").write_bytes(png(64, 48, depth=8, data=grey))
    (tmp_path / "2.png").write_bytes(png(16_000, 16_000))
    source = opened(tmp_path)
    assert [frame.index for frame in source.frames()] == [0, 2]
    assert "2.png" in source.warnings[0]


def test_the_region_alone_is_worked_on(tmp_path):
    (tmp_path / "large.png").write_bytes(png(5_000, 5_000))
    with pytest.raises(CleanplateError, match="--roi"):
        opened(tmp_path / "large.png")
    source = opened(tmp_path / "large.png", roi=(0, 0, 8, 8))
    assert np.array_equal(next(source.frames()).image(), np.zeros((8, 8)))


def test_a_mask_in_cells_that_are_too_many_says_what_helps(monkeypatch):
    monkeypatch.setattr(room, "available_bytes", lambda: GB)
    stack = info(2048, 2048, Planes.GREY)
    room.check_cells(stack, 256 * 256)
    with pytest.raises(CleanplateError, match=r"4194304 cells takes about 1\.9 GB .* larger cells \(--set cell=2\)"):
        room.check_cells(stack, 2048 * 2048)


def test_only_of_a_large_image_file_it_is_looked_whether_it_fits_into_memory(tmp_path, monkeypatch):
    """To look takes as long as a small image takes to be read."""
    save_png(tmp_path / "a.png", scene(0))
    asked = []
    monkeypatch.setattr(reading, "available_bytes", lambda: asked.append(1) or 100)
    assert reading.read_picture(tmp_path / "a.png").image.shape == scene(0).shape
    assert not asked
    monkeypatch.setattr(room, "ALWAYS", 200)
    with pytest.raises(reading.Unreadable, match="does not fit into memory"):
        reading.read_file(tmp_path / "a.png")
