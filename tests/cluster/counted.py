"""For workers (``dask worker --preload``): notes in a file which jobs were begun, and which were run to their end."""

import os
from pathlib import Path

from core.batch.cluster import on_worker
from core.batch.process import ProcessLauncher

NOTES = "CLEANPLATE_TEST_NOTES"
"""Name in the environment: the file."""


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
        return CountedRun(super().__call__(job, log, n_cores), job.name)


def note(line):
    with Path(os.environ[NOTES]).open("a") as file:
        file.write(line + "\n")


on_worker.ProcessLauncher = CountedLauncher
