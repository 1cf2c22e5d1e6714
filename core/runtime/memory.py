"""How much memory this process has used."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_STATM = Path("/proc/self/statm")


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


if sys.platform == "win32":  # elsewhere ctypes has no WinDLL

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
