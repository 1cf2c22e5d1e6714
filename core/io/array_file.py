"""Arrays in an npz file that a stranger may have made: nothing of it is believed, and little of it read, unchecked."""

from __future__ import annotations

import os
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format
from numpy.typing import NDArray

from core.errors import NoRoomError, quoted
from core.io.regular_file import open_regular

MOST_ARRAYS = 64
"""Those that have most have half as many."""

MOST_DIRECTORY_BYTES = 64 << 10
"""The archive's directory takes about 100 bytes an array; it is read at once, and as long as it says."""

MOST_HEADER_BYTES = 1000
"""An array's own header takes 118 bytes."""

_SUFFIX = ".npy"
_END, _END_64 = 22, 76
"""Bytes of the records at the end of an archive: the last one, and those before it in large archives."""

Declared = tuple[np.dtype[Any], tuple[int, ...]]


class ArrayFileError(ValueError):
    """The file is none, or damaged; the message says why, as part of a sentence."""


class ArrayFile:
    """An npz file as ``numpy.savez`` writes it: arrays by name, not compressed, each of them once.

    Its arrays are therefore no larger than the file itself.

    Parameters
    ----------
    file : BinaryIO
        Of a regular file; closed by whoever opened it.

    Attributes
    ----------
    declared : dict
        Type and shape of each array by name, as its header says.

    Raises
    ------
    ArrayFileError
        It is no such file, or it is damaged.
    """

    def __init__(self, file: BinaryIO) -> None:
        n_bytes = os.fstat(file.fileno()).st_size
        with _damage("the archive"):
            _check_directory(file, n_bytes)
            self._archive = zipfile.ZipFile(file)
            members = self._archive.infolist()
        if len(members) > MOST_ARRAYS:
            raise ArrayFileError(f"it holds {len(members)} files")
        names = [member.filename for member in members]
        if repeated := [name for name in names if names.count(name) > 1]:
            raise ArrayFileError(f"it holds {quoted(repeated[0])} more than once")
        if sum(member.file_size for member in members) > n_bytes:
            raise ArrayFileError("its arrays are larger than the file")
        self.declared = {member.filename.removesuffix(_SUFFIX): self._declared(member) for member in members}

    def read(self, name: str) -> NDArray[np.generic]:
        """Return an array, whose checksum is right."""
        with _damage(quoted(name)), self._archive.open(name + _SUFFIX) as member:
            array: NDArray[np.generic] = format.read_array(member, allow_pickle=False)
            if member.read(1):  # The checksum is looked at where a member was read to its end, and only there.
                raise ArrayFileError(f"{quoted(name)} is longer than it says")
        return np.ascontiguousarray(array).reshape(array.shape)

    def _declared(self, member: zipfile.ZipInfo) -> Declared:
        name = quoted(member.filename.removesuffix(_SUFFIX))
        if not member.filename.endswith(_SUFFIX):
            raise ArrayFileError(f"{name} is no array")
        if member.flag_bits & 1:
            raise ArrayFileError(f"{name} is encrypted")
        if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
            raise ArrayFileError(f"{name} is compressed")
        with _damage(name), self._archive.open(member) as file:
            read = {(1, 0): format.read_array_header_1_0, (2, 0): format.read_array_header_2_0}
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # Numpy mends headers of Python 2, and warns: no model has those.
                shape, _, dtype = read[format.read_magic(file)](file, max_header_size=MOST_HEADER_BYTES)
            if dtype.hasobject:
                raise ArrayFileError(f"{name} holds objects")
            n_bytes = dtype.itemsize
            for size in shape:
                n_bytes *= size
            if n_bytes != member.file_size - file.tell():
                raise ArrayFileError(f"{name} declares {n_bytes:.4g} bytes and has {member.file_size - file.tell()}")
        return dtype, shape


@contextmanager
def array_file(path: Path) -> Iterator[ArrayFile]:
    """Open a file of arrays.

    Raises
    ------
    ArrayFileError
        It is none, or damaged.
    NoRoomError
        There is too little memory for it.
    CleanplateError
        It is no regular file.
    OSError
        There is no such file, or it cannot be read.
    """
    try:
        with open_regular(path) as file:
            yield ArrayFile(file)
    except MemoryError as error:
        raise NoRoomError.to_read(path) from error


@contextmanager
def _damage(what: str) -> Iterator[None]:
    """Turn whatever reading a damaged archive raises into one error."""
    try:
        yield
    except (ArrayFileError, OSError, MemoryError):
        raise
    except Exception as error:
        # zipfile, zlib and numpy do not say what they raise on damaged files; it is of many kinds.
        raise ArrayFileError(f"{what} is damaged") from error


def _check_directory(file: BinaryIO, n_bytes: int) -> None:
    """Hold the directory's own size against what it may be."""
    file.seek(max(0, n_bytes - _END - _END_64))
    before, end = (tail := file.read(_END + _END_64))[:-_END], tail[-_END:]
    if end[:4] != b"PK\5\6":
        raise ArrayFileError("it is no archive of arrays, or its end is missing")
    directory_bytes = int.from_bytes(end[12:16], "little")
    if before[-20:-16] == b"PK\6\7":
        directory_bytes = max(int.from_bytes(before[40:48], "little"), 0)
    if directory_bytes > MOST_DIRECTORY_BYTES:
        raise ArrayFileError("its directory is too large")
