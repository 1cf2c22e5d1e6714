"""Files that strangers name: only regular ones are opened, so that no pipe or device keeps the program waiting."""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from core.errors import CleanplateError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_KINDS = {
    stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}  # fmt: skip


class RegularFile(io.FileIO):
    """What an open file reads from.

    Attributes
    ----------
    failure : OSError or None
        Why a read failed: its medium did, or went away. Who parses a file takes that for damage otherwise, and passes
        over it.
    """

    failure: OSError | None = None

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        """Read into ``buffer``; returns the number of bytes."""
        try:
            return super().readinto(buffer)
        except OSError as error:
            self.failure = error
            raise

    def readall(self) -> bytes:
        """Return what is left."""
        try:
            return super().readall()
        except OSError as error:
            self.failure = error
            raise


def check_regular(path: Path) -> None:
    """Raise an error where ``path`` names something else than a regular file, which is looked at and not opened.

    Raises
    ------
    CleanplateError
        It is a pipe, a socket, a device or a folder.
    OSError
        There is no such file, or it cannot be looked at.
    """
    try:
        mode = path.stat().st_mode
    except ValueError as error:  # a name that holds a zero byte
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from error
    _check(mode, path)


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading; it never waits for whoever is at the other end.

    Raises
    ------
    CleanplateError
        It is a pipe, a socket, a device or a folder.
    OSError
        As the built-in ``open``.
    """
    check_regular(path)  # Opening a device may be enough to set it off.
    # What is a file now may be a pipe by the time it is opened.
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    number = os.open(path, flags)
    try:
        found = os.fstat(number)
        _check(found.st_mode, path)
        # As ``open`` has it: a larger buffer would hide that a file shrinks.
        return io.BufferedReader(RegularFile(number), getattr(found, "st_blksize", 0) or io.DEFAULT_BUFFER_SIZE)
    except BaseException:
        os.close(number)
        raise


def failure_of(file: BinaryIO) -> OSError | None:
    """Return why a read of what `open_regular` has opened failed; None where none did."""
    raw = file.raw if isinstance(file, io.BufferedReader) else None
    return raw.failure if isinstance(raw, RegularFile) else None


def read_regular(path: Path, most_bytes: int) -> bytes:
    """Return the contents of a regular file of at most ``most_bytes``.

    Raises
    ------
    CleanplateError
        It is no regular file, or a larger one.
    OSError
        As the built-in ``open``.
    """
    with open_regular(path) as file:
        # Some of /proc are regular files that have nothing to say yet: None, as nothing here waits.
        contents = file.read(most_bytes + 1) or b""
    if len(contents) > most_bytes:
        raise CleanplateError(f"{path} is larger than {most_bytes:,} bytes; choose another file.")
    return contents


def _check(mode: int, path: Path) -> None:
    if not stat.S_ISREG(mode):
        raise CleanplateError(f"{path} is {_KINDS.get(stat.S_IFMT(mode), 'no file')}; give a file instead.")
