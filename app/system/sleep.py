"""Putting the computer to sleep, where the system lets a program do that."""

from __future__ import annotations

import contextlib
import shutil
import subprocess

COMMAND = "systemctl"


def can_sleep() -> bool:
    """Tell whether there is a way to do it."""
    return shutil.which(COMMAND) is not None


def sleep() -> None:
    """Ask the system for it, and wait for nothing; where it refuses, the computer stays awake."""
    with contextlib.suppress(OSError):
        subprocess.Popen([COMMAND, "suspend"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
