"""Where the queue's jobs run: here, or at the address that a person gives."""

import pytest

from app.engine.queue_launcher import RETRY_S, QueueLauncher
from core.errors import CleanplateError
from tests.core.batch.drawn_jobs import Runs, job


class Cluster(Runs):
    """What runs jobs elsewhere."""

    gone, is_closed = "", False

    def failure(self):
        return self.gone

    def close(self):
        self.is_closed = True


@pytest.fixture
def here():
    return Runs()


def test_jobs_run_where_they_are_sent_and_a_scheduler_that_is_gone_is_looked_for_again(here, tmp_path):
    made = []

    def connect(address):
        made.append((address, Cluster()))
        return made[-1][1]

    launch = QueueLauncher(here, connect)
    launch(job(1, tmp_path), tmp_path / "log", 2)
    assert (here.order, made) == ([1], [])
    assert launch.available() is None or launch.available() > 0
    launch.send_to("tcp://a:1")
    assert launch.available() is None
    launch(job(2, tmp_path), tmp_path / "log", 2)
    launch(job(3, tmp_path), tmp_path / "log", 2)
    made[0][1].gone = "It is gone"
    launch(job(4, tmp_path), tmp_path / "log", 2)
    assert [(address, cluster.order) for address, cluster in made] == [("tcp://a:1", [2, 3]), ("tcp://a:1", [4])]
    launch.send_to("")
    launch(job(5, tmp_path), tmp_path / "log", 2)
    assert here.order == [1, 5]
    assert not any(cluster.is_closed for _, cluster in made)
    launch.close()
    assert all(cluster.is_closed for _, cluster in made)


def test_a_scheduler_that_does_not_answer_is_not_asked_for_each_job(here, tmp_path, monkeypatch):
    asked, now = [], [0.0]

    def connect(address):
        asked.append(address)
        raise CleanplateError(f"No scheduler answers at {address}.")

    monkeypatch.setattr("app.engine.queue_launcher.time.monotonic", lambda: now[0])
    launch = QueueLauncher(here, connect)
    launch.send_to("tcp://a:1")
    for _ in range(3):
        with pytest.raises(CleanplateError, match="No scheduler answers at tcp://a:1"):
            launch(job(1, tmp_path), tmp_path / "log", None)
    assert len(asked) == 1
    now[0] = RETRY_S + 1
    with pytest.raises(CleanplateError):
        launch(job(1, tmp_path), tmp_path / "log", None)
    assert len(asked) == 2
    assert not here.order
