"""What becomes of results where the disk gets full: those of an input that cannot be read again are completed."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from core.errors import FullError
from core.export.products import possible_places
from core.io.publishing.publication import Publication
from core.io.publishing.removal import remove
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
    lost : list of Path
        Final names of results that could not be completed.
    """

    def __init__(self, results: Publication, form: str, *, live: bool) -> None:
        self._results, self._form = results, form
        self._room = SpareRoom(results.new) if live else None
        self.is_full = False
        self._incomplete: set[str] = set()
        self.lost: list[Path] = []

    def look(self) -> None:
        """Look whether there is room left."""
        self.is_full = self.is_full or (self._room is not None and self._room.is_short)

    @contextlib.contextmanager
    def completed(self, *products: str) -> Iterator[None]:
        """Take note where what is written here finds no more room, and remove what there is of the products."""
        try:
            yield
        except FullError:
            if self._room is None:
                raise
            self.is_full = True
            self._room.give_back()
            self._incomplete.update(products)
            for product in products:
                for path in possible_places(product, self._results.new, self._form):
                    remove(path)

    def has_lost(self, products: Collection[str]) -> bool:
        """Tell whether one of some products could not be completed."""
        return not self._incomplete.isdisjoint(products)

    def lost_of(self, finals: Sequence[Path]) -> list[Path]:
        """Return which of some results there are not, the same as `lost` from now on.

        Raises
        ------
        FullError
            There is none.
        """
        self.lost = [final for final in finals if not (self._results.new / final.name).exists()]
        if len(self.lost) == len(finals):
            raise FullError(NOTHING_FITS)
        return self.lost
