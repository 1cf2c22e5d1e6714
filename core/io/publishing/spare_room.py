"""Room on the disk that is kept for completing what cannot be written a second time."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

RESERVE = 256 << 20
"""Bytes that stay free: films hold 5 MB each before they write it; a plate of the largest pictures, a model, and tables
of a day take some 100 MB together."""

BALLAST = 16 << 20
"""Bytes of a file that is removed where the disk gets full all the same: quotas count otherwise, others write too."""

NAME = ".room"


class SpareRoom:
    """Room where results are written; of a small disk a part. What it holds goes with the folder.

    Parameters
    ----------
    folder : Path
        Must be there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._ballast = folder, folder / NAME
        self._least = 0
        with contextlib.suppress(OSError):  # Who writes results there is told.
            free = shutil.disk_usage(folder).free
            self._least = min(RESERVE, free // 4)
            # What no file system makes smaller.
            self._ballast.write_bytes(os.urandom(min(BALLAST, free // 8)))

    @property
    def is_short(self) -> bool:
        """Whether what is written now would take what is to stay free."""
        try:
            return shutil.disk_usage(self._folder).free < self._least
        except OSError:
            return False

    def give_back(self) -> None:
        """Make room for completing what there is."""
        with contextlib.suppress(OSError):
            self._ballast.unlink(missing_ok=True)
