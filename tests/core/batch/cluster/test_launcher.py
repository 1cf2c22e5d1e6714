"""What workers tell reaches the run that it is about, through a scheduler of dask."""

import threading
import time

import pytest

from core.batch.job import JobProgress
from core.batch.running import Outcome
from tests.core.batch.drawn_jobs import job

distributed = pytest.importorskip("distributed", reason="the extra cluster is absent")

from core.batch.cluster import on_worker  # noqa: E402
from core.batch.cluster.launcher import DaskLauncher  # noqa: E402

PATIENCE_S = 60.0
SEEN = threading.Event()
PROGRESS = [JobProgress(done, 10) for done in (3, 4, 5, 6, 7)]


def talkative(job, made_by):
    """Begin, tell of progress, and end once that was seen."""
    worker = distributed.get_worker()
    key = str(worker.get_current_task())
    on_worker.tell_begun(worker, key)
    for progress in PROGRESS:
        on_worker.tell_progress(worker, key, progress)
    SEEN.wait(PATIENCE_S)
    return on_worker.WorkedJob(Outcome(True), b"", worker.address)


def test_progress_comes_through_and_a_worker_that_tells_much_is_one_worker(tmp_path):
    # Its threads are those of this process.
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as cluster:
        launcher = DaskLauncher(cluster.scheduler_address, talkative)
        try:
            run = launcher(job(1, tmp_path), tmp_path / "log", None)
            until = time.monotonic() + PATIENCE_S
            while run.progress != PROGRESS[-1] and time.monotonic() < until:
                time.sleep(0.01)
            assert run.progress == PROGRESS[-1]
            assert len(run.begun_on) == 1
            SEEN.set()
            while run.outcome() is None and time.monotonic() < until:
                time.sleep(0.01)
            assert run.outcome().is_done
        finally:
            SEEN.set()
            launcher.close()
