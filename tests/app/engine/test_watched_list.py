"""A list that another process works on, played by other objects of this one: locks exclude there, too."""

import pytest

from app.engine.watched_list import WatchedList
from core.batch.handover import Handover
from core.batch.job import JobProgress, JobState
from core.errors import CleanplateError
from tests.core.batch.drawn_jobs import job_list

NAME = "list.jobs"


@pytest.fixture
def gone(tmp_path):
    """Return a list of two jobs, and how the process that has it tells of it; it has no window."""
    jobs, handover = job_list(tmp_path, 2), Handover(tmp_path / NAME)
    assert handover.go_on_alone()
    yield jobs, handover
    jobs.close()
    handover.end()


@pytest.fixture
def watched(tmp_path):
    handover = Handover(tmp_path / NAME)
    yield WatchedList(tmp_path / NAME, handover)
    handover.end()


def test_a_list_that_nobody_works_on_is_had_at_once(watched, tmp_path):
    jobs = watched.had()
    assert jobs.path == tmp_path / NAME
    assert not watched.is_watched
    jobs.close()


def test_a_list_of_another_window_is_refused(watched, tmp_path):
    others = job_list(tmp_path, 1)
    with pytest.raises(CleanplateError, match="Another window or command"):
        watched.had()
    assert not watched.is_watched
    others.close()


def test_what_becomes_of_a_list_is_shown_as_far_as_it_is_told(watched, gone):
    jobs, handover = gone
    assert watched.had() is None
    assert not watched.is_watched, "nobody has looked"
    rows = watched.look(())
    assert watched.is_watched
    assert [(row.job.number, row.job.state, row.progress) for row in rows] == [
        (1, JobState.WAITING, None),
        (2, JobState.WAITING, None),
    ]
    jobs.change(1, state=JobState.RUNNING)
    handover.tell({1: JobProgress(5, 10)})
    rows = watched.look(rows)
    assert [row.progress for row in rows] == [JobProgress(5, 10), None]
    assert [row.job.state for row in rows] == [JobState.RUNNING, JobState.WAITING]


def test_it_is_asked_for_only_where_a_person_wants_it_and_no_more_once_it_is_had(watched, gone):
    jobs, handover = gone
    watched.look(())
    assert not handover.is_wanted
    watched.take_over()
    watched.look(())
    assert handover.is_wanted
    assert watched.had() is None, "it is worked on still"
    jobs.close()
    handover.end()
    mine = watched.had()
    assert [job.number for job in mine.jobs] == [1, 2]
    assert not watched.is_watched
    assert not handover.is_wanted
    mine.close()
    assert handover.go_on_alone()
    watched.look(())
    assert not handover.is_wanted, "that was asked for another time"


def test_a_list_that_was_let_go_of_between_two_looks_is_had(watched, gone, monkeypatch):
    jobs, handover = gone
    is_alone = type(handover).is_worked_on_alone

    def end_just_now(self):
        jobs.close()
        handover.end()
        return is_alone.fget(self)

    monkeypatch.setattr(Handover, "is_worked_on_alone", property(end_just_now))
    mine = watched.had()
    assert mine is not None
    mine.close()


def test_a_list_that_cannot_be_read_is_watched_all_the_same(watched, gone, tmp_path):
    (tmp_path / NAME).write_text("no list\n")
    with pytest.raises(CleanplateError, match="not a list of jobs"):
        watched.look(())
    assert watched.is_watched
