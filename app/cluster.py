"""What runs this program on the workers of a cluster; dask is of an extra, and not imported before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.own_command import own_command, own_environment
from core.batch.job import BatchJob
from core.errors import CleanplateError
from core.io.remote.store import EXTRA

if TYPE_CHECKING:
    from core.batch.cluster.launcher import DaskLauncher
    from core.batch.cluster.on_worker import WorkedJob


def dask_launcher(address: str) -> DaskLauncher:
    """Return what runs jobs on the workers of the scheduler at an address; close it in the end.

    Raises
    ------
    CleanplateError
        No scheduler answers there, or dask is absent.
    """
    try:
        from core.batch.cluster.launcher import DaskLauncher  # noqa: PLC0415
    except ImportError as error:
        raise CleanplateError(f"A scheduler needs dask, which is absent ({error}); {EXTRA} installs it.") from error
    return DaskLauncher(address, run_on_worker)


def run_on_worker(job: BatchJob, made_by: str) -> WorkedJob:
    """Run a job by the program as it is installed here; see `core.batch.cluster.on_worker.work`."""
    from core.batch.cluster.on_worker import work  # noqa: PLC0415

    return work(job, made_by, own_command(), own_environment())
