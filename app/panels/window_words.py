"""Sentences that name options of the command line, in the words of the window."""

from __future__ import annotations

import re

from core.export.products import FORMATS

_TICK = re.compile(r"\(--save ([a-z]+)\)")
_ASIDE = re.compile(r"\s*\([^()]*(?<![^\s(])--[a-z][^()]*\)")
_SAVE = re.compile(r"(?<![^\s(])--save ([a-z]+)")
_OPTION = re.compile(r"(?<![^\s(])--([a-z]+(?:-[a-z]+)*)")

_FORMATS = re.compile(r"(?<![^\s(])--format (?=[a-z])(.*)", re.DOTALL)
_FORMAT = re.compile(rf"(?<![\w.])({'|'.join(sorted(FORMATS, key=len, reverse=True))})(?!\w|\.\w)")

_CALLED = {"roi": "region", "size": "working size", "fps": "rate", "resume": "retry", "overwrite": "replace"}
"""What the window calls otherwise."""


def in_window(sentence: str) -> str:
    """Return a sentence as the window says it: the control that a person meets in the place of the option."""
    ticked = _TICK.sub(lambda found: f"(tick {found[1].capitalize()})", sentence)
    plain = _SAVE.sub(lambda found: f"“{found[1].capitalize()}”", _ASIDE.sub("", ticked))
    plain = _FORMATS.sub(lambda found: _FORMAT.sub(lambda key: f"“{FORMATS[key[1]]}”", found[1]), plain)
    return _OPTION.sub(lambda found: _CALLED.get(found[1], found[1].replace("-", " ")), plain)
