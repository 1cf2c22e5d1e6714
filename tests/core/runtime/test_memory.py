"""What is left of memory."""

import sys

import pytest

from core.runtime import memory

resource = pytest.importorskip("resource")


def test_some_is_left():
    left = memory.available_bytes()
    assert left is None or 1 << 20 < left < 1 << 46


@pytest.mark.skipif(sys.platform != "linux", reason="macOS does not tell how much of its limit is used")
def test_the_limit_of_the_process_counts(monkeypatch):
    used = memory.resident_mib() * 2**20
    monkeypatch.setattr(resource, "getrlimit", lambda which: (1 << 50, 1 << 50))
    assert memory.available_bytes() < 1 << 50
    monkeypatch.setattr(resource, "getrlimit", lambda which: (int(used), int(used)))
    assert memory.available_bytes() == 0
