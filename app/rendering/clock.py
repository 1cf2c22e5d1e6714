"""Times as people read them."""

from __future__ import annotations


def time_text(time_s: float) -> str:
    """Return a time as ``00:06.667``, or ``1:02:03.456`` from an hour on."""
    milliseconds = max(round(1000 * time_s), 0)
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes_left = divmod(minutes, 60)
    clock = f"{minutes_left:02d}:{rest // 1000:02d}.{rest % 1000:03d}"
    return f"{hours}:{clock}" if hours else clock
