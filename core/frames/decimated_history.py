"""What to keep of a stream of any length: so many items at most, evenly spread over all that came."""

from __future__ import annotations

from typing import Generic, TypeVar

Item = TypeVar("Item")


class Thinned(Generic[Item]):
    """Keeps items evenly spread over the past; when full, every other one goes and the spacing doubles.

    Of two that are offered the same stream, the one with fewer items keeps none that the other does not.

    Parameters
    ----------
    capacity : int
        Items kept at most, at least 1.

    Attributes
    ----------
    capacity : int
    items : list
        What is kept, in the order of the stream.
    """

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._spacing, self._n_offered = 1, 0
        self.items: list[Item] = []

    @property
    def is_full(self) -> bool:
        """True when the next item that is kept drives others out."""
        return len(self.items) == self.capacity

    @property
    def numbers(self) -> list[int]:
        """Places in the stream, from 0, of the items kept."""
        return [i * self._spacing for i in range(len(self.items))]

    def offer(self, item: Item) -> None:
        """Take note of the next item."""
        number = self._n_offered
        self._n_offered += 1
        while number % self._spacing == 0:
            if not self.is_full:
                self.items.append(item)
                return
            self.items = self.items[::2]
            self._spacing *= 2
