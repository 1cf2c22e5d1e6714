"""How many there are of something, in words."""

from __future__ import annotations


def counted(n: int, what: str = "frame") -> str:
    """Return a number of frames, or of something else, in words, such as "1 frame"."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def and_left_out(n: int | None) -> str:
    """Return what is added to how many frames there are: that others were left out, if it is known that any were."""
    return f", {n} left out" if n else ""
