"""Jobs of a batch that begin in milliseconds: each is a process of its own, a fork of one that has imported it all."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing.connection import Connection
from types import SimpleNamespace
from typing import IO

import pytest

from app.own_command import own_command
from tests.hostile.program import be_the_program, fork


def fork_jobs(monkeypatch: pytest.MonkeyPatch, prepare: Callable[[], None] | None = None) -> None:
    """Let `core.batch.process` begin jobs so, to the end of a test; ``prepare()`` comes first in each process."""
    begin = partial(ForkedProcess, prepare=prepare)
    stand_in = SimpleNamespace(Popen=begin, PIPE=subprocess.PIPE, DEVNULL=subprocess.DEVNULL)
    monkeypatch.setattr("core.batch.process.subprocess", stand_in)


class ForkedProcess:
    """What a job needs of `subprocess.Popen`, where the command is this program's own."""

    def __init__(
        self, command: Sequence[str], *, stdin: int, stdout: int, stderr: IO[bytes], env: Mapping[str, str],
        process_group: int, prepare: Callable[[], None] | None,
    ) -> None:  # fmt: skip
        own = own_command()
        assert (list(command[: len(own)]), stdin, stdout) == (own, subprocess.DEVNULL, subprocess.PIPE)
        reading, writing = os.pipe()
        self.stdout = os.fdopen(reading, "rb")
        with Connection(writing, readable=False) as out, Connection(os.dup(stderr.fileno()), readable=False) as err:
            words = list(command[len(own) :])
            self._process = fork(_be_the_job, words, dict(env), process_group, out, err, prepare)
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit status, None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it by force."""
        self.send_signal(signal.SIGKILL)


def _be_the_job(
    words: list[str], environment: dict[str, str], group: int, out: Connection, err: Connection,
    prepare: Callable[[], None] | None,
) -> None:  # fmt: skip
    os.setpgid(0, group)
    os.environ.clear()
    with out, err:
        files = [os.dup(end.fileno()) for end in (out, err)]
    be_the_program(words, environment, *files, prepare)
