"""Where frames are read from: a source, decoded ahead, from wherever someone wants to go on."""

from __future__ import annotations

from collections.abc import Callable, Generator

from core.frames.frame import Frame
from core.io.sources.base import Source
from core.session.prefetch import prefetch


def never() -> bool:
    """Return False: nobody gives up."""
    return False


class Reader:
    """Reads a source, for one thread.

    Parameters
    ----------
    source : Source

    Attributes
    ----------
    given_up : callable
        Asked while a frame is waited for; True ends the reading.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.given_up: Callable[[], bool] = never
        self._frames: Generator[Frame, None, None] | None = None

    def start(self, index: int) -> None:
        """Read from frame ``index`` on."""
        self.close()
        self._frames = prefetch(self._source.frames(index), given_up=self.given_up)

    def next_frame(self) -> Frame | None:
        """Return the next frame; None at the end."""
        return None if self._frames is None else next(self._frames, None)

    def close(self) -> None:
        """End what decodes ahead. May be called twice."""
        if self._frames is not None:
            self._frames.close()
            self._frames = None
