"""For workers (``dask worker --preload``): notes in a file which jobs were begun, and which were run to their end."""

import os
import time
from pathlib import Path

from core.batch.cluster import on_worker
from core.batch.process import ProcessLauncher
from core.errors import CleanplateError
from tests.cluster.processes import NOTES, held_job


class CountedRun:
    """A run that notes its end."""

    def __init__(self, run, name):
        self._run, self._name, self._noted = run, name, False

    def __getattr__(self, name):
        return getattr(self._run, name)

    def outcome(self):
        outcome = self._run.outcome()
        if outcome is not None and outcome.is_done and not self._noted:
            self._noted = True
            note(f"done {self._name}")
        return outcome


class CountedLauncher(ProcessLauncher):
    """Notes what is begun."""

    def __call__(self, job, log, n_cores):
        note(f"begun {job.name}")
        if is_held(job.name):
            while is_held(job.name):
                time.sleep(0.02)
            raise CleanplateError("It was held, and nobody waits for it any more.")
        return CountedRun(super().__call__(job, log, n_cores), job.name)


def is_held(name):
    try:
        return held_job(os.environ[NOTES]).read_text() == name
    except FileNotFoundError:
        return False


def note(line):
    with Path(os.environ[NOTES]).open("a") as file:
        file.write(line + "\n")


on_worker.ProcessLauncher = CountedLauncher
