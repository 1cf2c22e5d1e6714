"""What a request becomes: a job for each input, with the options of its kind."""

import shutil
from contextlib import closing
from unittest.mock import Mock

import pytest

from app.engine.queue_jobs import JobRequest, add_jobs, options_of, redirect
from core.batch.job import JobState
from core.batch.job_list import JobList
from core.batch.scheduler import Scheduler
from core.errors import CleanplateError
from tests.app.windows import write_clip
from tests.core.batch.drawn_jobs import Runs, job_list

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


def test_jobs_that_have_not_begun_or_have_failed_write_elsewhere_with_their_logs(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "clip3").mkdir(parents=True)
    with closing(job_list(tmp_path, 6)) as jobs:
        runs = Runs()
        scheduler = Scheduler(jobs, runs, workers=2, available=lambda: None)
        for number, state in ((3, JobState.FAILED), (4, JobState.CANCELLED), (5, JobState.DONE)):
            jobs.change(number, state=state, sentence="It said so.", owns_output=True)
        log = jobs.log_of(jobs[3])
        log.parent.mkdir()
        log.write_text("It said so.")
        scheduler.step()
        scheduler.pause(2)
        scheduler.resume(2)
        assert jobs[2].state is JobState.WAITING, "it waits in the midst of its work"
        redirect([1, 2, 3, 4, 5, 6], elsewhere, scheduler)
        assert [job.output for job in jobs.jobs] == [
            str(tmp_path / "clip1"), str(tmp_path / "clip2"), str(elsewhere / "clip3-2"), str(elsewhere / "clip4"),
            str(tmp_path / "clip5"), str(elsewhere / "clip6"),
        ]  # fmt: skip
        assert [job.owns_output for job in jobs.jobs[2:4]] == [False, False], "what is there is not its own"
        assert jobs[3].sentence == jobs.log_of(jobs[3]).read_text() == "It said so."
        before = jobs.jobs
        redirect([3, 6], elsewhere, scheduler)
        assert jobs.jobs == before, "they are there already"
    with closing(JobList(tmp_path / "list.jobs")) as again:
        assert again[6].output == str(elsewhere / "clip6")
