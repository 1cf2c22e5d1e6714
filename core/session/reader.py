"""Where frames are read from: a source, decoded ahead, from wherever someone wants to go on."""

from __future__ import annotations

import threading
from collections.abc import Generator

from core.frames.frame import Frame
from core.io.sources.base import Source
from core.session.prefetch import prefetch


class Reader:
    """Reads a source. `seek` may be called from any thread, all else by the one that reads.

    Parameters
    ----------
    source : Source
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = threading.Lock()
        self._sought: int | None = None
        self._frames: Generator[Frame, None, None] | None = None

    def seek(self, index: int) -> None:
        """Go on from frame ``index`` with the next frame."""
        with self._lock:
            self._sought = max(0, index)

    def taken_seek(self) -> int | None:
        """Return where someone wants to go on, once; None where nobody has said since."""
        with self._lock:
            index, self._sought = self._sought, None
        return index

    def start(self, index: int) -> None:
        """Read from frame ``index`` on."""
        self.close()
        self._frames = prefetch(self._source.frames(index))

    def next_frame(self) -> Frame | None:
        """Return the next frame, from where someone wants to go on; None at the end."""
        index = self.taken_seek()
        if index is not None:
            self.start(index)
        return None if self._frames is None else next(self._frames, None)

    def close(self) -> None:
        """End what decodes ahead. May be called twice."""
        if self._frames is not None:
            self._frames.close()
            self._frames = None
