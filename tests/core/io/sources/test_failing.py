"""A drive that fails, and memory that is full, are errors; only damage is passed over."""

import contextlib
import errno

import cv2
import numpy as np
import pytest
import tifffile

from core.errors import CleanplateError, NoRoomError
from core.io.sources import container, failing, images, packets
from core.io.sources.reading import UnreachableError
from tests.films import write_film
from tests.small_inputs import opened, save_png

GREY = {"photometric": "minisblack"}

EVERYWHERE = range(1 << 30)

REFUSED = r"cannot be read \(Input/output error\); check the drive [^.]+\.$"


def begun(source, n_frames, first=0):
    """Return an iterator after its first frames."""
    frames = source.frames(first)
    for _ in range(n_frames):
        next(frames)
    return frames


@pytest.fixture
def folder(tmp_path):
    for index in range(5):
        save_png(tmp_path / f"{index}.png", np.full((20, 30), 40 * index, np.uint8))
    return tmp_path


def test_images_that_a_drive_refuses_are_an_error_and_damaged_ones_a_note(folder, medium):
    (folder / "1.png").write_bytes(b"no image")
    source = opened(folder)
    frames = begun(source, 2)
    medium.fails_at = EVERYWHERE
    with pytest.raises(CleanplateError, match=rf"^3\.png in \S+ {REFUSED}"):
        next(frames)
    medium.fails_at = range(0)
    assert [frame.index for frame in source.frames()] == [0, 2, 3, 4]
    assert source.warnings == [f"1 image was skipped: 1.png in {folder.name} is damaged or not an image."]


def test_a_folder_on_a_drive_that_fails_is_not_opened_without_what_cannot_be_read(folder, medium):
    medium.fails_at = EVERYWHERE
    with pytest.raises(CleanplateError, match=rf"^0\.png in \S+ {REFUSED}"):
        opened(folder)


def test_a_link_to_what_is_gone_is_an_error(folder):
    (folder / "2.png").unlink()
    (folder / "2.png").symlink_to(folder / "elsewhere.png")
    with pytest.raises(CleanplateError, match=r"^2\.png in \S+ is gone, or a link to what is gone; [^.]+\.$"):
        list(opened(folder).frames())


def test_too_little_memory_for_an_image_is_an_error(folder, monkeypatch):
    source = opened(folder)
    full = cv2.error("Failed to allocate 4000000000 bytes")
    full.code = cv2.Error.StsNoMem

    def decode(*_):
        raise full

    monkeypatch.setattr(cv2, "imdecode", decode)
    with pytest.raises(NoRoomError, match=r"too little memory to read 0\.png"):
        next(source.frames())


def test_too_little_memory_for_an_image_whose_header_has_another_size_is_an_error(folder, monkeypatch):
    save_png(folder / "3.png", np.zeros((10, 10), np.uint8))
    whole = images.read_picture

    def decode(path):
        if path.name == "3.png":
            raise MemoryError
        return whole(path)

    monkeypatch.setattr(images, "read_picture", decode)
    with pytest.raises(NoRoomError, match=r"too little memory to read 3\.png"):
        opened(folder)


@pytest.fixture
def labelled(folder):
    (folder / "input").mkdir()
    (folder / "groundtruth").mkdir()
    for index in range(3):
        save_png(folder / "input" / f"in{index}.png", np.full((20, 30), 40 * index, np.uint8))
        save_png(folder / "groundtruth" / f"gt{index}.png", np.full((20, 30), 255, np.uint8))
    return folder


@pytest.mark.parametrize("error", [UnreachableError(OSError(errno.EIO, "Input/output error")), MemoryError()])
def test_a_mask_that_cannot_be_had_is_an_error_and_a_damaged_one_a_note(labelled, monkeypatch, error):
    (labelled / "groundtruth" / "gt0.png").write_bytes(b"no image")
    whole = images.read_picture

    def read(path):
        if path.name == "gt1.png":
            raise error
        return whole(path)

    source = opened(labelled)
    monkeypatch.setattr(images, "read_picture", read)
    frames = source.frames()
    assert next(frames).truth is None
    assert source.warnings == ["The mask gt0.png is damaged or not an image; it is left out."]
    with pytest.raises(failing.LostInputError, match=r"gt1\.png"):
        next(frames)
    assert len(source.warnings) == 1


@pytest.mark.parametrize("where", [EVERYWHERE, range(20_000, 190_000), range(190_000, 1 << 20)])
def test_a_stack_that_a_drive_refuses_is_an_error_and_no_end(tmp_path, medium, where):
    path = tmp_path / "cells.tif"  # 192 kB of pages, then where they are.
    tifffile.imwrite(path, np.zeros((40, 60, 80), np.uint8), **GREY)
    source = opened(path)
    medium.fails_at = where
    with pytest.raises(CleanplateError, match=rf"^cells\.tif {REFUSED}"):
        list(source.frames())
    assert source.warnings == []
    medium.fails_at = range(0)
    assert len(list(source.frames())) == 40


def test_too_little_memory_for_a_page_is_an_error_and_no_end(tmp_path, monkeypatch):
    tifffile.imwrite(tmp_path / "cells.tif", np.zeros((40, 60, 80), np.uint8), **GREY)
    source = opened(tmp_path / "cells.tif")
    frames = begun(source, 3)

    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(tifffile.TiffPage, "asarray", full)
    with pytest.raises(NoRoomError, match=r"too little memory to read page 4 of cells\.tif"):
        next(frames)
    assert source.warnings == []


@pytest.mark.parametrize("suffix", [".mkv", ".mp4", ".ts", ".avi"])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_film_that_a_drive_refuses_is_an_error_and_no_end(tmp_path, medium, suffix, share, monkeypatch):
    monkeypatch.setattr(container, "_BUFFER", 1 << 10)
    path = write_film(tmp_path / f"film{suffix}", 80)
    source = opened(path)
    first_byte = int(share * path.stat().st_size)
    refused = range(
        first_byte, first_byte + 2 * path.stat().st_blksize
    )  # A read in order begins in it: one is a block.
    medium.fails_at = refused
    for first in (0, 10, 50):
        with pytest.raises(CleanplateError, match=rf"^film\S+ {REFUSED}"):
            list(source.frames(first))
    assert source.warnings == []
    medium.fails_at = range(0)
    assert [frame.index for frame in source.frames(70)] == list(range(70, 80))
    medium.fails_at = refused
    with pytest.raises(CleanplateError, match=rf"^film\S+ {REFUSED}"):
        list(source.frames(40))
    medium.fails_at = range(0)
    assert len(list(source.frames())) == 80


def test_a_drive_that_fails_is_an_error_also_where_libav_takes_that_for_the_end(tmp_path, medium, monkeypatch):
    monkeypatch.setattr(container, "_BUFFER", 1 << 10)
    true_decode = packets.decode

    def decode(*words):
        with contextlib.suppress(OSError):
            yield from true_decode(*words)

    path = write_film(tmp_path / "film.mkv", 80)
    source = opened(path)
    monkeypatch.setattr(packets, "decode", decode)
    medium.fails_at = range(path.stat().st_size // 2, path.stat().st_size // 2 + 2500)
    with pytest.raises(CleanplateError, match=rf"^film\.mkv {REFUSED}"):
        list(source.frames())


def test_too_little_memory_for_a_film_is_an_error_and_no_damage(tmp_path, monkeypatch):
    source = opened(write_film(tmp_path / "film.mkv", 30))
    true_decode = packets.decode

    class Full:
        def __init__(self, container):
            self.streams = container.streams

        def demux(self, stream):
            raise MemoryError
            yield stream

    monkeypatch.setattr(packets, "decode", lambda container, *words: true_decode(Full(container), *words))
    with pytest.raises(NoRoomError, match=r"too little memory to read film\.mkv"):
        list(source.frames())
    assert source.warnings == []


def test_a_film_on_a_drive_that_fails_is_not_called_damaged(tmp_path, medium):
    path = write_film(tmp_path / "film.mkv", 30)
    medium.fails_at = EVERYWHERE
    with pytest.raises(CleanplateError, match=rf"^film\.mkv {REFUSED}"):
        opened(path)
