"""A run in a cluster, with a scheduler that does what the test tells it."""

import pytest

from core.batch.cluster.anywhere import for_anywhere
from core.batch.job import JobProgress
from core.batch.running import Outcome
from tests.core.batch.drawn_jobs import job

distributed = pytest.importorskip("distributed", reason="the extra cluster is absent")

from core.batch.cluster.on_worker import WorkedJob, cores_of_job  # noqa: E402
from core.batch.cluster.run import MOST_LOST, DaskRun  # noqa: E402


class Future:
    """A future of dask, ended by the test."""

    def __init__(self, key):
        self.key, self.status = key, "pending"
        self._callback = None

    def add_done_callback(self, callback):
        self._callback = callback

    def cancel(self):
        self.status = "cancelled"

    def end(self, value):
        self.value, self.status = value, "finished"
        self._callback(self)

    def result(self):
        if isinstance(self.value, BaseException):
            raise self.value
        return self.value


class Cluster:
    """A scheduler that gives a new future for each job."""

    def __init__(self):
        self.futures, self.failed, self.gone = [], [], ""

    def failure(self):
        return self.gone

    def submit(self, submitted, run):
        if self.gone:
            return None
        self.futures.append(Future(f"{submitted.name}-{len(self.futures)}"))
        return self.futures[-1]

    def forget(self, key):
        pass

    def note_failure(self, number, worker):
        self.failed.append((number, worker))


@pytest.fixture
def cluster():
    return Cluster()


@pytest.fixture
def run(cluster, tmp_path):
    return DaskRun(job(1, tmp_path), tmp_path / "logs" / "1.log", cluster)


def begun(run, worker="tcp://a:1"):
    run.on_told({"key": "k", "begun_on": worker, "worker": worker})


def test_progress_outcome_and_log_come_from_the_worker(run, cluster, tmp_path):
    begun(run)
    assert run.progress is None
    run.on_told({"progress": b'{"done":3,"total":10}', "worker": "tcp://a:1"})
    run.on_told({"progress": b"no line of ours", "worker": "tcp://a:1"})
    assert run.progress == JobProgress(3, 10)
    assert run.outcome() is None
    done = Outcome(True, figures={"frames": 10})
    cluster.futures[0].end(WorkedJob(done, b"what it said", "tcp://a:1"))
    assert run.outcome() == done
    assert (tmp_path / "logs" / "1.log").read_bytes() == b"what it said"
    assert not cluster.failed


def test_where_it_failed_is_remembered(run, cluster):
    cluster.futures[0].end(WorkedJob(Outcome(False, "It is so."), b"", "tcp://a:1"))
    assert run.outcome().sentence == "It is so."
    assert cluster.failed == [(1, "tcp://a:1")]


def test_workers_that_die_are_the_jobs_fault_only_where_they_ran_it(run, cluster):
    lost = distributed.KilledWorker("k", type("W", (), {"address": "tcp://a:1"})(), 3)
    begun(run)
    cluster.futures[0].end(lost)  # It had waited on three others.
    assert len(cluster.futures) == 2
    assert run.outcome() is None
    for number in range(1, MOST_LOST):
        begun(run, f"tcp://b:{number}")
    cluster.futures[1].end(lost)
    assert "4 workers that were lost, tcp://b:3 the last one" in run.outcome().sentence
    assert not run.outcome().was_lost


def test_a_run_that_was_cancelled_is_not_handed_on_where_its_worker_is_lost(run, cluster):
    lost = distributed.KilledWorker("k", type("W", (), {"address": "tcp://a:1"})(), 3)
    run.cancel()
    cluster.futures[0].end(lost)
    assert len(cluster.futures) == 1
    assert run.outcome().was_lost


def test_a_cancel_while_a_job_is_handed_on_is_not_forgotten(run, cluster, monkeypatch):
    lost = distributed.KilledWorker("k", type("W", (), {"address": "tcp://a:1"})(), 3)
    submit = cluster.submit

    def cancelled_meanwhile(*submitted):
        run.cancel()
        return submit(*submitted)

    monkeypatch.setattr(cluster, "submit", cancelled_meanwhile)
    cluster.futures[0].end(lost)
    assert cluster.futures[1].status == "cancelled"
    assert run.outcome().was_lost


@pytest.mark.parametrize("ends", ["cancelled", "gone", "before"])
def test_a_run_that_nobody_knows_of_any_more_is_lost_and_has_not_failed(run, cluster, tmp_path, ends):
    if ends == "cancelled":
        run.cancel()
        cluster.futures[0].end(distributed.CancelledError())
    else:
        cluster.gone = "The scheduler is gone"
        run = run if ends == "gone" else DaskRun(job(2, tmp_path), tmp_path / "2.log", cluster)
        run.cancel()
    assert run.outcome().was_lost


def test_other_environments_are_told_of(run, cluster):
    cluster.futures[0].end(ModuleNotFoundError("No module named 'app'"))
    assert "No module named 'app'); install Cleanplate" in run.outcome().sentence


def test_it_cannot_be_held(run):
    assert not run.suspend()
    run.go_on()


def test_options_name_files_whatever_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.npz").write_bytes(b"")
    plain = job(1, tmp_path, options=("--model", "m.npz", "--preset=m.npz", "--areas", "none.json", "--save", "m.npz"))
    path = str(tmp_path / "m.npz")
    assert for_anywhere(plain).options == (
        "--model", path, f"--preset={path}", "--areas", "none.json", "--save", "m.npz",
    )  # fmt: skip


def test_jobs_of_a_worker_share_its_cores(monkeypatch):
    monkeypatch.setattr("core.runtime.cores.all_cores", lambda: 8)
    monkeypatch.delenv("CLEANPLATE_CORES", raising=False)
    assert [cores_of_job(n) for n in (1, 2, 3, 16)] == [None, 4, 2, 1]
    monkeypatch.setenv("CLEANPLATE_CORES", "4")
    assert [cores_of_job(n) for n in (1, 2, 8)] == [4, 2, 1]
