"""Which files this program wrote: they alone are ever replaced.

A result carries a mark; where the file system has none, the folder gets a list instead.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from core.errors import CleanplateError
from core.io.publishing.marks import is_marked, mark
from core.io.publishing.refusals import writing
from core.untrusted_json import UnreadableJsonError, decoded

LIST = ".cleanplate.json"

MAX_BYTES = 1 << 28
"""A larger list is not ours: 28 bytes for each of ten million images."""


class _Listed(msgspec.Struct, forbid_unknown_fields=True):
    """What a list holds. It has no times, so that the same command twice gives the same bytes."""

    version: int
    sizes: dict[str, int]
    """Bytes of each file, by its path in the folder, such as ``mask/000001.png``."""


class Ownership:
    """What this program wrote into a folder, and whether it is still as it was written.

    The list's own time of change is that of the newest result in it: what is newer was changed afterwards.

    Parameters
    ----------
    folder : Path
        Of the results.

    Raises
    ------
    CleanplateError
        The file with the name of the list is something else.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sizes: dict[str, int] = {}
        self._newest_ns = 0
        path = folder / LIST
        refused = CleanplateError(
            f"{path} is not a list of results that this program can read; remove it or choose another folder."
        )
        with writing(path):
            try:
                found = path.lstat()
            except (FileNotFoundError, NotADirectoryError):
                return
            if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_BYTES:
                raise refused
            packed = path.read_bytes()
        try:
            listed = decoded(packed, _Listed)
        except UnreadableJsonError as error:
            raise refused from error
        if listed.version != 1:
            raise refused
        self._sizes, self._newest_ns = listed.sizes, found.st_mtime_ns

    def why_kept(self, final: Path) -> str | None:
        """Return in a sentence why what has the name of a result must not be replaced; None where it may be.

        Parameters
        ----------
        final : Path
            In the folder; with a suffix the result is a file, without one a folder of images.

        Raises
        ------
        OSError
            It is not there or cannot be looked at.
        """
        mode = final.lstat().st_mode
        is_folder = stat.S_ISDIR(mode)
        if stat.S_ISLNK(mode):
            return f"{final} is a symbolic link, so it is not replaced; remove it or choose another folder."
        if is_folder == bool(final.suffix) or not (is_folder or stat.S_ISREG(mode)):
            kind = "folder" if is_folder else "file"
            return f"{final} is a {kind} that no run wrote, so it is not replaced; move it away."
        if is_folder:
            foreign = next((path.name for path in _files(final) if not self._is_ours(path)), None)
            return foreign and (
                f"{final} holds other things too ({foreign} is not as this program wrote it there), so it is not "
                f"replaced; choose another folder, or move {final.name} away."
            )
        if self._is_ours(final):
            return None
        return (
            f"{final} is not as this program wrote it there, so it is not replaced; choose another folder, or move "
            f"{final.name} away."
        )

    def note(self, new: Path, names: Sequence[str]) -> bool:
        """Note that the results in ``new`` are this program's, with the list where it must be; tell whether it is.

        Raises
        ------
        OSError
            The list, which is to go to the results, cannot be written in ``new``.
        """
        results = (path for name in names for path in (_files(new / name) if (new / name).is_dir() else [new / name]))
        unmarked = [path for path in results if not mark(path)]
        if not unmarked:
            return False
        sizes, newest = {}, 0
        for name, size in self._sizes.items():
            if self._is_listed(self._folder / name):
                sizes[name], newest = size, self._newest_ns
        for path in unmarked:
            found = path.stat()
            sizes[path.relative_to(new).as_posix()] = found.st_size
            newest = max(newest, found.st_mtime_ns)
        (new / LIST).write_bytes(msgspec.json.encode(_Listed(1, dict(sorted(sizes.items())))))
        os.utime(new / LIST, ns=(newest, newest))
        return True

    def _is_ours(self, path: Path) -> bool:
        return is_marked(path) or self._is_listed(path)

    def _is_listed(self, path: Path) -> bool:
        size = self._sizes.get(path.relative_to(self._folder).as_posix())
        if size is None:
            return False
        try:
            found = path.lstat()
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode) and found.st_size == size and found.st_mtime_ns <= self._newest_ns


def _files(folder: Path) -> Iterator[Path]:
    """Yield what lies in a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            yield Path(entry.path)
