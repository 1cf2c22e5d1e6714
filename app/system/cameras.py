"""Which cameras there are, where the system tells that without opening them."""

from __future__ import annotations

import sys
from pathlib import Path

DEVICES = Path("/sys/class/video4linux")
"""Where Linux lists what has a file ``/dev/videoN``; the folder is missing where nothing has."""

ASSUMED = 4
"""Cameras that are offered where the system does not tell: opening one to find out takes seconds."""


def camera_numbers() -> list[int]:
    """Return the numbers of the cameras; others can be given on the command line.

    A camera may have several files; the first gives its pictures, others what is known of them.
    """
    if not sys.platform.startswith("linux"):
        return list(range(ASSUMED))
    numbers = (device.name.removeprefix("video") for device in DEVICES.glob("video*") if _is_first(device))
    return sorted(int(number) for number in numbers if number.isdecimal())


def _is_first(device: Path) -> bool:
    try:
        return int((device / "index").read_text()) == 0
    except (OSError, ValueError):
        return True
