"""The files of a folder that are left out: counted in notes, each of which names the first and why."""

from __future__ import annotations

from core.io.sources.notes import Notes


class LeftOut:
    """Counts files by the kind of reason for which they are left out.

    Parameters
    ----------
    notes : Notes
        Gets a sentence for each kind, anew with each file.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._first: dict[str, str] = {}
        self._count: dict[str, int] = {}

    def add(self, kind: str, name: str, reason: str) -> None:
        """Count a file, whose ``name`` and ``reason`` make a sentence."""
        first = self._first.setdefault(kind, f"{name}, {reason}")
        count = self._count[kind] = self._count.get(kind, 0) + 1
        what = (
            f"1 file was left out: {name} {reason}"
            if count == 1
            else f"{count} files were left out; the first, {first}"
        )
        self._notes.say(kind, f"{what}.")

    def hold(self, name: str, n_behind: int) -> None:
        """Say that a file is not complete, and how many wait for it, until `go_on`: the input may end there."""
        behind = {0: "", 1: ", and 1 file behind it, which waits for it"}.get(
            n_behind, f", and {n_behind} files behind it, which wait for it"
        )
        self._notes.say("held", f"Not read: {name}, which is not complete{behind}.")

    def go_on(self) -> None:
        """Say no longer that a file is waited for."""
        self._notes.forget("held")
