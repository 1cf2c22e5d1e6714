"""How much memory this process has used, and how much more it can have."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

_STATM = Path("/proc/self/statm")
_GROUPS = Path("/proc/self/cgroup")
_MOUNTED = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class _Controller:
    """Where a version of control groups says what a group may have, what it has, and what of it is given back."""

    names: str
    root: str
    limit: str
    used: str
    given_back: frozenset[str]


_CONTROLLERS = (
    _Controller(
        "", "", "memory.max", "memory.current", frozenset({"inactive_file", "active_file", "slab_reclaimable"}),
    ),
    _Controller(
        "memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
        frozenset({"total_inactive_file", "total_active_file"}),
    ),
)  # fmt: skip


def peak_mib() -> float:
    """Return the largest resident memory of this process so far, MiB; 0 where the system does not tell."""
    if sys.platform == "win32":
        return _peak_windows()
    if sys.platform == "linux":
        # The counter of getrusage starts at what the calling process used before it started this one.
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return float(line.split()[1]) / 2**10
    import resource  # noqa: PLC0415 - absent on Windows

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak / (2**20 if sys.platform == "darwin" else 2**10))


def resident_mib() -> float:
    """Return the resident memory of this process now, MiB; the peak where the system tells only that."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return peak_mib()


def available_bytes() -> int | None:
    """Return how much more memory this process can have without swapping; None where the system does not tell.

    The least of what is left of the machine's, of a container's (cgroup) and of the process's own (``ulimit -v``).
    """
    if sys.platform == "win32":
        return _available_windows()
    found = [*_machine(), *_container(), *_own_limit()]
    return max(0, min(found)) if found else None


def _machine() -> list[int]:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return [int(line.split()[1]) << 10]
    with contextlib.suppress(OSError, ValueError, AttributeError):  # macOS tells how much there is, not what is left.
        return [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    return []


def _container() -> list[int]:
    """Return what is left of the limits of the control group, in both versions, and of those above it."""
    left = []
    with contextlib.suppress(OSError, ValueError):
        for line in _GROUPS.read_text().splitlines():
            _, names, group = line.split(":", 2)
            for controller in _CONTROLLERS:
                if controller.names in names.split(","):
                    left += _left_of(controller, group.lstrip("/"))
    return left


def _left_of(controller: _Controller, group: str) -> list[int]:
    root = _MOUNTED / controller.root
    folders = (root / group, *(root / group).parents)
    found = [_left_in(controller, folder) for folder in folders if folder.is_relative_to(root)]
    return [left for left in found if left is not None]


def _left_in(controller: _Controller, folder: Path) -> int | None:
    """Return what a group may still have: what is used without what was read from files and is only kept."""
    with contextlib.suppress(OSError, ValueError):  # "max" is no number.
        limit, used = (int((folder / name).read_text()) for name in (controller.limit, controller.used))
        return limit - used + min(used, _given_back(controller, folder))
    return None


def _given_back(controller: _Controller, folder: Path) -> int:
    """Return the bytes of a group that the system takes back as soon as someone needs them."""
    with contextlib.suppress(OSError, ValueError):
        stat = [line.split() for line in (folder / "memory.stat").read_text().splitlines()]
        return sum(int(number) for name, number in stat if name in controller.given_back)
    return 0


def _own_limit() -> list[int]:
    import resource  # noqa: PLC0415 - absent on Windows

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY or not _STATM.exists():
        return []
    return [limit - int(_STATM.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")]


if sys.platform == "win32":  # elsewhere ctypes has no WinDLL

    def _available_windows() -> int | None:
        import ctypes  # noqa: PLC0415

        class Status(ctypes.Structure):
            _fields_ = [("size", ctypes.c_ulong), ("load", ctypes.c_ulong)] + [
                (name, ctypes.c_ulonglong) for name in ("total", "available", "a", "b", "c", "d", "e")
            ]

        status = Status()
        status.size = ctypes.sizeof(status)
        found = ctypes.WinDLL("kernel32").GlobalMemoryStatusEx(ctypes.byref(status))
        return int(status.available) if found else None

    def _peak_windows() -> float:
        import ctypes  # noqa: PLC0415
        from ctypes import wintypes  # noqa: PLC0415

        class Counters(ctypes.Structure):
            _fields_ = [("cb", wintypes.DWORD), ("faults", wintypes.DWORD)] + [
                (name, ctypes.c_size_t) for name in ("peak", "now", "a", "b", "c", "d", "e", "f")
            ]

        counters = Counters()
        counters.cb = ctypes.sizeof(counters)
        windll = ctypes.WinDLL("psapi")
        process = ctypes.WinDLL("kernel32").GetCurrentProcess()
        found = windll.GetProcessMemoryInfo(wintypes.HANDLE(process), ctypes.byref(counters), counters.cb)
        return float(counters.peak / 2**20) if found else 0.0
