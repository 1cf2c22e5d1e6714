"""Where a person begins to look for a folder."""

from pathlib import Path

import pytest

from app.folders import folder_beside, folder_near, nearest_folder


def test_the_choice_of_a_folder_begins_at_the_nearest_that_exists(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "film.mp4").touch()
    assert nearest_folder(str(tmp_path / "there")) == str(tmp_path / "there")
    assert nearest_folder(str(tmp_path / "there" / "clip" / "none")) == str(tmp_path / "there")
    assert nearest_folder(str(tmp_path / "film.mp4")) == str(tmp_path)


@pytest.mark.parametrize("typed", ["", "  ", "~", "~/none/at all", "a\0b"])
def test_it_begins_at_home_where_no_other_is_named(typed, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert nearest_folder(typed) == str(tmp_path)


def test_what_is_beside_an_input_is_looked_for_in_its_folder(tmp_path):
    (tmp_path / "film.mp4").touch()
    assert folder_beside(str(tmp_path / "film.mp4")) == str(tmp_path)
    assert folder_beside("sample:street") == str(Path.home())


def test_what_has_moved_is_looked_for_near_where_it_was_and_never_from_the_root(tmp_path):
    (tmp_path / "day").mkdir()
    assert folder_near(str(tmp_path / "day" / "gone" / "clip.mkv"), tmp_path) == tmp_path / "day"
    assert folder_near(str(tmp_path / "day" / "clip.mkv"), tmp_path) == tmp_path / "day"
    assert folder_near(str(Path(tmp_path.anchor) / "no disk" / "day" / "clip.mkv"), tmp_path) == tmp_path
