"""``bench activity``."""

import json

from app.cli.main import invoke
from tests.app.windows import write_clip


def test_it_says_how_fast_a_whole_clip_is_looked_through(tmp_path, capsys):
    assert invoke(["bench", "activity", str(write_clip(tmp_path / "clip.mkv", 30)), "--json"]) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert (found["frames"], found["width"], found["height"]) == (30, 64, 48)
    assert found["fps"] > 0
    assert "an hour of video" in told.err


def test_what_is_not_there_is_one_sentence(tmp_path, capsys):
    assert invoke(["bench", "activity", str(tmp_path / "no.mp4")]) == 2
    assert capsys.readouterr().err.startswith("cleanplate: ")
