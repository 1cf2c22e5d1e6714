"""The folder of a run's results and the transaction in it, from the first file to the last name."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from core.errors import RefusedError
from core.io.publishing.durable import sync_folder
from core.io.publishing.refusals import writing
from core.io.publishing.transaction import Transaction


class Publication:
    """Makes the folder where it is missing; `publish` what was written, or `give_up`.

    Parameters
    ----------
    folder : Path
    finals : sequence of Path
        What the results may be called, in that folder.
    overwrite : bool
        Replace results of earlier runs.
    hold_signals : callable, optional
        Called with True before results get their names or what was written is removed, and with False after the
        latter.

    Raises
    ------
    CleanplateError
        The folder cannot be made or written.
    """

    def __init__(
        self,
        folder: Path,
        finals: Sequence[Path],
        *,
        overwrite: bool,
        hold_signals: Callable[[bool], None] | None = None,
    ) -> None:
        self._hold = hold_signals or _hold_nothing
        self._made = _make(folder)
        try:
            self._transaction = Transaction(folder, finals, overwrite=overwrite)
        except BaseException:
            self._remove_made()
            raise

    @property
    def new(self) -> Path:
        """Where to write the results, each under its own name."""
        return self._transaction.new

    def publish(
        self,
        begin: Callable[[], object] | None = None,
        unused: Collection[Path] = (),
        kept: Collection[Path] = (),
    ) -> None:
        """Give all results their names, or none; ``begin`` is called just before: the last moment to raise.

        Parameters
        ----------
        begin : callable, optional
        unused, kept : collection of Path
            As `Transaction.publish` takes them.
        """
        self._transaction.publish(lambda: self._begin(begin), unused, kept)
        for folder in self._made:
            sync_folder(folder.parent)

    def give_up(self) -> None:
        """Remove what was written; what was there before is untouched."""
        self._hold(True)
        self._transaction.end()
        self._remove_made()
        self._hold(False)

    def _begin(self, begin: Callable[[], object] | None) -> None:
        self._hold(True)
        if begin:
            begin()

    def _remove_made(self) -> None:
        for folder in self._made:
            with contextlib.suppress(OSError):  # It stays where it holds anything.
                folder.rmdir()


def _hold_nothing(_: bool) -> None:
    """Where no signal comes."""


def _make(folder: Path) -> list[Path]:
    """Make a folder and its parents; return those that were not there, innermost first."""
    missing = []
    step = folder
    while not os.path.exists(step):
        missing.append(step)
        step = step.parent
    if not step.is_dir():
        raise RefusedError(f"{step} is a file, so results cannot be written below it; choose a folder.")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    return missing
