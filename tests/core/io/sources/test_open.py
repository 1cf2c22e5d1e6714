import threading
from pathlib import Path

import cv2
import pytest

from core.errors import CleanplateError
from core.io import sources
from core.io.sources import OPENABLE, camera, file_kind, live
from core.io.sources.images import ImageSource
from core.runtime import aside
from tests.small_inputs import opened


@pytest.mark.parametrize("spec", ["nowhere/at/all.mp4", "", "camera:x", "camera:-1", "sample:", "bad\0path"])
def test_what_cannot_be_opened_is_one_sentence(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CleanplateError, match=r"^[^\n]+\.$"):
        opened(spec)


def test_text_is_not_taken_for_video(tmp_path):
    (tmp_path / "readme.txt").write_text("Lorem ipsum\n" * 100)
    with pytest.raises(CleanplateError, match=r"readme\.txt"):
        opened(tmp_path / "readme.txt")


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
def test_a_file_is_of_the_first_kind_that_names_its_suffix_else_a_video(name, kind):
    assert file_kind(Path(name)) is OPENABLE[kind]


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
