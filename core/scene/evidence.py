"""What several frames have to show before it counts: one frame alone may mislead."""

from __future__ import annotations

CONFIRM, FADE = 3, 0.05
"""Something is sure after ``CONFIRM`` frames that show it; each that does not subtracts the share ``FADE``."""

RESTS = 50
"""After so many frames in a row that do not, it rests."""


class Evidence:
    """Whether something has been seen in several frames, and is seen still."""

    def __init__(self) -> None:
        self._weight = 0.0
        self._n_without = 0

    @property
    def is_there(self) -> bool:
        """Some frame has shown it, and not too many others have not since."""
        return self._weight > 0

    @property
    def is_sure(self) -> bool:
        """Enough frames have shown it, once and for all."""
        return self._weight >= CONFIRM

    @property
    def is_active(self) -> bool:
        """It is sure, and one of the last frames has shown it."""
        return self.is_sure and self._n_without < RESTS

    def take(self, *, seen: bool, belief: float) -> None:
        """Take note of a frame that shows it or not; if so, it counts by how far it is to be believed."""
        self._n_without = 0 if seen else self._n_without + 1
        if not self.is_sure:
            self._weight = self._weight + belief if seen else max(self._weight - FADE, 0)
