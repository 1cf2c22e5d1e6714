"""A folder to which a camera adds files: images or short films, read one after another as they come."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path

from core.errors import CancelledError, CleanplateError
from core.frames.frame import Frame
from core.io.sources.arrivals import Arrivals, is_whole_film, is_whole_image
from core.io.sources.base import BaseSource, Source
from core.io.sources.images import ImageSource
from core.io.sources.left_out import LeftOut
from core.io.sources.reading import IMAGE_SUFFIXES
from core.io.sources.unusable import UnusableError
from core.io.sources.video import VideoSource


class FollowedFolder(BaseSource):
    """The frames of all files in a folder, and of those that are added, in natural order of their names.

    The first file decides whether images or films are read, and on their layout; what is of another is left out with a
    warning, and so is what is damaged, or taken away before its turn. A file is read when it is whole. One that comes
    late, with a name before those that were read, is read when it comes; what waits behind one that is cut short has a
    note meanwhile, and at the end. Films follow each other in time as if they were one.

    Parameters
    ----------
    folder : Path
    film_suffixes : tuple of str
    idle_min : float
        Minutes without a new file after which the frames end; infinite: never.
    given_up : callable
        Asked while the first file is waited for.

    Raises
    ------
    CleanplateError
        No file came in time, or the first cannot be read.
    CancelledError
        ``given_up`` returned True.
    """

    def __init__(
        self, folder: Path, film_suffixes: tuple[str, ...], idle_min: float, given_up: Callable[[], bool]
    ) -> None:
        super().__init__()
        self._folder, self._film_suffixes, self._idle_s = folder, film_suffixes, 60 * idle_min
        self._closed = threading.Event()
        suffixes = (*IMAGE_SUFFIXES, *film_suffixes)
        first = Arrivals(folder, suffixes, self._is_whole, LeftOut(self._notes)).next(given_up, self._idle_s)
        if first is None and given_up():
            raise CancelledError(f"Waiting for a file in {folder} was cancelled.")
        if first is None:
            raise CleanplateError(f"No image or film came to {folder} in time; check the camera, or wait for longer.")
        self._is_film = first.name.lower().endswith(film_suffixes)
        with contextlib.closing(self._open(first)) as source:
            self._info = replace(source.info, title=folder.absolute().name, n_frames=None, live=True, may_pause=True)

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate the frames of all files from the first on; ``first`` only numbers them.

        Raises
        ------
        LostInputError
            A file cannot be had, though it is there: its drive fails, or the memory is full.
        """
        suffixes = self._film_suffixes if self._is_film else IMAGE_SUFFIXES
        left_out = LeftOut(self._notes)
        arrivals = Arrivals(self._folder, suffixes, self._is_whole, left_out)
        index, begins_s = first, 0.0
        step_s = 1 / self._info.fps if self._info.fps else 1.0
        while (path := arrivals.next(self._closed.is_set, self._idle_s)) is not None:
            ends_s = begins_s
            for frame in self._frames_of(path, left_out):
                ends_s = begins_s + frame.time_s + step_s
                name = frame.name if self._is_film else path.name
                yield replace(frame, index=index, time_s=begins_s + frame.time_s, name=name)
                index += 1
            begins_s = ends_s

    def close(self) -> None:
        """End the waiting; iterators end."""
        self._closed.set()

    def _frames_of(self, path: Path, left_out: LeftOut) -> Iterator[Frame]:
        try:
            with contextlib.closing(self._open(path)) as source:
                if source.info.layout != self._info.layout:
                    left_out.add("layout", path.name, "differs from the first in size or colour")
                    return
                yield from source.frames()
                if source.warnings:
                    self._notes.say_once("within", f"Of {path.name}, and perhaps others: {source.warnings[0]}")
        except UnusableError as error:
            left_out.add("unusable", path.name, error.reason)

    def _open(self, path: Path) -> Source:
        if path.name.lower().endswith(self._film_suffixes):
            return VideoSource(path)
        return ImageSource(path.name, path.parent, [path.name], None)

    def _is_whole(self, path: Path) -> bool:
        return is_whole_film(path) if path.name.lower().endswith(self._film_suffixes) else is_whole_image(path)
