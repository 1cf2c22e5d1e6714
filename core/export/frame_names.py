"""What the picture of one frame is called in a folder of images: its number, or what the input calls it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from core.io.sources.base import SourceInfo
from core.session.report import Report

NAMES = {
    "numbers": "000001 and so on, in the order of what is read",
    "input": "names of its files, else numbers of its frames",
}
"""How pictures of frames can be named, by key, in words for people."""

DEFAULT_NAMES = "numbers"

DIGITS = 6
"""Of numbers: enough for nine hours of film."""

UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]')
"""What some file system refuses, ends a line, or is no text: each such sign becomes ``_``."""

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
"""Names of devices on Windows, whatever follows the dot."""

MOST_BYTES = 240
"""Of a name without its suffix; file systems take 255 with it, and a number may have to be added."""


class FrameNames:
    """Names the pictures of frames.

    Parameters
    ----------
    names : str
        Key of `NAMES`.
    info : SourceInfo
        Of the input.
    """

    def __init__(self, names: str, info: SourceInfo) -> None:
        self._is_input, self._n_before = names == "input", info.n_before
        self._stems = safe_stems(info.files) if self._is_input else []

    def of(self, report: Report) -> str:
        """Return the name of the picture of a frame, without suffix.

        Numbers count frames as they come, from 1. Those of the input count all that it has, also where a range of it is
        read: frame 230 has one name in every export.
        """
        if not self._is_input:
            return f"{report.n_done:0{DIGITS}d}"
        place = self._n_before + report.frame.index
        return self._stems[place] if place < len(self._stems) else f"{place + 1:0{DIGITS}d}"


def safe_stems(files: Sequence[str]) -> list[str]:
    """Return a name without suffix for each file, which any file system takes, and which no other has.

    Names that differ in their suffixes alone, or only for some file systems (upper and lower case, two ways to write
    one letter), keep the suffix; where that is not enough a number is added, in the order of the files.

    Parameters
    ----------
    files : sequence of str
        Of the whole input, so that a name does not depend on which part of it is read.
    """
    stems = [_safe(os.path.splitext(name)[0]) for name in files]
    counts = Counter(map(_folded, stems))
    taken = {folded for folded, count in counts.items() if count == 1}
    named = []
    for name, stem in zip(files, stems, strict=True):
        if counts[_folded(stem)] == 1:
            named.append(stem)
            continue
        whole = free = _safe(name)
        number = 1
        while _folded(free) in taken:
            number += 1
            free = f"{whole}-{number}"
        taken.add(_folded(free))
        named.append(free)
    return named


def _safe(name: str) -> str:
    """Return a name that any file system takes, as like this one as can be."""
    safe = UNSAFE.sub("_", name).encode()[:MOST_BYTES].decode(errors="ignore").rstrip(". ")
    # Hidden files would be no part of the folder for people, and for this program.
    return f"_{safe}" if not safe or safe.startswith(".") or RESERVED.match(safe) else safe


def _folded(name: str) -> str:
    """Return what names have in common that some file system takes for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
