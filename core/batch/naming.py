"""How lists of jobs are named; light to import, as the window asks before the engine is there."""

from __future__ import annotations

from pathlib import Path

SUFFIX = ".jobs"
"""Of the file of a list."""


def is_job_file(path: str | Path) -> bool:
    """Tell whether a path is named as lists of jobs are."""
    return str(path).lower().endswith(SUFFIX)
