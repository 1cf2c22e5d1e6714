import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from core.io.publishing import spare_room
from core.io.publishing.spare_room import BALLAST, NAME, RESERVE, SpareRoom

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def disk(monkeypatch):
    """A disk, with as many bytes free as are set; on it there is always room for a ballast of 1 kB."""
    free = {"bytes": 10 * RESERVE}
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, free["bytes"]))
    monkeypatch.setattr(spare_room, "BALLAST", 1000)
    return free


@pytest.mark.parametrize(("at_first", "least"), [(10 * RESERVE, RESERVE), (4 << 20, 1 << 20)])
def test_a_quarter_of_a_small_disk_and_no_more_than_is_needed_of_a_large_one_stays_free(
    tmp_path, disk, at_first, least
):
    disk["bytes"] = at_first
    room = SpareRoom(tmp_path)
    for free, is_short in ((at_first, False), (least, False), (least - 1, True)):
        disk["bytes"] = free
        assert room.is_short == is_short


def test_what_it_holds_is_given_back(tmp_path):
    room = SpareRoom(tmp_path)
    assert (tmp_path / NAME).stat().st_size == BALLAST
    room.give_back()
    room.give_back()
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_is_known_of_the_disk_there_is_room(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError

    room = SpareRoom(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", refuse)
    assert not room.is_short
    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert not SpareRoom(tmp_path).is_short
