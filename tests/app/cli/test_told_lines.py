"""What a run prints for the program that runs jobs."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from app.cli.main import invoke
from core.batch.job import ToldLine
from core.export.progress import Progress
from core.io.sources import room
from core.session.phase import Phase
from core.untrusted_json import decoded

QUICK = ["--save", "mask", "--set", "warm_up=4"]


def test_progress_and_figures_are_lines_of_json(photos, tmp_path, capfd):
    assert invoke(["run", str(photos), "-o", str(tmp_path / "out"), "--json-progress", "--passes", "2", *QUICK]) == 0
    told = capfd.readouterr()
    *progress, last = map(json.loads, told.out.splitlines())
    assert progress[0]["progress"]["done"] == 1
    assert all(step["progress"]["total"] == 32 for step in progress)
    assert last["done"]["frames"] == 16
    assert last["done"]["files"] == ["mask"]
    assert told.err == ""


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_a_name_that_is_no_text_is_told_all_the_same(photos, tmp_path, capfd):
    folder = shutil.copytree(photos, tmp_path / "photos")
    Path(os.fsdecode(os.fsencode(folder) + b"/bad\xff.png")).write_bytes(b"no image")
    assert invoke(["run", str(folder), "-o", str(tmp_path / "out"), "--json-progress", *QUICK]) == 0
    last = json.loads(capfd.readouterr().out.splitlines()[-1])
    assert any("skipped" in note for note in last["done"]["notes"])


def test_too_little_memory_is_told_apart_from_what_never_works(film, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(room, "available_bytes", lambda: 1)
    monkeypatch.setattr(room, "ALWAYS", 64 * 48 * room.DECODED)  # Enough to decode, not to work.
    assert invoke(["run", str(film[0]), "-o", str(tmp_path / "out"), "--json-progress", *QUICK]) == 2
    told = capfd.readouterr()
    no_room, failed = map(json.loads, told.out.splitlines())
    assert no_room == {"no_room": True}
    assert "memory" in failed["failed"]
    assert "memory" in told.err
    assert invoke(["run", str(tmp_path / "none"), "-o", str(tmp_path / "out"), "--json-progress", *QUICK]) == 2
    assert "no_room" not in capfd.readouterr().out


@pytest.mark.parametrize("option", ["--json", "--json-progress"])
@pytest.mark.parametrize(
    ("words", "said"),
    [(["none.mp4", "-o", "out"], "There is no file or folder none.mp4; check the path."),
     (["none.mp4", "-o", "out", "--passes"], "requires an argument"), (["none.mp4"], "Missing option")],
)  # fmt: skip
def test_what_fails_is_a_line_of_json_too_where_that_is_asked_for(tmp_path, monkeypatch, capfd, option, words, said):
    monkeypatch.chdir(tmp_path)
    assert invoke(["run", option, *words]) == 2
    told = capfd.readouterr()
    failed = json.loads(told.out)
    assert said in failed["failed"]
    assert told.err == f"cleanplate: {failed['failed']}\n"
    assert invoke(["run", *words]) == 2
    assert capfd.readouterr().out == ""


def test_batches_and_lists_that_fail_tell_so_too(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for words in (["batch", "none.mp4", "-o", "out", "--json"], ["methods", "none", "--json"]):
        assert invoke(words) == 2
        told = capfd.readouterr()
        assert told.err == f"cleanplate: {json.loads(told.out)['failed']}\n"


def test_a_line_that_tells_of_failure_is_one_of_those_that_batches_read():
    assert decoded(b'{"failed": "It did."}', ToldLine) == ToldLine(failed="It did.")


def test_all_passes_together_are_one_way_and_iterations_another():
    assert Progress(2, 3, 4, 10, 1.0, None).overall == (14, 30)
    assert Progress(1, 2, 4, 10, 1.0, None, Phase.ITERATING).overall == (4, 10)
    assert Progress(2, 2, 12, 10, 1.0, None).overall == (20, 20), "files declare fewer frames than they have"
    assert Progress(1, 2, 4, None, 1.0, None).overall == (4, None)
