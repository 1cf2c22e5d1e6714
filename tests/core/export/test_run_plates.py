"""Different pictures are no scenes: a set of them has one plate, as it always had, however its frames were cut."""

import pytest

from core.export.job import run_job
from core.export.job_spec import Job
from core.io.sources import InputSpec
from core.session.content import SeenContent
from core.session.settings import Settings
from tests.cut_film import write_cut_film


@pytest.mark.parametrize("n_known", [0, 150], ids=["from the beginning", "in the end"])
def test_of_what_turns_out_to_be_an_image_set_the_last_plate_is_saved_under_the_usual_name(
    tmp_path, monkeypatch, n_known
):
    """Before the last of three scenes, or after two of them were written."""
    film = InputSpec(str(write_cut_film(tmp_path / "cut.mkv", 3)))
    run_job(Job(film, tmp_path / "scenes", ("plate",), Settings()))
    seen, see = [], SeenContent.see
    monkeypatch.setattr(SeenContent, "see", lambda self, frame: seen.append(1) or see(self, frame))
    monkeypatch.setattr(SeenContent, "are_images", lambda self, chosen: len(seen) >= n_known)
    summary = run_job(Job(film, tmp_path / "set", ("plate",), Settings()))
    assert [path.name for path in (tmp_path / "set").rglob("*")] == ["plate.png"]
    last = tmp_path / "scenes/plate-by-scene/000121.png"
    assert (tmp_path / "set/plate.png").read_bytes() == last.read_bytes()
    assert not [text for text in summary.warnings if "for each of" in text]
