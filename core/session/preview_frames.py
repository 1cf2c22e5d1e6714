"""The frames of a batch method's set that can be shown while it iterates."""

from __future__ import annotations

from core.frames.decimated_history import DecimatedHistory
from core.frames.frame import Frame

MOST_FRAMES, MOST_BYTES = 16, 64 << 20
"""Kept at most, with their originals."""


class PreviewFrames:
    """Keeps a few of the frames that are gathered, each of which is in the set too.

    Parameters
    ----------
    capacity : int
        Of the set.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._kept: DecimatedHistory[Frame] | None = None

    def offer(self, frame: Frame) -> None:
        """Take note of the next frame that is gathered."""
        if self._kept is None:
            most = max(1, MOST_BYTES // (frame.layout.n_bytes + frame.full.layout.n_bytes))
            self._kept = DecimatedHistory(min(MOST_FRAMES, most, self._capacity))
        self._kept.offer(frame)

    def near(self, index: int | None) -> tuple[int, Frame] | None:
        """Return the frame nearest to a place in the source, None: in the middle; before it, when it was gathered.

        That number counts from 0, as `core.methods.base.BatchMethod.numbers`. None where no frame was gathered.
        """
        if self._kept is None:
            return None
        kept = list(zip(self._kept.numbers, self._kept.items, strict=True))
        return kept[len(kept) // 2] if index is None else min(kept, key=lambda pair: abs(pair[1].index - index))
