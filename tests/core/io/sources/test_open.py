import time

import pytest

from core.errors import CleanplateError
from core.io.sources import OPENABLE, open_source
from core.io.sources.camera import OPEN_TIMEOUT_S


@pytest.mark.parametrize("spec", ["nowhere/at/all.mp4", "", "camera:x", "camera:-1", "sample:", "bad\0path"])
def test_what_cannot_be_opened_is_one_sentence(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CleanplateError, match=r"^[^\n]+\.$"):
        open_source(spec)


def test_text_is_not_taken_for_video(tmp_path):
    (tmp_path / "readme.txt").write_text("Lorem ipsum\n" * 100)
    with pytest.raises(CleanplateError, match=r"readme\.txt"):
        open_source(str(tmp_path / "readme.txt"))


def test_absent_camera_is_one_sentence_soon_and_silently(capfd):
    started = time.monotonic()
    with pytest.raises(CleanplateError, match=r"^Camera 93 is not there .*\.$"):
        open_source("camera:93")
    assert time.monotonic() - started < OPEN_TIMEOUT_S, "it was waited for until it was given up"
    assert capfd.readouterr() == ("", "")


def test_files_that_can_be_opened_are_listed_by_kind():
    assert set(OPENABLE) == {"video", "stack", "image"}
    assert all(suffix.startswith(".") for kind in OPENABLE.values() for suffix in kind)


def test_every_source_that_cannot_be_read_leaves_the_others_alone(tmp_path):
    (tmp_path / "cut.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    for _ in range(3):
        with pytest.raises(CleanplateError, match=r"cut\.png is damaged"):
            open_source(str(tmp_path / "cut.png"))
    assert next(open_source("sample:faces").frames()).index == 0
