"""How this program starts itself again, for what is done in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from app.system.bundle import is_bundle


def own_command() -> list[str]:
    """Return the words that run ``cleanplate`` by the same interpreter, whatever the working folder holds."""
    if is_bundle():  # It is its own interpreter.
        return [sys.executable]
    return [sys.executable, "-P", "-m", "app"]


def own_environment() -> dict[str, str]:
    """Return what the environment of that process must say: where this very program lies."""
    root = str(Path(__file__).resolve().parents[1])
    return {"PYTHONPATH": os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))}
