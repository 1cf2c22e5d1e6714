"""Names of projects: beside the input where it has a place, and never what may not be in a name or be known."""

import os
from pathlib import Path

import pytest

from core.project.naming import beside, is_project


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("/films/a.b.mp4", "/films/a.b.cleanplate"),
        ("/films of 12:30/walk.mp4", "/films of 12:30/walk.cleanplate"),
        ("walk.mp4", "walk.cleanplate"),
        ("/films/set", "/films/set.cleanplate"),
        ("/", "/project.cleanplate"),
        ("camera:0", "camera 0.cleanplate"),
        ("sample:street", "sample street.cleanplate"),
        ("s3://films/day 1/walk.mp4", "walk.cleanplate"),
        ("rtsp://me:secret@192.168.0.10:554/stream1?token=x", "192.168.0.10-554-stream1.cleanplate"),
        ("http://127.0.0.1:8801/", "127.0.0.1-8801.cleanplate"),
    ],
)
def test_a_project_is_named_after_its_input(source, named):
    assert beside(source) == Path(named)
    assert is_project(beside(source))


def test_the_folder_that_one_is_in_is_named_too(tmp_path, monkeypatch):
    (tmp_path / "set").mkdir()
    monkeypatch.chdir(tmp_path / "set")
    assert beside(".") == Path(os.path.abspath("..")) / "set.cleanplate"
