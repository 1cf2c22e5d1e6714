"""What a run prints for the program that runs jobs."""

import json

from app.cli.main import invoke
from core.export.progress import Progress
from core.io.sources import room
from core.session.phase import Phase

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


def test_too_little_memory_is_told_apart_from_what_never_works(film, tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(room, "available_bytes", lambda: 1)
    monkeypatch.setattr(room, "ALWAYS", 64 * 48 * room.DECODED)  # Enough to decode, not to work.
    assert invoke(["run", str(film[0]), "-o", str(tmp_path / "out"), "--json-progress", *QUICK]) == 2
    told = capfd.readouterr()
    assert json.loads(told.out) == {"no_room": True}
    assert "memory" in told.err
    assert invoke(["run", str(tmp_path / "none"), "-o", str(tmp_path / "out"), "--json-progress", *QUICK]) == 2
    assert capfd.readouterr().out == ""


def test_all_passes_together_are_one_way_and_iterations_another():
    assert Progress(2, 3, 4, 10, 1.0, None).overall == (14, 30)
    assert Progress(1, 2, 4, 10, 1.0, None, Phase.ITERATING).overall == (4, 10)
    assert Progress(2, 2, 12, 10, 1.0, None).overall == (20, 20), "files declare fewer frames than they have"
    assert Progress(1, 2, 4, None, 1.0, None).overall == (4, None)
