"""A file or folder that may be deleted while it is open: what has gone is said to be gone, not to be damaged."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator
from pathlib import Path

from core.errors import CleanplateError
from core.frames.frame import Frame
from core.io.sources.base import Source, Wrapping


class Watched(Wrapping):
    """A source that knows the file or folder that it reads.

    Parameters
    ----------
    inner : Source
        It could be read when it was opened.
    path : Path
    """

    def __init__(self, inner: Source, path: Path) -> None:
        super().__init__(inner)
        self._path = path.absolute()

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate the frames of the inner source from ``first`` on.

        Raises
        ------
        CleanplateError
            The file or folder has gone, or its images have; and whatever the inner source raises.
        """
        is_empty = True
        try:
            with contextlib.closing(self._inner.frames(first)) as frames:
                for frame in frames:
                    is_empty = False
                    yield frame
        except CleanplateError as error:
            if os.path.exists(self._path):
                raise
            raise CleanplateError(self._gone) from error
        if is_empty and not os.path.exists(self._path):
            raise CleanplateError(self._gone)
        if is_empty and first == 0:
            raise CleanplateError(
                f"Nothing in {self._inner.info.title} can be read any more: its files were moved, deleted or damaged "
                f"since it was opened; put them back, or open another input."
            )

    @property
    def _gone(self) -> str:
        return (
            f"{self._inner.info.title} is gone: it was moved or deleted since it was opened; put it back, or open "
            f"another input."
        )
