"""Animated WebP files, which libav does not decode; animated PNG and GIF files are read as videos."""

from __future__ import annotations

import contextlib
import io
import statistics
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from core.frames.frame import Frame, frame_from_image
from core.io.colour_profile import profile_in
from core.io.sources import failing, headers, room
from core.io.sources.base import BaseSource, SourceInfo
from core.io.sources.reading import UnreachableError, Unreadable, read_file
from core.io.sources.unusable import TooLargeError, UnusableError
from core.runtime import signs_of_life, stopping

USUAL_MS = 100
"""How long a picture is shown that is said to be shown for no time, as browsers have it."""

LEAST_FPS = 1e-3
"""A picture that is shown for hours makes no film: it has a rate of this, as the slowest films have, and its times."""

_HEAD = 12
_PICTURE, _DURATION, _DURATION_BYTES = b"ANMF", 20, 3
"""A chunk of a picture, and where in it lies how long it is shown, ms."""

_BROKEN = (OSError, ValueError, EOFError, SyntaxError, RuntimeError)
"""What Pillow raises on damaged files."""


@dataclass(frozen=True)
class _Animation:
    """The bytes of a file, up to its last whole picture, and how long each is shown."""

    data: bytes
    durations_ms: list[int]
    is_cut: bool


def _parsed(data: bytes) -> _Animation:
    """Return what a file holds: decoders refuse those that were cut off."""
    durations, place, end = [], _HEAD, _HEAD
    while place + 8 <= len(data):
        length = int.from_bytes(data[place + 4 : place + 8], "little")
        if place + 8 + length > len(data):
            break
        if data[place : place + 4] == _PICTURE:
            start = place + _DURATION
            durations.append(int.from_bytes(data[start : start + _DURATION_BYTES], "little"))
        place += 8 + length + length % 2
        end = min(place, len(data))
    is_cut = 8 + int.from_bytes(data[4:8], "little") > len(data)
    whole = data[:4] + (end - 8).to_bytes(4, "little") + data[8:end] if is_cut else data
    return _Animation(whole, [ms or USUAL_MS for ms in durations], is_cut)


class AnimationSource(BaseSource):
    """An animated WebP file: each of its pictures as it is to be seen, at its own time, without alpha.

    A damaged picture ends it with a note; a drive that fails, or too little memory, is an error.

    Raises
    ------
    CleanplateError
        The file cannot be read, or its first picture cannot.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        found = self._read()
        size = headers.size_of(found.data)
        if size and (reason := room.too_large(*size, len(found.data))):
            raise TooLargeError.of(path.name, reason, "try another file")
        try:
            with _opened(found) as image:
                first, profile = self._picture(image), profile_in(image.info.get("icc_profile") or b"")
        except _BROKEN as error:
            damaged = "is damaged, and none of its pictures can be read"
            raise UnusableError.of(path.name, damaged, "try another file") from error
        except MemoryError as error:
            raise failing.no_room(path.name) from error
        n_frames, rate = len(found.durations_ms), 1000 / statistics.median(found.durations_ms)
        if found.is_cut:
            self._notes.say("cut", f"{path.name} is cut off: what follows its picture {n_frames} is missing.")
        self._info = SourceInfo(
            path.name, frame_from_image(0, 0.0, first).layout, max(rate, LEAST_FPS), n_frames,
            n_bytes=len(found.data), is_counted=True, profile=profile,
        )  # fmt: skip

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate from picture ``first`` on; those before it are decoded, too."""
        found = self._read()
        time_ms = 0
        try:
            with _opened(found) as image:
                for index, duration_ms in enumerate(found.durations_ms):
                    image.seek(index)
                    picture = self._picture(image)
                    signs_of_life.give()
                    if index < first:
                        stopping.check()
                    else:
                        yield frame_from_image(index, time_ms / 1000, picture)
                    time_ms += duration_ms
        except _BROKEN:
            self._notes.say("end", f"{self._path.name} is damaged; what follows the damage is missing.")
        except MemoryError as error:
            raise failing.no_room(self._path.name) from error

    def _read(self) -> _Animation:
        try:
            return _parsed(read_file(self._path))
        except UnreachableError as error:
            raise failing.failed(self._path.name, error.reason) from error
        except Unreadable as error:
            raise UnusableError.of(self._path.name, str(error), "try another file") from error
        except MemoryError as error:
            raise failing.no_room(self._path.name) from error

    def _picture(self, image: Image.Image) -> np.ndarray:
        picture = np.asarray(image.convert("RGBA"))
        if picture[..., 3].min() < 255:
            self._notes.say_once("alpha", f"{self._path.name} has an alpha channel, which is not used.")
        return picture[..., :3]


@contextlib.contextmanager
def _opened(found: _Animation) -> Iterator[Image.Image]:
    with Image.open(io.BytesIO(found.data), formats=["WEBP"]) as image:
        yield image
