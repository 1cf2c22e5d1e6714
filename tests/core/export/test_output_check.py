"""What is said of places that cannot be written, before anything is read."""

import os
from types import SimpleNamespace

import pytest

from core.errors import RefusedError
from core.export.output_check import check_output
from core.export.plan import free_bytes


@pytest.fixture
def locked(tmp_path, monkeypatch):
    """A folder that may not be written to; root may write everywhere."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    return tmp_path


def mounted(monkeypatch, flags):
    monkeypatch.setattr(
        os, "statvfs", lambda path: SimpleNamespace(f_flag=flags, f_bavail=7, f_bfree=7, f_blocks=9, f_frsize=512)
    )


def test_of_a_disk_that_is_read_only_no_permissions_help(locked, monkeypatch):
    mounted(monkeypatch, os.ST_RDONLY | os.ST_NOSUID)
    with pytest.raises(RefusedError) as caught:
        check_output(locked / "out", [locked / "out/plate.png"], overwrite=False)
    assert str(caught.value) == f"{locked} is on a read-only disk; choose another folder."
    assert free_bytes(locked / "out") is None, "it has no room, but that is not why"


def test_of_other_folders_they_do(locked, monkeypatch):
    mounted(monkeypatch, os.ST_NOSUID)
    with pytest.raises(RefusedError, match=r"cannot be written to; choose another folder or change its permissions\.$"):
        check_output(locked / "out", [locked / "out/plate.png"], overwrite=False)
    assert free_bytes(locked / "out") == 7 * 512


@pytest.mark.parametrize("gone", [True, False])
def test_where_the_system_does_not_tell_permissions_may(locked, monkeypatch, gone):
    if gone:
        monkeypatch.delattr(os, "statvfs")
    else:
        monkeypatch.setattr(os, "statvfs", lambda path: (_ for _ in ()).throw(OSError("no such call")))
    with pytest.raises(RefusedError, match="change its permissions"):
        check_output(locked / "out", [locked / "out/plate.png"], overwrite=False)
