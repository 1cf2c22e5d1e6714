"""How many cores this process may keep busy."""

from __future__ import annotations

import os

SHARE = "CLEANPLATE_CORES"
"""Name in the environment: how many cores are this process' share, where several runs go on at once."""


def all_cores() -> int:
    """Return how many cores the machine lets this process have."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share() -> int | None:
    """Return how many cores are the share of this process, no more than there are; None where all are its own."""
    said = os.environ.get(SHARE, "")
    return min(max(1, int(said)), all_cores()) if said.isascii() and said.isdigit() else None


def usable() -> int:
    """Return how many cores this process may keep busy: its share, or else all."""
    return share() or all_cores()
