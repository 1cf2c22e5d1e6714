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
    """Names the pictures of frames. For one thread.

    Parameters
    ----------
    names : str
        Key of `NAMES`.
    info : SourceInfo
        Of the input.
    """

    def __init__(self, names: str, info: SourceInfo) -> None:
        self._is_input, self._number_of = names == "input", info.number_of
        self._stems = dict(zip(info.files, safe_stems(info.files), strict=True)) if self._is_input else {}
        self._taken = set(map(_folded, self._stems.values()))
        self._changed: set[str] = set()

    def of(self, report: Report) -> str:
        """Return the name of the picture of a frame, without suffix.

        Numbers count frames as they come, from 1. Those of the input count all that it has, also where a range of it is
        read: frame 230 has one name in every export. A file that was not there at first is named when it comes.
        """
        if not self._is_input:
            return f"{report.n_done:0{DIGITS}d}"
        frame = report.frame.full
        if not frame.name:
            return f"{self._number_of(frame.index):0{DIGITS}d}"
        if frame.name not in self._stems:
            stem = _stem(frame.name)
            self._stems[frame.name] = _free(
                stem if _folded(stem) not in self._taken else _safe(frame.name), self._taken
            )
        stem = self._stems[frame.name]
        if stem != os.path.splitext(frame.name)[0]:
            self._changed.add(frame.name)
        return stem

    @property
    def n_changed(self) -> int:
        """How many files so far do not give their pictures their own name: others have it too, or it is unsafe."""
        return len(self._changed)


def safe_stems(files: Sequence[str]) -> list[str]:
    """Return a name without suffix for each file, which any file system takes, and which no other has.

    Names that differ in their suffixes alone, or only for some file systems (upper and lower case, two ways to write
    one letter), keep the suffix; where that is not enough a number is added, in the order of the files.

    Parameters
    ----------
    files : sequence of str
        Of the whole input, so that a name does not depend on which part of it is read.
    """
    stems = list(map(_stem, files))
    counts = Counter(map(_folded, stems))
    taken = {folded for folded, count in counts.items() if count == 1}
    return [
        stem if counts[_folded(stem)] == 1 else _free(_safe(name), taken)
        for name, stem in zip(files, stems, strict=True)
    ]


def _free(name: str, taken: set[str]) -> str:
    """Return a safe name, with a number where it is taken; it is taken then."""
    free, number = name, 1
    while _folded(free) in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(_folded(free))
    return free


def _stem(name: str) -> str:
    return _safe(os.path.splitext(name)[0])


def _safe(name: str) -> str:
    """Return a name that any file system takes, as like this one as can be."""
    safe = UNSAFE.sub("_", name).encode()[:MOST_BYTES].decode(errors="ignore").rstrip(". ")
    # Hidden files would be no part of the folder for people, and for this program.
    return f"_{safe}" if not safe or safe.startswith(".") or RESERVED.match(safe) else safe


def _folded(name: str) -> str:
    """Return what names have in common that some file system takes for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
