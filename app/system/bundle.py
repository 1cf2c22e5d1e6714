"""The program as a folder that needs no Python (`release/cleanplate.spec`): what is different there."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from core.runtime.shell import quoted

OPEN_APPLICATION = "--open-application"
"""Asks the program to open a display and end, which the doctor does in a process of its own."""

PROBE = "from PySide6.QtWidgets import QApplication; QApplication([])"
"""The same for Python."""

SEARCHED = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBPATH")
"""Where the loader looks first: set by the bundle's starter, for this process alone."""


STARTS_AFRESH = "PYINSTALLER_RESET_ENVIRONMENT"
"""Tells the bundle's starter that a process is one of its own."""


def is_bundle() -> bool:
    """Tell whether this is the program in a folder of its own, without Python around it."""
    return bool(getattr(sys, "frozen", False))


def begin(arguments: list[str]) -> None:
    """Do what a bundle has to do before anything else; ends the process where it was started as a part of another.

    Parameters
    ----------
    arguments : list of str
        Of the command line.
    """
    import multiprocessing  # noqa: PLC0415 - only bundles need it at once

    for name in SEARCHED:
        before = os.environ.pop(f"{name}_ORIG", None)
        # What this process starts, a browser say, brings libraries of its own.
        if before is not None:
            os.environ[name] = before
        else:
            os.environ.pop(name, None)
    # Else the starter of a process of ours would take it for this one's, where that path is set already.
    os.environ[STARTS_AFRESH] = "1"
    multiprocessing.freeze_support()
    if arguments == [OPEN_APPLICATION]:
        exec(PROBE)  # No import: the doctor, who knows this module, starts where Qt cannot be found.
        sys.exit(0)


def fonts() -> list[Path]:
    """Return the fonts that a bundle brings, for machines without any."""
    return sorted((Path(getattr(sys, "_MEIPASS", "")) / "fonts").glob("*.ttf")) if is_bundle() else []


def probe_command() -> list[str]:
    """Return the command that opens a display and ends."""
    return [sys.executable, OPEN_APPLICATION] if is_bundle() else [sys.executable, "-c", PROBE]


def remedy(distribution: str) -> str:
    """Return what to do where a part of the program is absent or broken."""
    if is_bundle():
        return "the program's folder is damaged: unpack or download it again"
    return quoted([sys.executable, "-m", "pip", "install", "--force-reinstall", distribution])
