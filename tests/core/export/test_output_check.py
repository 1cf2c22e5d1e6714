"""What is said of places that cannot be written, before anything is read."""

import os
from types import SimpleNamespace

import pytest

from core.errors import CleanplateError, RefusedError
from core.export.output_check import check_output, keep_apart
from core.export.plan import free_bytes


@pytest.fixture
def locked(tmp_path, monkeypatch):
    """A folder that may not be written to; root may write everywhere."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    return tmp_path


def mounted(monkeypatch, flags):
    monkeypatch.setattr(
        os, "statvfs", lambda path: SimpleNamespace(f_flag=flags, f_bavail=7, f_bfree=7, f_blocks=9, f_frsize=512)
    )


def test_of_a_disk_that_is_read_only_no_permissions_help(locked, monkeypatch):
    mounted(monkeypatch, os.ST_RDONLY | os.ST_NOSUID)
    with pytest.raises(RefusedError) as caught:
        check_output(locked / "out", [locked / "out/plate.png"], overwrite=False)
    assert str(caught.value) == f"{locked} is on a read-only disk; choose another folder."
    assert free_bytes(locked / "out") is None, "it has no room, but that is not why"


def test_of_other_folders_they_do(locked, monkeypatch):
    mounted(monkeypatch, os.ST_NOSUID)
    with pytest.raises(RefusedError, match=r"cannot be written to; choose another folder or change its permissions\.$"):
        check_output(locked / "out", [locked / "out/plate.png"], overwrite=False)
    assert free_bytes(locked / "out") == 7 * 512


@pytest.mark.parametrize("gone", [True, False])
def test_where_the_system_does_not_tell_permissions_may(locked, monkeypatch, gone):
    if gone:
        monkeypatch.delattr(os, "statvfs")
    else:
        monkeypatch.setattr(os, "statvfs", lambda path: (_ for _ in ()).throw(OSError("no such call")))
    with pytest.raises(RefusedError, match="change its permissions"):
        check_output(locked / "out", [locked / "out/plate.png"], overwrite=False)


@pytest.fixture
def photos(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "photos")
    return tmp_path / "photos"


@pytest.mark.parametrize("name", ["photos", "link", "photos/../photos"])
def test_results_are_no_frames_of_the_next_run(photos, name):
    folder = photos.parent / name
    with pytest.raises(CleanplateError, match=r"plate\.png would be taken for one of them the next time; choose"):
        keep_apart(photos, folder, [folder / "mask", folder / "plate.png"], (".png",))
    keep_apart(photos, folder, [folder / "mask", folder / "mask.mp4", folder / "times.csv"], (".png",))
    keep_apart(photos, folder / "out", [folder / "out/plate.png"], (".png",))


def test_results_beside_the_folder_that_is_read_are_none(photos):
    (photos / "input").mkdir()
    keep_apart(photos, photos, [photos / "plate.png"], (".png",))
    with pytest.raises(CleanplateError, match="would be taken for one of them"):
        keep_apart(photos, photos / "input", [photos / "input/plate.png"], (".png",))


def test_results_are_not_read_in_place_of_the_input(photos):
    with pytest.raises(CleanplateError, match="would be read in place of"):
        keep_apart(photos, photos / "input", [photos / "input/mask"], (".png",))
    keep_apart(photos, photos.parent / "input", [photos.parent / "input/plate.png"], (".png",))


def test_files_beside_a_film_are_no_frames_of_it(photos):
    (photos / "film.mp4").write_bytes(b"")
    keep_apart(photos / "film.mp4", photos, [photos / "plate.png"], (".png",))
