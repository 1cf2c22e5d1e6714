"""Where frames are read from: a source, decoded ahead, from wherever someone wants to go on."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Generator, Iterable
from itertools import islice

from core.frames.frame import Frame
from core.io.sources.base import Source
from core.session.prefetch import SLOTS, prefetch

LARGE = 1 << 20
"""From so many pixels on fewer frames wait for what comes next: they hold much memory. Here it is one, not `SLOTS`, as
3 MB each at 1080p, and decoding takes a tenth of the time of what follows. Those of cameras wait for nobody."""


class Reader:
    """Reads a source, for one thread.

    Parameters
    ----------
    source : Source
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._slots = 1 if source.info.full.n_pixels >= LARGE and not source.info.live else SLOTS
        self._frames: Generator[Frame, None, None] | None = None

    def start(self, index: int) -> None:
        """Read from frame ``index`` on."""
        self.close()
        limit_s = math.inf if self._source.info.may_pause else None
        self._frames = prefetch(self._source.frames(index), self._slots, limit_s=limit_s)

    def start_in_order(self, order: Iterable[int]) -> None:
        """Read these frames, in this order; those that there are not are left out."""
        self.close()
        self._frames = prefetch(_one_by_one(self._source, order), self._slots)

    def next_frame(self) -> Frame | None:
        """Return the next frame; None at the end.

        Raises
        ------
        StoppedError
            Someone wanted this thread's work to stop while it waited (`core.runtime.stopping`).
        """
        return None if self._frames is None else next(self._frames, None)

    def close(self) -> None:
        """End what decodes ahead. May be called twice."""
        if self._frames is not None:
            self._frames.close()
            self._frames = None


def _one_by_one(source: Source, order: Iterable[int]) -> Generator[Frame, None, None]:
    for index in order:
        with contextlib.closing(source.frames(index)) as coming:
            yield from (frame for frame in islice(coming, 1) if frame.index == index)
