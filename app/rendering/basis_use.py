"""Which basis images have not been used so far: they show what they began with, and not what was learnt. No Qt here."""

from __future__ import annotations

from collections.abc import Sequence

LEAST_PART = 0.03
"""Part of an equal share of the frame that an image has to make once to count as used; below, nobody sees it."""


class BasisUse:
    """Remembers the largest share of a frame that each basis image of a run has made."""

    def __init__(self) -> None:
        self._largest: list[float] = []

    def unused(self, shares: Sequence[float | None]) -> list[bool]:
        """Take note of the shares of a frame, 0 to 1 (None: not known); return which images were never used."""
        if len(shares) != len(self._largest):
            self._largest = [0.0] * len(shares)  # One was dropped or added: the numbers are of others now.
        self._largest = [max(known, share or 0.0) for known, share in zip(self._largest, shares, strict=True)]
        known = any(share is not None for share in shares)
        return [known and largest < LEAST_PART / len(shares) for largest in self._largest]
