"""Only regular files are opened, and nothing waits."""

import os
import socket
import stat
from pathlib import Path

import pytest

from core.errors import CleanplateError
from core.io.regular_file import check_regular, open_regular, read_regular


def _made(kind: str, folder: Path) -> Path:
    path = folder / "given"
    if kind == "a named pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "a device":
        return Path(os.devnull)
    else:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
    return path


@pytest.mark.parametrize("read", [check_regular, open_regular, lambda path: read_regular(path, 10)])
@pytest.mark.parametrize("kind", ["a named pipe", "a folder", "a device", "a socket"])
def test_what_is_no_file_is_refused_at_once_with_its_kind(kind, read, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = _made(kind, tmp_path).relative_to(tmp_path) if kind == "a socket" else _made(kind, tmp_path)
    with pytest.raises(CleanplateError, match=kind):
        read(path)


def test_a_pipe_that_takes_the_place_of_a_file_is_refused(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr("core.io.regular_file.check_regular", lambda path: None)
    with pytest.raises(CleanplateError, match="a named pipe"):
        open_regular(tmp_path / "pipe")


def test_a_file_is_read_up_to_its_limit(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_regular(path, 5) == b"12345"
    with open_regular(path) as file:
        assert stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    with pytest.raises(CleanplateError, match="larger than 4 bytes"):
        read_regular(path, 4)


@pytest.mark.parametrize("name", ["absent", "zero\0byte", "x" * 300])
def test_a_name_of_no_file_is_an_error_of_the_system(name, tmp_path):
    with pytest.raises(OSError, match=r"No such file|too long"):
        open_regular(tmp_path / name)
