"""A folder to which a camera adds files: images or short films, read one after another as they come."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from pathlib import Path

from core.errors import CancelledError, CleanplateError
from core.frames.frame import Frame, Layout
from core.io.input_spec import frames_folder, title_of
from core.io.sources.arrivals import Arrivals
from core.io.sources.base import BaseSource, Source, SourceInfo
from core.io.sources.completeness import is_whole_film, is_whole_image
from core.io.sources.folder_clock import FolderClock
from core.io.sources.images import ImageSource
from core.io.sources.left_out import LeftOut
from core.io.sources.reading import IMAGE_SUFFIXES, LastPicture
from core.io.sources.unusable import TooLargeError, UnusableError
from core.io.sources.video import VideoSource

WATCHED = 16
"""So many of the films that were read last are looked at again: who still writes, writes to one of them."""


class FollowedFolder(BaseSource):
    """The frames of all files in a folder, and of those that are added, in natural order of their names.

    The first file that can be read decides whether images or films are, and on their layout; what is of another is left
    out with a warning, and so is what is damaged, or taken away before its turn. A file is read when it is whole, and a
    film that has grown since is told of. One that comes late, with a name before those that were read, is read when it
    comes; what waits behind one that is cut short has a note meanwhile, and at the end. Films follow each other in time
    as if they were one.

    Parameters
    ----------
    folder : Path
        Where it holds ``input/``, that is followed in its place.
    film_suffixes : tuple of str
    idle_min : float
        Minutes without a new file after which the frames end; infinite: never.
    given_up : callable
        Asked while the first file is waited for.

    Raises
    ------
    CleanplateError
        No file that can be read came in time, or the first is too large.
    CancelledError
        ``given_up`` returned True.
    """

    def __init__(
        self, folder: Path, film_suffixes: tuple[str, ...], idle_min: float, given_up: Callable[[], bool]
    ) -> None:
        super().__init__()
        self._folder, self._film_suffixes, self._idle_s = frames_folder(folder), film_suffixes, 60 * idle_min
        self._closed = threading.Event()
        self._clock = FolderClock()
        self._pictures = LastPicture()
        first = self._first_info(given_up)
        self._is_film = first.title.lower().endswith(film_suffixes)
        self._info = replace(first, title=title_of(str(folder.absolute())), n_frames=None, live=True, may_pause=True)

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate the frames of all files from the first on; ``first`` only numbers them.

        Raises
        ------
        LostInputError
            A file cannot be had, though it is there: its drive fails, or the memory is full.
        """
        suffixes = self._film_suffixes if self._is_film else IMAGE_SUFFIXES
        left_out = LeftOut(self._notes)
        arrivals = Arrivals(self._folder, suffixes, self._is_whole, left_out, self._clock)
        index, begins_s = first, 0.0
        step_s = 1 / (self._info.frames_per_s or 1.0)
        films: deque[tuple[Path, int]] = deque(maxlen=WATCHED)
        try:
            while (path := arrivals.next(self._closed.is_set, self._idle_s)) is not None:
                self._note_growth(films)
                ends_s = begins_s
                for frame in self._frames_of(path, left_out, films):
                    ends_s = begins_s + frame.time_s + step_s
                    name = frame.name if self._is_film else path.name
                    yield replace(frame, index=index, time_s=begins_s + frame.time_s, name=name)
                    index += 1
                begins_s = ends_s
        finally:
            self._note_growth(films)

    def close(self) -> None:
        """End the waiting; iterators end."""
        self._closed.set()

    def _first_info(self, given_up: Callable[[], bool]) -> SourceInfo:
        """Return what is known of the first file that can be read."""
        left_out = LeftOut(self._notes)
        suffixes = (*IMAGE_SUFFIXES, *self._film_suffixes)
        arrivals = Arrivals(self._folder, suffixes, self._is_whole, left_out, self._clock)
        while (path := arrivals.next(given_up, self._idle_s)) is not None:
            try:
                with contextlib.closing(self._open(path)) as source:
                    return source.info
            except TooLargeError:
                raise
            except UnusableError as error:
                left_out.add("unusable", path.name, error.reason)
        if given_up():
            raise CancelledError(" ".join([f"Waiting for a file in {self._folder} was cancelled.", *self.warnings]))
        if self.warnings:
            said = f"No file that can be read came to {self._folder}; check what writes there."
            raise CleanplateError(" ".join([said, *self.warnings]))
        raise CleanplateError(f"No image or film came to {self._folder} in time; check the camera, or wait for longer.")

    def _frames_of(self, path: Path, left_out: LeftOut, films: deque[tuple[Path, int]]) -> Iterator[Frame]:
        """Yield the frames of a file; a film is added to those that were read, with its size before that."""
        try:
            with contextlib.closing(self._open(path)) as source:
                if what := _difference(source.info.layout, self._info.layout):
                    left_out.add("layout", path.name, f"differs from the first in {what}")
                    return
                if self._is_film and source.info.n_bytes:
                    films.append((path, source.info.n_bytes))
                yield from source.frames()
                if source.warnings:
                    self._notes.say_once("within", f"Of {path.name}, and perhaps others: {source.warnings[0]}")
        except UnusableError as error:
            left_out.add("unusable", path.name, error.reason)
        finally:
            self._pictures.forget()

    def _note_growth(self, films: deque[tuple[Path, int]]) -> None:
        """Say where a film was still written when it was read: nothing else tells that it is not all there."""
        for path, n_bytes in films:
            with contextlib.suppress(OSError):
                if path.stat().st_size > n_bytes:
                    self._notes.say_once(
                        "grown",
                        f"{path.name}, and perhaps others, grew after reading began: frames at its end may be missing.",
                    )

    def _open(self, path: Path) -> Source:
        if path.name.lower().endswith(self._film_suffixes):
            return VideoSource(path)
        return ImageSource(path.name, path.parent, [path.name], None, self._pictures)

    def _is_whole(self, path: Path, still_s: float) -> bool:
        if path.name.lower().endswith(self._film_suffixes):
            return is_whole_film(path, still_s)
        return is_whole_image(path, self._pictures)


def _difference(one: Layout, other: Layout) -> str:
    """Return what frames of two layouts differ in; empty where they do not."""
    if (one.width, one.height) != (other.width, other.height):
        return "size"
    if one.bit_depth != other.bit_depth:
        return "bit depth"
    return "" if one == other else "colour"
