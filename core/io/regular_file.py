"""Files that strangers name: only regular ones are opened, so that no pipe or device keeps the program waiting."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from core.errors import CleanplateError

_KINDS = {
    stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}  # fmt: skip


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
        _check(os.fstat(number).st_mode, path)
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


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
