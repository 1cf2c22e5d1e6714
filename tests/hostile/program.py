"""The program in a process of its own, begun in milliseconds: a fork of a server that has imported it all."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.hostile.preloaded"])

POLL_S = 0.01


def waited_for_a_core_s(process: str = "thread-self") -> float:
    """Return how long the first thread of a process was ready and others had the cores; by default this thread."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9
    return 0.0


@dataclass(frozen=True)
class Ended:
    """How the program ended.

    Attributes
    ----------
    status : int
        Exit status; the negative number of the signal that ended it.
    out, err : str
        What it printed.
    seconds : float
    peak_mib : float
        Largest resident memory that was seen, MiB.
    hung : bool
        It had to be killed after the time that it was given.
    """

    status: int
    out: str
    err: str
    seconds: float
    peak_mib: float
    hung: bool

    def fault(self, *allowed: int, seconds: float = 30, mib: float = 2048) -> str | None:
        """Return what is wrong with an end that must have one of the ``allowed`` statuses, by default 0 and 2."""
        errors = [line for line in self.err.splitlines() if not line.startswith("Note: ")]
        if self.hung:
            return f"still running after {self.seconds:.0f} s"
        if self.status not in (allowed or (0, 2)):
            return f"status {self.status}: {self.err.strip()[-200:]}"
        if "went wrong" in self.err or "Traceback" in self.err:
            return self.err.strip()[-300:]
        if self.status == 2 and (len(errors) != 1 or not errors[0].startswith("cleanplate: ")):
            return f"not one sentence: {self.err.strip()[-300:]}"
        if self.seconds > seconds:
            return f"took {self.seconds:.0f} s"
        if self.peak_mib > mib:
            return f"took {self.peak_mib:.0f} MiB"
        return None


class Running:
    """The program while it runs; `start` makes one."""

    def __init__(self, process: multiprocessing.process.BaseProcess, folder: Path) -> None:
        self._process, self._folder = process, folder
        self._started = time.perf_counter()
        self._peak_mib = 0.0
        self.waited_for_a_core_s = 0.0
        """How long its first thread had none, as far as was seen in time."""

    @property
    def pid(self) -> int:
        """Number of the process."""
        assert self._process.pid is not None
        return self._process.pid

    def signal(self, number: int) -> None:
        """Send a signal; one that comes too late is lost."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def wait(self, seconds: float = 60) -> Ended:
        """Wait for the end; what runs longer is killed."""
        while self._process.is_alive() and time.perf_counter() - self._started < seconds:
            self._measure()
            self._process.join(POLL_S)
        hung = self._process.is_alive()
        spent = time.perf_counter() - self._started
        if hung:
            self.signal(signal.SIGKILL)
            self._process.join()
        out, err = ((self._folder / name).read_text(errors="replace") for name in ("out", "err"))
        status = self._process.exitcode
        assert status is not None
        self._process.close()
        return Ended(status, out, err, spent, self._peak_mib, hung)

    def _measure(self) -> None:
        self.waited_for_a_core_s = max(self.waited_for_a_core_s, waited_for_a_core_s(str(self.pid)))
        with contextlib.suppress(OSError, StopIteration):
            lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
            high = next(line for line in lines if line.startswith("VmHWM:"))
            self._peak_mib = max(self._peak_mib, int(high.split()[1]) / 1024)


def fork(call: Callable[..., None], *arguments: object) -> multiprocessing.process.BaseProcess:
    """Call a function of a module in a fork of the server; return that process, which has begun."""
    process = FORKS.Process(target=call, args=arguments)
    process.start()
    return process


def start(
    arguments: Sequence[str],
    folder: Path,
    environment: Mapping[str, str] | None = None,
    prepare: Callable[[], None] | None = None,
) -> Running:
    """Begin the program.

    Parameters
    ----------
    arguments : sequence of str
        Of the command line.
    folder : Path
        Made if need be; what the program prints is kept there, in ``out`` and ``err``, and it is where it starts.
    environment : mapping, optional
        Variables to set. Those that are read on import have no effect here.
    prepare : callable, optional
        Called in the process before the program begins; a function of a module, or a `functools.partial` of one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    words = (list(arguments), str(folder), dict(environment or {}), prepare)
    for name in ("out", "err"):  # It may be killed before it has made them.
        (folder / name).write_bytes(b"")
    return Running(fork(_be_the_program, *words), folder)


def _be_the_program(
    arguments: list[str], folder: str, environment: Mapping[str, str], prepare: Callable[[], None] | None
) -> None:
    os.chdir(folder)
    out, err = (os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o644) for name in ("out", "err"))
    be_the_program(arguments, environment, out, err, prepare)


def be_the_program(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    out: int,
    err: int,
    prepare: Callable[[], None] | None = None,
) -> None:
    """Run the program in this process, a fork, to its end; ``out``, ``err``: what it prints to, which are closed."""
    os.environ.update(environment)
    for number, file in ((1, out), (2, err)):
        os.dup2(file, number)
        os.close(file)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    # Those of the server would take a pipe for the file that they began with.
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    sys.argv = ["cleanplate", *arguments]
    from app.__main__ import main

    if prepare:
        prepare()
    main()
