"""A part of the frames of another source."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from dataclasses import replace

from core.errors import CleanplateError
from core.frames.frame import Frame
from core.io.input_spec import check_frames, count_frames
from core.io.sources.base import Source, SourceInfo, Wrapping


class Ranged(Wrapping):
    """Frames ``first`` to ``last`` of a source, counted from 1, both included; index and time start anew at 0.

    Parameters
    ----------
    inner : Source
    first, last : int or None
        None: from the start, to the end.
    """

    def __init__(self, inner: Source, first: int | None, last: int | None) -> None:
        super().__init__(inner)
        check_frames(first, last)
        start = 1 if first is None else first
        self._start = start - 1
        self._stop = last
        self._start_s: float | None = 0.0 if start == 1 else None

    def _info_of(self, inner: SourceInfo) -> SourceInfo:
        n_frames = count_frames((self._start + 1, self._stop), inner.n_frames)
        return replace(inner, n_frames=n_frames, n_before=inner.n_before + self._start)

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate from frame ``first`` of the range on."""
        live = self._inner.info.live
        if first > 0 and self._start_s is None and not live:
            with contextlib.closing(self._walk(0)) as walk:
                self._start_s = next((frame.time_s for frame in walk), None)
        yielded = False
        with contextlib.closing(self._walk(0 if live else first)) as walk:
            for frame in walk:
                if self._start_s is None:
                    self._start_s = frame.time_s
                yielded = True
                yield replace(
                    frame, index=frame.index - self._start, time_s=frame.time_s - self._start_s,
                    before_s=frame.before_s + self._start_s,
                )  # fmt: skip
        if not yielded and first == 0:
            raise CleanplateError(
                f"{self._inner.info.title} has no frame {self._start + 1}; choose a range that starts earlier."
            )

    def _walk(self, first: int) -> Generator[Frame, None, None]:
        """Yield frames of the range as the inner source gives them."""
        start = 0 if self._inner.info.live else self._start + first
        with contextlib.closing(self._inner.frames(start)) as inner:
            for frame in inner:
                if self._stop is not None and frame.index >= self._stop:
                    return
                if frame.index >= self._start:
                    yield frame
                if self._stop is not None and frame.index == self._stop - 1:
                    return
