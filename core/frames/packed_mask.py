"""Marked pixels of a picture in an eighth of the memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class PackedMask:
    """Marked pixels (H, W), eight to a byte.

    Attributes
    ----------
    bits : (H, W / 8) uint8
        Never written to.
    width : int
        W, pixels.
    """

    bits: NDArray[np.uint8]
    width: int

    @staticmethod
    def of(marked: NDArray[np.bool_]) -> PackedMask:
        """Return marked pixels (H, W), packed."""
        return PackedMask(np.packbits(marked, axis=1), marked.shape[1])

    def __or__(self, other: PackedMask) -> PackedMask:
        """Return what is marked here or in another mask of the size."""
        return PackedMask(self.bits | other.bits, self.width)

    def replaced(self, other: PackedMask, where: PackedMask) -> PackedMask:
        """Return this mask, but ``other`` at the pixels that ``where`` marks; all of one size."""
        return PackedMask((self.bits & ~where.bits) | (other.bits & where.bits), self.width)

    def rows(self, which: slice | NDArray[np.intp] = slice(None)) -> NDArray[np.uint8]:
        """Return some rows (n, W), all unless they are named: 1 where a pixel is marked, else 0."""
        return np.unpackbits(self.bits[which], axis=1, count=self.width)
