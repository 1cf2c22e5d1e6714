"""The files of a folder that are left out: counted in notes, each of which names the first and why."""

from __future__ import annotations

from collections import Counter

from core.io.sources.notes import Notes, of_the_first


class LeftOut:
    """Counts files by the kind of reason for which they are left out.

    Parameters
    ----------
    notes : Notes
        Gets a sentence for each kind, anew with each file.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._first: dict[str, tuple[str, str]] = {}
        self._count = Counter[str]()

    def add(self, kind: str, name: str, reason: str) -> None:
        """Count a file, whose ``name`` and ``reason`` make a sentence."""
        first = self._first.setdefault(kind, (name, reason))
        self._count[kind] += 1
        self._notes.say(kind, of_the_first(self._count[kind], "file", "left out", *first))

    def hold(self, name: str, n_behind: int) -> None:
        """Say that a file is not complete, and how many wait for it, until `go_on`: the input may end there."""
        behind = {0: "", 1: ", and 1 file behind it, which waits for it"}.get(
            n_behind, f", and {n_behind} files behind it, which wait for it"
        )
        self._notes.say("held", f"Not read: {name}, which is not complete{behind}.")

    def go_on(self) -> None:
        """Say no longer that a file is waited for."""
        self._notes.forget("held")
