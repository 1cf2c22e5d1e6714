import threading

import cv2
import numpy as np
import pytest
import tifffile

from core.errors import CancelledError, CleanplateError
from core.io import sources
from core.io.sources import OPENABLE, InputSpec, camera, file_kind, images, live
from core.io.sources.images import ImageSource
from core.runtime import aside
from tests.films import write_film
from tests.small_inputs import opened, save_png


@pytest.mark.parametrize("spec", ["nowhere/at/all.mp4", "", "camera:x", "camera:-1", "sample:", "bad\0path"])
def test_what_cannot_be_opened_is_one_sentence(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CleanplateError, match=r"^[^\n]+\.$"):
        opened(spec)


def test_text_is_not_taken_for_video(tmp_path):
    (tmp_path / "readme.txt").write_text("Lorem ipsum\n" * 100)
    with pytest.raises(CleanplateError, match=r"readme\.txt"):
        opened(tmp_path / "readme.txt")


@pytest.mark.parametrize("name", ["notes.txt", "photos.zip", "faces.mat", "clip"])
def test_a_file_of_no_kind_is_said_to_be_none_and_what_can_be_opened(tmp_path, name):
    (tmp_path / name).write_bytes(b"PK\3\4 and more of it, which is neither" * 99)
    with pytest.raises(CleanplateError) as caught:
        opened(tmp_path / name)
    assert str(caught.value) == (
        f"{name} is neither a film nor an image that can be read; open a film, an image, a TIFF stack or a folder of "
        "images."
    )


def test_a_damaged_film_is_said_to_be_one(tmp_path):
    (tmp_path / "clip.mp4").write_bytes(bytes(999))
    with pytest.raises(CleanplateError, match=r"^clip\.mp4 cannot be read as a video \(it may be empty, damaged or"):
        opened(tmp_path / "clip.mp4")


def test_an_opening_that_is_given_up_ends_between_two_files(tmp_path, monkeypatch):
    looked_at = []
    for index in range(9):
        save_png(tmp_path / f"{index}.png", np.zeros((8, 8), np.uint8))
    monkeypatch.setattr(images, "may_differ", lambda path, _: looked_at.append(path.name))
    with pytest.raises(CancelledError, match=r"^Opening \S+ was cancelled\.$"):
        sources.open_source(InputSpec(str(tmp_path)), lambda: len(looked_at) >= 3)
    assert looked_at == ["1.png", "2.png", "3.png"]


SENTENCE = r"^Camera 93 is not there .*\.$"


def test_absent_camera_is_one_sentence_soon_and_silently(capfd, monkeypatch):
    monkeypatch.setattr(live, "OPEN_TIMEOUT_S", 1e6)  # It is not waited for until it is given up.
    monkeypatch.setattr(sources, "LIMIT_S", 1e6)
    with pytest.raises(CleanplateError, match=SENTENCE):
        opened("camera:93")
    assert capfd.readouterr() == ("", "")


def test_a_camera_that_never_answers_is_given_up_when_its_time_is_over(monkeypatch):
    may_end = threading.Event()
    monkeypatch.setattr(live, "OPEN_TIMEOUT_S", 0.1)
    monkeypatch.setattr(aside, "LEAVE_S", 0.1)
    monkeypatch.setattr(camera.cv2, "VideoCapture", lambda number: may_end.wait() and cv2.VideoCapture())
    try:
        with pytest.raises(CleanplateError, match=SENTENCE):
            opened("camera:93")
    finally:
        opener = next(thread for thread in threading.enumerate() if thread.name == "camera")
        monkeypatch.undo()
        may_end.set()
        opener.join(60)


def test_files_that_can_be_opened_are_listed_by_kind():
    assert set(OPENABLE) >= {"video", "stack", "image"}
    for kind in OPENABLE.values():
        assert kind.title
        assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in kind.suffixes)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.tif", "stack"),
        ("b.TIFF", "stack"),
        ("c.JPG", "image"),
        ("d.mp4", "video"),
        ("e.xyz", "video"),
        ("f", "video"),
    ],
)
def test_a_file_that_tells_nothing_is_of_the_first_kind_that_names_its_suffix_else_a_video(tmp_path, name, kind):
    assert file_kind(tmp_path / name) is OPENABLE[kind], "there is none"
    (tmp_path / name).write_bytes(bytes(100))
    assert file_kind(tmp_path / name) is OPENABLE[kind]


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.jpg", "a.heic", "a.dpx", "a.mp4", "a.mkv", "a.txt", "a"])
@pytest.mark.parametrize("film", [".mp4", ".mkv", ".avi", ".mpg", ".ts", ".flv", ".wmv", ".mxf", ".gif", ".mov"])
def test_a_film_is_one_whatever_it_is_called(tmp_path, film, name):
    codec, form = {".gif": ("gif", "rgb8"), ".flv": ("flv1", "yuv420p"), ".wmv": ("wmv2", "yuv420p")}.get(
        film, ("mpeg2video" if film in {".mpg", ".mxf"} else "mpeg4", "yuv420p")
    )
    written = write_film(tmp_path / f"b{film}", 5, codec=codec, pix_fmt=form, b_frames=0)
    assert len(list(opened(written.rename(tmp_path / name)).frames())) == 5
    assert file_kind(tmp_path / name).title == "Video file"


@pytest.mark.parametrize("name", ["a.png", "a.tif", "a.heic", "a.mp4", "a"])
def test_a_stack_is_one_whatever_it_is_called(tmp_path, name):
    tifffile.imwrite(tmp_path / name, np.zeros((4, 20, 30), np.uint8) + 9, photometric="minisblack")
    assert (len(list(opened(tmp_path / name).frames())), file_kind(tmp_path / name)) == (4, OPENABLE["stack"])


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp", ".ppm", ".webp", ".jp2", ".avif"])
@pytest.mark.parametrize("name", ["a.tif", "a.png", "a.heic"])
def test_an_image_is_one_whatever_it_is_called(tmp_path, suffix, name):
    (tmp_path / name).write_bytes(cv2.imencode(suffix, np.full((48, 64, 3), 90, np.uint8))[1].tobytes())
    assert file_kind(tmp_path / name) is OPENABLE["image"]
    assert opened(tmp_path / name).info.files == (name,)


def test_what_begins_as_a_tiff_file_and_has_a_suffix_that_none_names_may_be_a_raw_photograph(tmp_path):
    tifffile.imwrite(tmp_path / "a.nef", np.zeros((20, 30), np.uint8))
    assert file_kind(tmp_path / "a.nef") is OPENABLE["video"]


def test_every_source_that_cannot_be_read_leaves_the_others_alone(tmp_path):
    (tmp_path / "cut.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    for _ in range(3):
        with pytest.raises(CleanplateError, match=r"cut\.png is damaged"):
            opened(tmp_path / "cut.png")
    assert next(opened("sample:faces").frames()).index == 0


@pytest.mark.parametrize("step", ["measured", "Watched", "Ranged", "check_working"])
@pytest.mark.parametrize("error", [CleanplateError("No."), MemoryError(), KeyboardInterrupt()], ids=repr)
def test_what_was_opened_is_closed_whatever_goes_wrong_behind_it(photos, monkeypatch, step, error):
    closed, close = [], ImageSource.close

    def fails(*_):
        raise error

    monkeypatch.setattr(ImageSource, "close", lambda source: (closed.append(source), close(source)))
    monkeypatch.setattr(sources, step, fails)
    with pytest.raises(type(error)):
        opened(photos, frames=(2, 5))
    assert len(closed) == 1
