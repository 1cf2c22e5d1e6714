"""What to keep of a stream of any length: so many items at most, evenly spread over all that came."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Decimation:
    """Tells which items of a stream to keep: when all places are taken, every other goes and the spacing doubles.

    Parameters
    ----------
    capacity : int
        Places, at least 1.
    spacing, n_offered, n_kept : int
        To go on from: one item in so many is kept, so many came, and so many are kept.
    """

    def __init__(self, capacity: int, spacing: int = 1, n_offered: int = 0, n_kept: int = 0) -> None:
        self.capacity, self.spacing, self.n_offered, self.n_kept = capacity, spacing, n_offered, n_kept

    def offer(self) -> tuple[bool, bool]:
        """Count the next item; return whether every other one that is kept goes first, and whether this one is kept."""
        number, halves = self.n_offered, False
        self.n_offered += 1
        while number % self.spacing == 0:
            if self.n_kept < self.capacity:
                self.n_kept += 1
                return halves, True
            halves = True
            self.n_kept = (self.n_kept + 1) // 2
            self.spacing *= 2
        return halves, False


class DecimatedHistory(Generic[Item]):
    """Keeps items evenly spread over the past; when full, every other one goes and the spacing doubles.

    Where two are offered the same stream, the one with fewer items keeps none that the other does not.

    Parameters
    ----------
    capacity : int
        Items kept at most, at least 1.
    items : sequence, optional
        Kept to begin with; no more is offered then.

    Attributes
    ----------
    capacity : int
    """

    def __init__(self, capacity: int, items: Sequence[Item] = ()) -> None:
        self.capacity = capacity
        self._places = Decimation(capacity)
        self._items = list(items)

    @property
    def items(self) -> Sequence[Item]:
        """What is kept, in the order of the stream."""
        return self._items

    @property
    def is_full(self) -> bool:
        """True when the next item that is kept drives others out."""
        return len(self._items) == self.capacity

    @property
    def numbers(self) -> list[int]:
        """Places in the stream, from 0, of the items kept."""
        return [i * self._places.spacing for i in range(len(self._items))]

    def offer(self, item: Item) -> None:
        """Take note of the next item."""
        self.offer_made(lambda: item)

    def offer_made(self, make: Callable[[], Item]) -> None:
        """Take note of the next item, which is made only if it is kept, when others have gone."""
        halves, keeps = self._places.offer()
        if halves:
            self._items = self._items[::2]
        if keeps:
            self._items.append(make())

    def put(self, place: int, item: Item) -> None:
        """Keep an item instead of that which is kept in a place, from 0."""
        self._items[place] = item

    def forget_last(self, n_offered: int) -> None:
        """Forget so many items that were offered last. No more is offered."""
        n = max(self._places.n_offered - n_offered, 0)
        del self._items[-(-n // self._places.spacing) :]
