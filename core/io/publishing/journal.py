"""The note of which results are about to get their names: what it takes to undo that, after whatever end."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import msgspec

from core.errors import CleanplateError
from core.io.publishing.durable import sync_file, sync_folder
from core.untrusted_json import UnreadableJsonError, decoded

JOURNAL = "journal.json"
UNFINISHED = "journal.new"

Stamp = tuple[bool, int, int]
"""Is it a directory; its time of change, ns; of a file, its bytes. The same before and after a change of its name."""


def stamp(path: Path) -> Stamp | None:
    """Return what tells one file or folder from another of the same name; None where there is none."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    is_folder = stat.S_ISDIR(found.st_mode)
    return is_folder, found.st_mtime_ns, 0 if is_folder else found.st_size


def refuse_if_changed(final: Path, expected: Stamp | None) -> None:
    """Raise a `CleanplateError` where a name has not what it had, or nothing, when the run began."""
    if stamp(final) != expected:
        what = "came to be" if expected is None else "was changed"
        raise CleanplateError(
            f"{final} could not be written: it {what} during the run, and is not replaced; use another folder."
        )


class Journal:
    """Lies in the hidden folder of a run while its results get their names.

    A result goes from ``new/`` in that folder to its name, after what had that name went to ``old/``. While there is a
    journal, all of that can be undone; without one nothing has to be.

    Parameters
    ----------
    run : Path
        The hidden folder, which lies in that of the results.
    """

    def __init__(self, run: Path) -> None:
        self._run, self._folder = run, run.parent
        self._new, self._old = run / "new", run / "old"

    @property
    def exists(self) -> bool:
        """True where results were getting their names."""
        return os.path.lexists(self._run / JOURNAL)

    def write(self, names: Mapping[str, Stamp | None]) -> None:
        """Note on the disk that these results of ``new/`` get their names from now on, and what has them now.

        Raises OSError.
        """
        stamps = {name: (stamp(self._new / name), before) for name, before in names.items()}
        unfinished = self._run / UNFINISHED
        unfinished.write_bytes(msgspec.json.encode(stamps))
        sync_file(unfinished)
        unfinished.rename(self._run / JOURNAL)
        sync_folder(self._run)

    def place(self, name: str, expected: Stamp | None) -> None:
        """Give a result its name; what has it goes to ``old/``.

        Parameters
        ----------
        name : str
        expected : Stamp or None
            What has the name now.

        Raises
        ------
        CleanplateError
            Something else has it.
        OSError
        """
        self.take_away(name, expected)
        (self._new / name).rename(self._folder / name)

    def take_away(self, name: str, expected: Stamp | None) -> None:
        """Let what has a name go to ``old/``: see `place`."""
        final = self._folder / name
        refuse_if_changed(final, expected)
        if expected is not None:
            final.rename(self._old / name)

    def complete(self) -> None:
        """Remove the journal: from here on nothing is undone, and what was replaced may go. Raises OSError."""
        sync_folder(self._folder)
        (self._run / JOURNAL).unlink()
        sync_folder(self._run)

    def undo(self) -> None:
        """Give everything that was moved its place back; where this ends too early, it can be done again.

        Raises
        ------
        CleanplateError
            Someone has put something else under one of the names; nothing is moved.
        OSError
            The system refuses; what was moved can still be undone.
        """
        moved = [name for name, stamps in self._read().items() if self._is_moved(name, *stamps)]
        for name in moved:
            final, new, old = self._folder / name, self._new / name, self._old / name
            if not os.path.lexists(new) and os.path.lexists(final):
                final.rename(new)
            if os.path.lexists(old):
                old.rename(final)
        self.complete()

    def _is_moved(self, name: str, written: Stamp | None, before: Stamp | None) -> bool:
        """Tell whether a result, or what had its name, was moved; a `CleanplateError` where that cannot be undone."""
        final, found = self._folder / name, stamp(self._folder / name)
        is_old_away, is_new_here = os.path.lexists(self._old / name), os.path.lexists(self._new / name)
        if not is_old_away and (is_new_here or found == before):
            return False
        if found is not None and (is_new_here or found != written):
            raise CleanplateError(
                f"A run was killed while its results got their names, and {final} was changed since; move it away, "
                f"and what was there before comes back."
            )
        return True

    def _read(self) -> dict[str, tuple[Stamp | None, Stamp | None]]:
        """Return of each result what it is as it was written, and what had its name before."""
        path = self._run / JOURNAL
        try:
            read = decoded(path.read_bytes(), dict[str, tuple[Stamp | None, Stamp | None]])
        except UnreadableJsonError as error:
            raise CleanplateError(f"{path} is damaged; take your results out of {self._run} and remove it.") from error
        if any(name in {"", ".", ".."} or "/" in name or "\\" in name for name in read):
            raise CleanplateError(f"{path} was not written by this program; remove {self._run}.")
        return read
