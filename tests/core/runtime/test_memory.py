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


V2 = ("", "memory.max", "memory.current", ("inactive_file", "active_file", "slab_reclaimable"))
V1 = ("memory", "memory.limit_in_bytes", "memory.usage_in_bytes", ("total_inactive_file", "total_active_file"))


@pytest.fixture
def groups(tmp_path, monkeypatch):
    """Return a function that imitates the control groups of either version: the process is in /a/b of both."""
    (tmp_path / "cgroup").write_text("12:cpu,cpuacct:/\n4:memory:/a/b\n0::/a/b\n")
    monkeypatch.setattr(memory, "_GROUPS", tmp_path / "cgroup")
    monkeypatch.setattr(memory, "_MOUNTED", tmp_path)

    def write(version, group, limit, used, **stat):
        root, limit_name, used_name, _ = version
        folder = tmp_path / root / group
        folder.mkdir(parents=True, exist_ok=True)
        (folder / limit_name).write_text(f"{limit}\n")
        (folder / used_name).write_text(f"{used}\n")
        (folder / "memory.stat").write_text("".join(f"{name} {number}\n" for name, number in stat.items()))

    return write


linux = pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux's")


@linux
@pytest.mark.parametrize("version", [V2, V1])
def test_what_a_container_only_keeps_of_files_is_available(version, groups):
    names = version[-1]
    groups(version, "a/b", 20 << 20, 19 << 20, anon=5 << 20, shmem=4 << 20, **dict.fromkeys(names, 2 << 20))
    assert memory.available_bytes() == (1 + 2 * len(names)) << 20


@linux
@pytest.mark.parametrize("version", [V2, V1])
def test_the_limit_of_a_group_above_counts_and_none_is_no_limit(version, groups):
    groups(version, "a", 20 << 20, 12 << 20)
    groups(version, "a/b", "max" if version is V2 else (1 << 63) - 4096, 3 << 20)
    assert memory.available_bytes() == 8 << 20


@linux
def test_no_more_is_given_back_than_is_used(groups):
    groups(V2, "a/b", 20 << 20, 3 << 20, active_file=4 << 20)
    assert memory.available_bytes() == 20 << 20
