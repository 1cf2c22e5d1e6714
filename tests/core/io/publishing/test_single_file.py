"""A file that is saved by itself is complete or as before, and nothing is left beside it."""

import os

import pytest

from core.errors import CleanplateError
from core.io.publishing.single_file import replacing


def test_the_name_is_given_at_the_end(tmp_path):
    path = tmp_path / "model.npz"
    path.write_bytes(b"old")
    with replacing(path) as beside:
        beside.write_bytes(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(28, ""), KeyboardInterrupt()])
def test_what_goes_wrong_leaves_what_was_there(tmp_path, error):
    path = tmp_path / "model.npz"
    path.write_bytes(b"old")
    wanted = CleanplateError if isinstance(error, OSError) else KeyboardInterrupt

    def save():
        with replacing(path) as beside:
            beside.write_bytes(b"half")
            raise error

    with pytest.raises(wanted):
        save()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_one_sentence(tmp_path):
    with pytest.raises(CleanplateError, match="could not be written"), replacing(tmp_path / "nowhere" / "a.json"):
        pass


def test_what_a_killed_save_left_goes_with_the_next(tmp_path):
    (tmp_path / ".cleanplate-00000000" / "new").mkdir(parents=True)
    with replacing(tmp_path / "a.json") as beside:
        beside.write_bytes(b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_what_is_no_file_is_not_replaced(tmp_path):
    pipe = tmp_path / "a.json"
    os.mkfifo(pipe)
    with pytest.raises(CleanplateError, match="is no file"), replacing(pipe):
        pass
    assert pipe.is_fifo()


def test_a_name_that_no_disk_takes_is_one_sentence(tmp_path):
    with pytest.raises(CleanplateError, match="could not be written"), replacing(tmp_path / ("x" * 300)):
        pass


def test_what_was_private_stays_so(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    path.chmod(0o600)
    with replacing(path) as beside:
        beside.write_bytes(b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o600)
