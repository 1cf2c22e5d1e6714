"""What a request becomes: a job for each input, with the options of its kind."""

import shutil
from unittest.mock import Mock

import pytest

from app.engine.queue_jobs import JobRequest, add_jobs, options_of
from core.batch.job_list import JobList
from core.errors import CleanplateError
from tests.app.windows import write_clip

FACES, VIDEOS = ("--method", "opgd", "--passes", "3"), ("--method", "fast")


@pytest.fixture
def folder(tmp_path, photos):
    """Return a folder with a clip, an image set, a project and a file that holds no film."""
    write_clip(tmp_path / "clip.mkv", 4)
    shutil.copytree(photos, tmp_path / "faces")
    (tmp_path / "broken.mkv").write_bytes(b"no film")
    (tmp_path / "day.cleanplate").write_text("{}")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "expected"),
    [("clip.mkv", VIDEOS), ("faces", FACES), ("day.cleanplate", ()), ("broken.mkv", FACES), ("none.mkv", FACES)],
)
def test_an_input_has_the_options_of_its_kind(folder, name, expected):
    request = JobRequest(str(folder), FACES, folder / "out", expands=True, kept={"scene": VIDEOS})
    assert options_of(request, str(folder / name)) == expected


def test_what_has_options_of_its_own_or_no_other_ones_is_not_opened(folder, monkeypatch):
    monkeypatch.setattr("core.io.sources.open_source", Mock(side_effect=AssertionError("it was opened")))
    clip = str(folder / "clip.mkv")
    exported = JobRequest(clip, ("--overwrite",), folder)
    assert options_of(exported, clip) == ("--overwrite",)
    for kept in ({}, {"scene": FACES}):
        assert options_of(JobRequest(clip, FACES, folder, expands=True, kept=kept), clip) == FACES


def test_each_clip_and_image_set_of_a_list_is_a_job_of_its_kind(folder):
    (folder / "all.txt").write_text("clip.mkv\nfaces\n")
    jobs = JobList(folder / "queue.jobs")
    request = JobRequest(str(folder / "all.txt"), FACES, folder / "out", expands=True, kept={"scene": VIDEOS})
    add_jobs([request], jobs)
    jobs.close()
    assert {job.name: job.options for job in jobs.jobs} == {"clip": VIDEOS, "faces": FACES}


def test_an_input_of_which_nothing_can_be_made_says_so_and_leaves_the_others_in_the_list(folder):
    (folder / "empty").mkdir()
    jobs = JobList(folder / "queue.jobs")
    requests = [JobRequest(str(folder / name), FACES, folder, expands=True) for name in ("empty", "clip.mkv")]
    with pytest.raises(CleanplateError, match="empty"):
        add_jobs(requests, jobs)
    jobs.close()
    assert [job.name for job in jobs.jobs] == ["clip"]
