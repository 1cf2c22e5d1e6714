"""What becomes of results where the disk gets full: those of an input that cannot be read again are completed."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import FullError
from core.export.products import places
from core.io.publishing.publication import Publication
from core.io.publishing.spare_room import SpareRoom

NOTHING_FITS = "The disk is full, and nothing could be written; free some space or choose another folder."


class FullDisk:
    """Watches the room that results of a run have.

    Parameters
    ----------
    results : Publication
    form : str
        Key of `core.export.products.FORMATS`.
    live : bool
        The input cannot be read again; of others all results are given up, and errors are raised as they come.

    Attributes
    ----------
    is_full : bool
        There is no more room: nothing more is to be written of a live input, and what there is to be completed.
    lost : list of str
        Names of results that could not be completed.
    """

    def __init__(self, results: Publication, form: str, *, live: bool) -> None:
        self._results, self._form = results, form
        self._room = SpareRoom(results.new) if live else None
        self.is_full = False
        self._incomplete: set[str] = set()
        self.lost: list[str] = []

    def look(self) -> None:
        """Look whether there is room left."""
        self.is_full = self.is_full or (self._room is not None and self._room.is_short)

    @contextlib.contextmanager
    def completed(self, product: str | None = None) -> Iterator[None]:
        """Take note where what is written here finds no more room, and remove what there is of the product."""
        try:
            yield
        except FullError:
            if self._room is None:
                raise
            self.is_full = True
            self._room.give_back()
            if product is not None:
                self._lose(product)

    def there_are(self, finals: Sequence[Path]) -> list[Path]:
        """Return which results there are; only they are published.

        Raises
        ------
        FullError
            There is none.
        """
        new, gone = self._results.new, self._incomplete
        there = [final for final in finals if final.name not in gone and (new / final.name).exists()]
        self.lost = [final.name for final in finals if final not in there]
        if not there:
            raise FullError(NOTHING_FITS)
        for final in finals:
            if final not in there:
                self._results.leave_out(final)
        return there

    def _lose(self, product: str) -> None:
        for path in places(product, self._results.new, self._form):
            self._incomplete.add(path.name)
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
