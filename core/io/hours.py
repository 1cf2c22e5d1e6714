"""Times within a recording, as notes say them."""

from __future__ import annotations


def hours_words(seconds: float) -> str:
    """Return a time in whole seconds, such as ``0:00:45``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"
