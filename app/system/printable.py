"""Text of strangers, such as the name of a file, as it may be shown on a terminal."""

from __future__ import annotations

import unicodedata

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""What Unicode calls controls, formats (such as writing backwards), surrogates and line ends."""


def printable(text: str) -> str:
    r"""Return a text on one line with escapes such as ``\x1b`` for all that a terminal would obey and not show."""
    return "".join(_escaped(sign) if unicodedata.category(sign) in _HIDDEN else sign for sign in text)


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape", "surrogatepass").decode("ascii")
