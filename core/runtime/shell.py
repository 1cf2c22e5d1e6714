"""Commands as a person types them, in the shell of this system."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence


def quoted(words: Sequence[str]) -> str:
    """Return a command in one line, quoted where words hold spaces or signs of the shell's own.

    For Windows as its programs take a line apart, in double quotes: its shells know no others at once.
    """
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
