"""How fast it goes, in words: a rate, or the time that each takes where that is longer than a second."""

from __future__ import annotations


def rate_words(per_second: float, what: str = "frame") -> str:
    """Return a rate such as "80 frames/s" or "12 s a frame"; nothing where there is none."""
    said = _number(per_second)
    return _slow(per_second, what) if float(said) < 1 else f"{said} {what}s/s"


def rate_told(per_second: float, what: str = "frame", many: str = "a second") -> str:
    """Return a rate as the command line tells it, such as "80.0 a second"; likewise."""
    said = f"{per_second:.1f}"
    return _slow(per_second, what) if float(said) < 1 else f"{said} {many}"


def took_words(ms: float) -> str:
    """Return a time of work, such as "17.2 ms" or "12 s"."""
    return f"{ms:.1f} ms" if ms < 999.95 else f"{_number(ms / 1000)} s"


def span_words(seconds: float) -> str:
    """Return a time in the unit that people say it in."""
    units = ("d", 86400), ("h", 3600), ("min", 60)
    name, unit = next((known for known in units if seconds >= 2 * known[1]), ("s", 1))
    return f"{seconds / unit:.4g} {name}"


def _slow(per_second: float, what: str) -> str:
    return f"{_number(1 / per_second)} s {'an' if what[0] in 'aeiou' else 'a'} {what}" if per_second > 0 else ""


def _number(n: float) -> str:
    return f"{n:.0f}" if n >= 9.5 else f"{n:.1f}"
