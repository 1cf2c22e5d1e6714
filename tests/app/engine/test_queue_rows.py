"""What is known of jobs."""

import pytest

from app.engine.queue_rows import rows_of
from core.batch.job import JobProgress, JobState
from tests.core.batch.drawn_jobs import job, job_list


def test_rows_are_made_anew_only_where_something_has_changed(tmp_path):
    jobs = job_list(tmp_path, 3)
    progress = {2: JobProgress(1, 10)}
    first = rows_of(jobs.jobs, progress.get, jobs.path, ())
    assert [row.log for row in first] == [jobs.log_of(job) for job in jobs.jobs]
    jobs.change(1, state=JobState.DONE)
    jobs.move([3], -1)
    progress[2] = JobProgress(2, 10)
    second = rows_of(jobs.jobs, progress.get, jobs.path, first)
    assert [row.job for row in second] == jobs.jobs
    assert [row.progress and row.progress.done for row in second] == [None, None, 2]
    assert [any(row is before for before in first) for row in second] == [False, True, False]
    third = rows_of(jobs.jobs, progress.get, jobs.path, second, {2}.__contains__)
    assert [row.is_given_up for row in third] == [False, False, True]
    assert [any(row is before for before in second) for row in third] == [True, True, False]
    jobs.close()


def test_no_paths_are_made_for_rows_that_nobody_looks_at(tmp_path, monkeypatch):
    monkeypatch.setattr("app.engine.queue_rows.log_of", lambda *_: pytest.fail("a path was made"))
    assert len(rows_of([job(1, tmp_path)], lambda _number: None, tmp_path / "queue.jobs", ())) == 1
