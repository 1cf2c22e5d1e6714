"""The queue as it ends; what it does for a window is tested in the window."""

import time
from unittest.mock import Mock

import pytest

from app.engine import job_queue
from app.engine.job_queue import JobQueue
from app.engine.queue_launcher import QueueLauncher
from core.batch.job import JobState
from core.batch.scheduler import Scheduler
from core.errors import CleanplateError
from tests.core.batch.drawn_jobs import DONE, Runs, job_list

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Return a queue, its scheduler with a job that is complete, and what refuses to write as a full disk does."""
    monkeypatch.setattr(job_queue, "POLL_S", 0.01)
    monkeypatch.setattr(job_queue, "REFUSED_S", 0.2)
    runs = Runs()
    scheduler = Scheduler(job_list(tmp_path, 1), runs, available=lambda: None)
    scheduler.step()
    runs[1].ends = DONE
    refusing = Mock(side_effect=CleanplateError("The disk is full."))
    yield JobQueue(tmp_path / "list.jobs", Mock(spec=QueueLauncher)), scheduler, refusing
    scheduler.jobs.close()


def test_a_complete_job_is_done_though_the_list_could_not_be_written_at_once(work, monkeypatch):
    queue, scheduler, refusing = work
    append = scheduler.jobs._file.append
    refusing.side_effect = lambda job: append(job) if refusing.call_count > 2 else _full()
    monkeypatch.setattr(scheduler.jobs._file, "append", refusing)
    queue._stop(scheduler)
    assert scheduler.jobs[1].state is JobState.DONE
    assert queue._failure == "The disk is full."


def test_no_window_waits_for_a_disk_that_stays_full(work, monkeypatch):
    queue, scheduler, refusing = work
    monkeypatch.setattr(scheduler.jobs._file, "append", refusing)
    began = time.monotonic()
    queue._stop(scheduler)
    assert 0.2 <= time.monotonic() - began < 5
    assert scheduler.jobs[1].state is JobState.RUNNING


def _full():
    raise CleanplateError("The disk is full.")
