"""Who runs the queue's jobs: this machine, or the workers of a scheduler, as a person says."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from core.batch.job import BatchJob
from core.batch.running import Launcher, RunningJob
from core.errors import CleanplateError
from core.runtime.memory import available_bytes

RETRY_S = 30.0
"""How long a scheduler that does not answer is not asked again: it takes seconds each time, for each job that waits."""


class ClusterLauncher(Protocol):
    """What runs jobs elsewhere; see `core.batch.cluster.launcher.DaskLauncher`."""

    def __call__(self, job: BatchJob, log: Path, n_cores: int | None) -> RunningJob:
        """Begin a run."""

    def failure(self) -> str:
        """Return why no more can be run."""

    def close(self) -> None:
        """Leave the cluster."""


class QueueLauncher:
    """Begins runs where a person wants them; see `core.batch.running.Launcher`. For one thread, but for `send_to`.

    Parameters
    ----------
    here : Launcher
    connect : callable
        Gives what runs jobs on the scheduler at an address, or raises a `CleanplateError`.
    address : str
        Of the scheduler; empty: this machine runs them.
    """

    def __init__(self, here: Launcher, connect: Callable[[str], ClusterLauncher], address: str = "") -> None:
        self._here, self._connect = here, connect
        self._address = self._tried = address
        self._clusters: list[ClusterLauncher] = []
        self._cluster: ClusterLauncher | None = None
        self._refused: CleanplateError | None = None
        self._ask_again_at = 0.0

    def send_to(self, address: str) -> None:
        """Begin runs on the scheduler at an address from now on, or on this machine if it is empty."""
        self._address = address

    def available(self) -> int | None:
        """Return the memory that is left for runs, bytes; None where they are elsewhere."""
        return None if self._address else available_bytes()

    def close(self) -> None:
        """Leave all schedulers; what runs there is given up."""
        for cluster in self._clusters:
            cluster.close()

    def __call__(self, job: BatchJob, log: Path, n_cores: int | None) -> RunningJob:
        """Begin a run."""
        address = self._address
        if not address:
            return self._here(job, log, n_cores)
        if address != self._tried:
            self._tried, self._cluster, self._refused = address, None, None
        if self._cluster is None or self._cluster.failure():
            self._cluster = self._connected(address)
        return self._cluster(job, log, n_cores)

    def _connected(self, address: str) -> ClusterLauncher:
        if self._refused is not None and time.monotonic() < self._ask_again_at:
            raise self._refused
        try:
            cluster = self._connect(address)
        except CleanplateError as error:
            self._refused, self._ask_again_at = error, time.monotonic() + RETRY_S
            raise
        self._clusters.append(cluster)  # Earlier ones may still run jobs.
        return cluster
