"""A scheduler, its workers and a server of S3 as processes of their own, on loopback."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from app.own_command import own_environment

NOTES = "CLEANPLATE_TEST_NOTES"
"""Name in the environment: the file of `tests.cluster.counted`."""

PATIENCE_S = 300.0

PATHS = os.pathsep.join([own_environment()["PYTHONPATH"], str(Path(__file__).resolve().parents[2])])
"""Where programs find this one, and these tests, which lie elsewhere where it is installed."""

CREDENTIALS = {"AWS_ACCESS_KEY_ID": "of-a-test", "AWS_SECRET_ACCESS_KEY": "secret-of-a-test", "AWS_REGION": "us-east-1"}


def until(condition, what, patience=PATIENCE_S):
    begun = time.monotonic()
    while not (found := condition()):
        assert time.monotonic() - begun < patience, what
        time.sleep(0.02)
    return found


def free_port():
    with contextlib.closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Processes:
    """Programs that are ended together.

    Parameters
    ----------
    folder : Path
        For what they say, and for their working folders.
    """

    def __init__(self, folder):
        self.folder = folder
        self._all = []

    def start(self, name, words, **environment):
        """Start a program in a working folder of its own."""
        place = self.folder / name
        place.mkdir(parents=True, exist_ok=True)
        with (place / "said").open("ab") as said:
            process = subprocess.Popen(
                [sys.executable, *words], cwd=place, stdout=said, stderr=said, stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": PATHS, "PYTHONWARNINGS": "ignore", **environment},
            )  # fmt: skip
        self._all.append(process)
        return process

    def stop(self):
        """End what still runs, those last that others need."""
        for process in reversed(self._all):
            if process.poll() is None:
                process.terminate()
        for process in reversed(self._all):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class ObjectStore:
    """A server of S3."""

    def __init__(self, processes):
        self.environment = {**CREDENTIALS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}"}
        address = self.environment["AWS_ENDPOINT_URL"]
        words = ["-m", "moto.server", "-H", "127.0.0.1", "-p", address.rpartition(":")[2]]
        self.process = processes.start("s3", words)
        until(lambda: answers(f"{address}/moto-api/"), "a server of S3")


def answers(address):
    try:
        with urlopen(address, timeout=5) as answer:
            return answer.status == 200
    except (URLError, OSError):
        return False


def held_job(notes):
    """Return the path of the file with the name of the job that workers hold."""
    return Path(f"{notes}.held")


class Cluster:
    """A scheduler and workers, each in a working folder of its own."""

    def __init__(self, processes, **environment):
        self._processes = processes
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.notes = Path(processes.folder, f"notes{self.port}")
        self._environment = {**environment, "CLEANPLATE_CORES": "1", NOTES: str(self.notes)}
        self.workers = []
        self._n_started = 0

    def start(self, n_workers=2):
        from distributed import Client  # of an extra, without which this file is read all the same

        words = ["-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port)]
        self.scheduler = self._processes.start("scheduler", [*words, "--no-dashboard"])
        self.workers = [self.add_worker() for _ in range(n_workers)]
        with Client(self.address, timeout=PATIENCE_S) as client:
            client.wait_for_workers(n_workers, timeout=PATIENCE_S)

    def add_worker(self):
        """Start a worker, which looks for the scheduler for a while; without a nanny, that what is killed stays so."""
        self._n_started += 1
        words = ["-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        return self._processes.start(
            f"worker{self._n_started}",
            [*words, "--local-directory", "own", "--preload", "tests.cluster.counted"],
            **self._environment,
        )

    def kill(self, process):
        """End a process without warning."""
        process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        process.wait()

    @contextlib.contextmanager
    def holding(self, name):
        """Let workers begin a job of this name, and get no further, within the block; it fails behind it."""
        held = held_job(self.notes)
        held.write_text(name)
        try:
            yield
        finally:
            held.unlink()

    def counted(self, what):
        """Return the names of the jobs that were begun, or done, once for each time."""
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [line.removeprefix(f"{what} ") for line in lines if line.startswith(f"{what} ")]
