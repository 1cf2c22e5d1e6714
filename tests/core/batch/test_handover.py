"""Two processes that share a list, played by two objects of one: locks exclude there, too."""

import pytest

from core.batch.handover import Handover
from core.batch.job import JobProgress
from core.runtime import file_lock


@pytest.fixture
def both(tmp_path):
    made = Handover(tmp_path / "queue.jobs"), Handover(tmp_path / "queue.jobs")
    yield made
    for one in made:
        one.end()


def test_what_goes_on_alone_is_seen_by_the_other_and_given_up_when_it_is_wanted(both, tmp_path):
    alone, window = both
    assert alone.is_possible
    assert not window.is_worked_on_alone
    assert alone.go_on_alone()
    assert alone.go_on_alone()
    assert alone.is_alone
    assert not alone.is_worked_on_alone, "it is no other process"
    assert window.is_worked_on_alone
    assert not window.is_possible
    assert not window.go_on_alone()
    assert not alone.is_wanted
    window.want()
    window.want()
    assert alone.is_wanted
    assert not window.is_wanted
    alone.end()
    assert not window.is_worked_on_alone
    window.have()
    assert not alone.is_wanted
    assert window.go_on_alone()
    window.end()
    assert list(tmp_path.iterdir()) == []


def test_how_far_jobs_are_is_told_as_long_as_it_is_true(both, tmp_path):
    alone, window = both
    assert window.told() == {}
    alone.go_on_alone()
    progress = {1: JobProgress(5, 10, 2.5, 3.0, 100.0), 12: JobProgress(1)}
    alone.tell(progress)
    assert window.told() == progress
    for damaged in (b"", b"[1]", b"[" * 10**5, b'{"a": 1}'):
        (tmp_path / "queue.jobs.progress").write_bytes(damaged)
        assert window.told() == {}
    alone.end()
    assert list(tmp_path.iterdir()) == []


def test_without_locks_nothing_goes_on_alone(both, monkeypatch):
    def refuse(_descriptor):
        raise OSError(min(file_lock.UNSUPPORTED), "no locks here")

    monkeypatch.setattr(file_lock, "_lock", refuse)
    assert not both[0].is_possible
    assert not both[0].go_on_alone()
    assert not both[1].is_worked_on_alone
