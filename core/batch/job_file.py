"""A list of jobs on disk: a line for the version, then a line of JSON for each change of a job; the last one counts.

A change is one line more, however long the list is, and on the disk before anything is done that it tells of. A line
that was cut off by the end of its writer is left out.
Nothing is written that could not be read again: the list would be lost with all that is in it.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from core.batch.job import BatchJob
from core.errors import CleanplateError, quoted
from core.io.publishing.durable import sync_file
from core.io.publishing.refusals import writing
from core.io.publishing.single_file import replacing
from core.io.regular_file import read_regular
from core.runtime.file_lock import FileLock, NoLocksError
from core.untrusted_json import UnreadableJsonError, check_version, decoded

VERSION = 1
"""File version; larger numbers come from newer programs."""

MOST_BYTES = 1 << 28
"""A job takes 300 bytes, and as much for each of its changes."""


class _Head(msgspec.Struct):
    version: int


def read_jobs(path: Path) -> list[BatchJob]:
    """Return the jobs of a list in their order, whoever works on it; none where there is no file.

    Raises
    ------
    CleanplateError
        It is no list of jobs, or a newer program wrote it.
    """
    try:
        first, *lines = read_regular(path, MOST_BYTES).split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CleanplateError(f"The jobs in {path} cannot be read ({error.strerror}); check it.") from error
    jobs: dict[int, BatchJob] = {}
    try:
        check_version(first, VERSION, str(path))
        for line in lines[:-1]:  # What follows the last end of a line was cut off.
            job = decoded(line, BatchJob)
            jobs[job.number] = job
    except UnreadableJsonError as error:
        raise CleanplateError(f"{path} is not a list of jobs that can be used ({error}); move it away.") from error
    return list(jobs.values())


class JobFile:
    """The file of a list, which one process at a time works on.

    Parameters
    ----------
    path : Path

    Raises
    ------
    CleanplateError
        Another process has the list, or its folder cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        self._file: io.FileIO | None = None
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(NoLocksError):
                if not self._lock.acquire():
                    raise CleanplateError(
                        f"Another window or command works on the jobs in {path}; end it first, or wait for its end."
                    )

    def read(self) -> list[BatchJob]:
        """Return the jobs in their order; see `read_jobs`."""
        return read_jobs(self.path)

    def write(self, jobs: Iterable[BatchJob]) -> None:
        """Write the whole list anew, complete or not at all.

        Raises
        ------
        CleanplateError
            The disk refuses, or the list could not be read again.
        """
        packed = b"\n".join([msgspec.json.encode(_Head(VERSION)), *map(_line, jobs)]) + b"\n"
        if len(packed) > MOST_BYTES:
            raise CleanplateError(
                f"The jobs take more than {MOST_BYTES:,} bytes, and no list does; run some of them first."
            )
        self._end()
        with replacing(self.path) as beside:
            beside.write_bytes(packed)

    def append(self, job: BatchJob) -> bool:
        """Write what has become of a job, its whole line or nothing of it; False where it is no file to be read then.

        Raises
        ------
        CleanplateError
            As `write`.
        """
        line = _line(job) + b"\n"
        with writing(self.path):
            if self._file is None:
                self._file = self.path.open("ab", buffering=0)
            size = os.fstat(self._file.fileno()).st_size
            if size + len(line) > MOST_BYTES:
                return False
            try:
                if self._file.write(line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                sync_file(self.path)
            except OSError:
                with contextlib.suppress(OSError):
                    self._file.truncate(size)  # Half a line would make one with what comes next.
                raise
        return True

    def close(self) -> None:
        """Let others have the list."""
        self._end()
        self._lock.release(remove=True)

    def _end(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            file.close()


def _line(job: BatchJob) -> bytes:
    try:
        line = msgspec.json.encode(job)
    except UnicodeEncodeError as error:
        raise CleanplateError(
            f"The name {quoted(job.name)} is no text, and cannot be kept in a list of jobs; rename the file."
        ) from error
    try:
        decoded(line, BatchJob)
    except UnreadableJsonError as error:
        raise CleanplateError(
            f"The job {quoted(job.name)} cannot be kept in a list of jobs ({error}); shorten its names and options."
        ) from error
    return line
