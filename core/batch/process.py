"""Runs jobs on this machine, each in a process of its own: what ends one, a decoder that aborts say, ends no other."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from core.batch.job import BatchJob, JobProgress, ToldLine
from core.batch.running import Outcome
from core.errors import CleanplateError
from core.io.publishing.refusals import writing
from core.runtime.cores import SHARE
from core.runtime.shell import quoted
from core.untrusted_json import UnreadableJsonError, decoded

PATIENCE_S = 15.0
"""How long a run that was told to give up may take: it ends between two frames, and tidies up."""

TAIL_BYTES = 1 << 14
"""Of the log that is looked through for why a run failed."""

SAYS = "cleanplate: "
"""What the sentence of a run that fails begins with."""

NO_MORE_CORES = "OPENCV_FOR_THREADS_NUM"
"""What OpenCV goes by."""


class ProcessLauncher:
    """Begins runs; see `core.batch.running.Launcher`.

    Parameters
    ----------
    command : sequence of str
        What runs this program.
    environment : mapping
        Of the processes, beside that of this one.
    niceness : int
        By how much they step back, on the system's scale from 0 to 19.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None, *, niceness: int = 0
    ) -> None:
        self._command, self._environment, self._niceness = list(command), dict(environment or {}), niceness

    def __call__(self, job: BatchJob, log: Path, n_cores: int | None) -> JobProcess:
        """Begin a run."""
        shares = {} if n_cores is None else {SHARE: str(n_cores), NO_MORE_CORES: str(n_cores)}
        command = [*self._command, *job.words, "--json-progress"]
        process = JobProcess(job, command, log, {**self._environment, **shares})
        if self._niceness:
            process.step_back(self._niceness)
        return process


class JobProcess:
    """The process of one job.

    Where this program ends without warning, the pipe breaks, and the run gives up at the next frame.

    Parameters
    ----------
    job : BatchJob
    command : list of str
    log : Path
        Gets what the process says to people.
    environment : mapping

    Raises
    ------
    CleanplateError
        No process can be started, or no log be written.
    """

    def __init__(self, job: BatchJob, command: list[str], log: Path, environment: Mapping[str, str]) -> None:
        self._job, self._log = job, log
        self._newest: ToldLine | None = None
        self._done: dict[str, object] | None = None
        self._no_room = False
        self._kill_at: float | None = None
        self._hear_until: float | None = None
        with writing(log):
            log.parent.mkdir(parents=True, exist_ok=True)
            log.write_bytes(os.fsencode(quoted(["cleanplate", *job.words])) + b"\n\n")
            said = log.open("ab")
        with said:
            try:
                self._process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said,
                    env={**os.environ, **environment}, **_own_group(),
                )  # fmt: skip
            except OSError as error:
                raise CleanplateError(
                    f"No process could be started for {job.name} ({error.strerror}); end other programs."
                ) from error
        assert self._process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(self._process.stdout,), name="job", daemon=True)
        self._reader.start()

    @property
    def progress(self) -> JobProgress | None:
        """How far it is, once it has begun to read."""
        newest = self._newest
        return None if newest is None else newest.progress

    def outcome(self) -> Outcome | None:
        """Return how it has ended; None while it goes on."""
        status = self._process.poll()
        if status is None:
            if self._kill_at is not None and time.monotonic() > self._kill_at:
                self._process.kill()
            return None
        if self._may_be_told_more():
            return None
        if status == 0:
            return Outcome(True, figures=self._done or {})
        looks_so = status == -getattr(signal, "SIGKILL", 0) and self._kill_at is None  # As when memory runs out.
        return Outcome(False, self._why(status), no_room=self._no_room or looks_so)

    def cancel(self) -> None:
        """Ask it to give up and leave nothing behind; it is ended by force where it does not."""
        if self._kill_at is None:
            self._kill_at = time.monotonic() + PATIENCE_S
            self._process.terminate()
            self.go_on()

    def suspend(self) -> bool:
        """Hold it where it is, and tell whether that is possible."""
        return self._signal("SIGSTOP")

    def go_on(self) -> None:
        """Let it go on that was held."""
        self._signal("SIGCONT")

    def step_back(self, niceness: int) -> None:
        """Leave the cores to others that want them, where the system can do that."""
        if hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # It may have ended already.
                now = os.getpriority(os.PRIO_PROCESS, self._process.pid)
                os.setpriority(os.PRIO_PROCESS, self._process.pid, min(now + niceness, 19))

    def _signal(self, name: str) -> bool:
        number = getattr(signal, name, None)
        if number is None:
            return False
        self._process.send_signal(number)
        return True

    def _may_be_told_more(self) -> bool:
        """Whether lines of a process that has ended may still come: its pipe is open as long as a child has it."""
        if self._hear_until is None:
            self._hear_until = time.monotonic() + PATIENCE_S
        return self._reader.is_alive() and time.monotonic() < self._hear_until

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe, contextlib.suppress(OSError, ValueError):
            for line in pipe:
                with contextlib.suppress(UnreadableJsonError):
                    told = decoded(line, ToldLine)
                    self._newest = told if told.progress is not None else self._newest
                    self._done = told.done or self._done
                    self._no_room = told.no_room or self._no_room

    def _why(self, status: int) -> str:
        """Return in a sentence why it failed: its own, or how it ended."""
        if status > 0:
            with contextlib.suppress(OSError):
                lines = end_of(self._log, TAIL_BYTES).decode("utf-8", "replace").splitlines()
                if said := [line for line in lines if line.startswith(SAYS)]:
                    return said[-1].removeprefix(SAYS)
        how = f"with status {status}"
        if status < 0:
            with contextlib.suppress(ValueError):
                how = f"by the signal {signal.Signals(-status).name}"
        return f"{self._job.name} was ended {how} in the midst of its work; its log may say more: {self._log}"


def end_of(log: Path, n_bytes: int) -> bytes:
    """Return the last bytes of a log, at most so many; raises OSError where it cannot be read."""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - n_bytes))
        return file.read()


def _own_group() -> dict[str, Any]:
    """Return what keeps Ctrl+C in a terminal from the process: this program gets it, and decides."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    # Of the same session: where this program ends, the system wakes up a process that was held.
    return {"process_group": 0}
