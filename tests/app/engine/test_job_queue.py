"""The queue as it ends; what it does for a window is tested in the window."""

from unittest.mock import DEFAULT, Mock

import pytest

from app.engine import job_queue
from app.engine.job_queue import JobQueue
from app.engine.mailbox import Mailbox
from app.engine.queue_jobs import PROJECTS, JobRequest
from app.engine.queue_launcher import QueueLauncher
from core.batch.job import JobState
from core.batch.job_list import JobList
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
    now = [0.0]
    clock = Mock(monotonic=lambda: now[0], sleep=lambda seconds: now.append(now.pop() + seconds))
    monkeypatch.setattr(job_queue, "time", clock)
    queue._stop(scheduler)
    assert 0.2 <= now[0] < 0.2 + 2 * job_queue.POLL_S
    assert scheduler.jobs[1].state is JobState.RUNNING


def asked_for(tmp_path, name="clip.cleanplate"):
    """Return a request whose project was made for it alone."""
    project = tmp_path / PROJECTS / name
    project.parent.mkdir(exist_ok=True)
    project.write_text("a project")
    return JobRequest(str(project), (), tmp_path / "out"), project


def test_what_was_just_added_counts_as_work_until_it_is_in_the_list(work, tmp_path):
    queue, scheduler, _ = work
    scheduler.step()
    assert scheduler.is_idle
    request, project = asked_for(tmp_path)
    queue.add([request])
    queue._publish(scheduler)  # It has looked for what is asked for before that came.
    assert queue.is_busy
    seen = []
    scheduler.jobs.add = Mock(wraps=scheduler.jobs.add, side_effect=lambda _: seen.append(queue.is_busy) or DEFAULT)
    queue._do_what_was_asked(scheduler)
    assert seen == [True]
    assert queue.is_busy, "it waits in the list"
    assert project.exists()
    scheduler.cancel(2)
    queue._publish(scheduler)
    assert not queue.is_busy


def test_a_queue_that_cannot_have_its_list_holds_no_window_and_keeps_no_project_of_what_it_leaves_out(tmp_path):
    held = JobList(tmp_path / "list.jobs")
    queue, told = JobQueue(tmp_path / "list.jobs", Mock(spec=QueueLauncher)), []
    queue.unavailable.connect(told.append)
    request, project = asked_for(tmp_path)
    queue.add([request])
    assert queue.is_busy
    queue.run()
    assert "Another window or command" in told[0]
    assert not queue.is_busy
    assert not project.exists()
    late, its_project = asked_for(tmp_path, "late.cleanplate")
    queue.add([late])
    assert not queue.is_busy, "nobody will ever do it"
    assert not its_project.exists()
    held.close()


def test_what_is_too_much_is_left_out_and_told(tmp_path):
    queue, told = JobQueue(tmp_path / "list.jobs", Mock(spec=QueueLauncher)), []
    queue.failed.connect(told.append)
    queue._mailbox = Mailbox(capacity=1)
    (taken, stays), (left_out, goes) = asked_for(tmp_path, "a.cleanplate"), asked_for(tmp_path, "b.cleanplate")
    queue.add([taken])
    queue.add([left_out])
    assert told == [job_queue.TOO_MUCH]
    assert queue.is_busy
    assert (stays.exists(), goes.exists()) == (True, False)


def _full():
    raise CleanplateError("The disk is full.")
