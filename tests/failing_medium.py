"""A drive that fails: a part of what lies on it cannot be read, while the files are as they were."""

import errno
import io
import os

import pytest

from core.io import regular_file


class Medium(io.FileIO):
    """What `RegularFile` reads from, which fails where it is told to."""

    fails_at: range = range(0)

    def readinto(self, buffer):
        self._check()
        return super().readinto(buffer)

    def readall(self):
        self._check()
        return super().readall()

    def _check(self):
        if self.tell() in self.fails_at:
            raise OSError(errno.EIO, os.strerror(errno.EIO))


class FileOnIt(regular_file.RegularFile, Medium):
    """A file on it."""


@pytest.fixture
def medium(monkeypatch):
    """All regular files that are opened from now on lie on it; it fails at those bytes that `fails_at` is set to."""
    monkeypatch.setattr(regular_file, "RegularFile", FileOnIt)
    monkeypatch.setattr(Medium, "fails_at", range(0))
    return Medium
