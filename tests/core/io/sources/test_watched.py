"""What is deleted while it is open is said to be gone."""

import shutil
from itertools import islice
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
import tifffile

from core.errors import CleanplateError
from core.io.sources.watched import Watched
from tests.app.windows import write_clip
from tests.small_inputs import opened


def write_photos(folder):
    folder.mkdir()
    for i in range(5):
        cv2.imwrite(str(folder / f"{i}.png"), np.full((48, 64, 3), 100 + i, np.uint8))
    return folder


def write_stack(path):
    tifffile.imwrite(path, np.zeros((5, 48, 64), np.uint8))
    return path


INPUTS = {
    "clip.mkv": write_clip,
    "photos": write_photos,
    "stack.tif": write_stack,
}


@pytest.mark.parametrize("name", INPUTS)
def test_a_deleted_input_is_gone(tmp_path, name):
    path = INPUTS[name](tmp_path / name)
    source = opened(path)
    assert len(list(islice(source.frames(), 3))) == 3
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    for first in (0, 2):
        with pytest.raises(CleanplateError, match=rf"^{name} is gone: it was moved or deleted [^.]+\.$"):
            list(source.frames(first))
    source.close()


def test_an_input_that_cannot_be_looked_at_any_more_is_gone(tmp_path):
    class Damaged:
        info = SimpleNamespace(title="clip.mp4")

        def frames(self, first):
            raise CleanplateError("It is damaged.")
            yield first

    with pytest.raises(CleanplateError, match=r"^clip.mp4 is gone"):
        list(Watched(Damaged(), tmp_path / ("x" * 300)).frames())


def test_a_folder_whose_images_are_gone_says_so_and_goes_on_when_they_are_back(tmp_path):
    source = opened(write_photos(tmp_path / "photos"))
    (tmp_path / "photos").rename(tmp_path / "away")
    (tmp_path / "photos").mkdir()
    for name in ("0.png", "3.png"):
        with pytest.raises(CleanplateError, match=rf"^{name} in \S+photos is gone, or a link [^.]+\.$"):
            list(source.frames(int(name[0])))
    (tmp_path / "photos").rmdir()
    (tmp_path / "away").rename(tmp_path / "photos")
    assert len(list(source.frames())) == 5


def test_a_folder_whose_images_are_all_damaged_since_says_so(tmp_path):
    source = opened(write_photos(tmp_path / "photos"))
    for path in (tmp_path / "photos").iterdir():
        path.write_bytes(b"no image")
    with pytest.raises(CleanplateError, match=r"^Nothing in photos can be read any more: [^.]+\.$"):
        list(source.frames())


def test_a_source_that_ends_where_it_is_sought_behind_its_end_is_not_gone(tmp_path):
    source = opened(write_photos(tmp_path / "photos"))
    assert list(source.frames(7)) == []


def test_damage_keeps_its_own_sentence(tmp_path):
    path = write_clip(tmp_path / "clip.mkv")
    source = opened(path)
    path.write_bytes(bytes(100))
    with pytest.raises(CleanplateError, match="cannot be read as a video"):
        list(source.frames())
