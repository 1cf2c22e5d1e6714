"""Where style sheet and icons lie."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path


@lru_cache(maxsize=1)
def resource_folder() -> Path:
    """Return the folder with ``style.qss`` and ``icons``."""
    return Path(str(resources.files("resources")))
