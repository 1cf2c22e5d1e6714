"""What is read, and the view of it that a method works on: the same words everywhere."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import CleanplateError
from core.io.home import expanded
from core.seed import LARGEST_SEED

if TYPE_CHECKING:
    from core.io.corruption import Corruption

Size = tuple[int, int]
"""Width and height, pixels."""

Region = tuple[int, int, int, int]
"""x, y, width and height, pixels."""

FrameRange = tuple[int | None, int | None]
"""First and last frame, counted from 1, both included; None leaves an end open."""

ALL_FRAMES: FrameRange = (None, None)

SAMPLE, CAMERA = "sample:", "camera:"
STREAMS = ("rtsp://", "http://", "https://", "udp://")
"""How the names of inputs begin that are no files."""

FRAMES_FOLDER = "input"
"""Name of a folder that is read in place of the one that it lies in."""

_NO_WORD = re.compile(r"[^\w.]+")

_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
"""How an address begins; a letter and a colon alone are a disk of Windows."""

LEAST_SIDE = 8
"""Least width and height of a region or a working size that is asked for, pixels: masks are decided on in blocks as
large."""

MAX_SIDE = 32768
"""Largest width and height of a working size, pixels."""


@dataclass(frozen=True)
class InputSpec:
    """An input, and what is done to its frames in this order: range, region, grey, corruption, size.

    This module imports no decoder, so that a specification can be made before the engine is there.

    Attributes
    ----------
    path : str
        A file, a folder, ``sample:NAME``, ``camera:N`` or the address of a stream; `core.io.remote` fetches what is
        elsewhere before it is read.
    grey : bool
        Work in grey.
    size : (width, height), optional
        Working size, pixels; frames keep their original in `Frame.original`.
    roi : (x, y, width, height), optional
        Region of interest, pixels of the original.
    frames : (first, last)
        Range counted from 1, both included; None leaves an end open. Index and time start at 0 in the range.
    corruption : Corruption, optional
        Put on clean images for demonstrations.
    seed : int
        Random seed, of generated samples and of the corruption.
    follow_min : float, optional
        Wait for files that are added to the folder, until none came for so many minutes; infinite: for ever.

    Raises
    ------
    CleanplateError
        A value can fit no input, whatever that holds.
    """

    path: str
    grey: bool = False
    size: Size | None = None
    roi: Region | None = None
    frames: FrameRange = ALL_FRAMES
    corruption: Corruption | None = None
    seed: int = 0
    follow_min: float | None = None

    def __post_init__(self) -> None:
        if not self.path.strip():
            raise CleanplateError(
                "No input was named; give a file, a folder of images, sample:NAME, camera:N or rtsp://…."
            )
        check_frames(*self.frames)
        if self.roi is not None:
            check_region(self.roi)
        if self.size is not None:
            check_size(self.size)
        if self.follow_min is not None and not (self.is_file and self.follow_min > 0):
            raise CleanplateError(
                f"{self.path} cannot be followed so; --follow is for a folder to which files are added, and minutes "
                f"after --follow-until are more than 0."
            )
        if not 0 <= self.seed <= LARGEST_SEED:
            raise CleanplateError(f"The random seed cannot be {self.seed}; it is a whole number, 0 to {LARGEST_SEED}.")
        if self.corruption is not None and self.corruption.seed != self.seed:
            raise CleanplateError(
                f"The corruption has the random seed {self.corruption.seed}, the input {self.seed}; give both the same."
            )

    def region_size(self, original: Size) -> Size:
        """Return width and height of the region in an input of size ``original``."""
        return original if self.roi is None else self.roi[2:]

    @property
    def is_sample(self) -> bool:
        """True where the frames are generated."""
        return self.path.startswith(SAMPLE)

    @property
    def is_live(self) -> bool:
        """True where the frames come from a camera, a stream or a folder that grows, and never end by themselves."""
        return self.path.startswith((CAMERA, *STREAMS)) or self.follow_min is not None

    @property
    def is_file(self) -> bool:
        """True where the frames come from a file or a folder."""
        return is_file(self.path)


def is_file(path: str) -> bool:
    """Tell whether the name of an input is that of a file or a folder."""
    return not path.startswith((SAMPLE, CAMERA, *STREAMS)) and not is_remote(path)


def from_anywhere(path: str) -> str:
    """Return the name of an input that means the same in any folder: of a file or a folder its whole path."""
    return os.path.abspath(expanded(path)) if path.strip() and is_file(path) else path


def title_of(path: str) -> str:
    """Return what people call an input, by its name alone; of a set of images in ``NAME/input`` it is ``NAME``.

    What a stream's address says of a person and a password is no part of it.
    """
    if path.startswith((CAMERA, *STREAMS)):
        return live_name(path)
    if path.startswith(SAMPLE):
        return path.removeprefix(SAMPLE).capitalize()
    place = Path(path)
    return place.parent.name if place.name == FRAMES_FOLDER and place.parent.name else place.name


def frames_folder(folder: Path) -> Path:
    """Return where the frames of a folder lie: in its ``input/``, where it has one, and else in itself."""
    own = folder / FRAMES_FOLDER
    return own if os.path.isdir(own) else folder  # It answers where nobody may look, too.


def live_name(path: str) -> str:
    """Return a name for files made of an input that has none: ``camera 0``, ``192.168.0.10-554-stream1``.

    What a stream's address says of a person and a password does not go into it.
    """
    if not path.startswith(STREAMS):
        return path.replace(":", " ")
    host, _, place = path.partition("://")[2].partition("/")
    return _NO_WORD.sub("-", f"{host.rpartition('@')[2]}/{place.partition('?')[0]}").strip("-")


def is_remote(path: str) -> bool:
    """Tell whether it is the address of a file or folder elsewhere, such as ``s3://bucket/clip.mp4``."""
    return _REMOTE.match(path) is not None and not path.startswith(STREAMS)


def count_frames(frames: FrameRange, n_frames: int | None) -> int | None:
    """Return how many frames lie in a range of an input of ``n_frames``; None where that is not known."""
    first, last = frames
    ends = [end for end in (n_frames, last) if end is not None]
    return max(min(ends) - (first or 1) + 1, 0) if ends else None


def check_frames(first: int | None, last: int | None) -> None:
    """Raise a `CleanplateError` where no frame can lie in a range."""
    if (first is not None and first < 1) or (last is not None and last < (first or 1)):
        raise CleanplateError(
            f"Frames {'' if first is None else first}:{'' if last is None else last} cannot be read; "
            f"it is FIRST:LAST, frames count from 1, and FIRST is at most LAST."
        )


def check_region(roi: Region) -> None:
    """Raise a `CleanplateError` where a region can lie in no picture."""
    x, y, width, height = roi
    if x < 0 or y < 0 or width < 1 or height < 1:
        raise CleanplateError(
            f"The region {x},{y},{width},{height} lies in no picture; it is X,Y,WIDTH,HEIGHT in pixels, "
            f"WIDTH and HEIGHT at least 1."
        )


def check_size(size: Size) -> None:
    """Raise a `CleanplateError` where a working size is not possible."""
    width, height = size
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise CleanplateError(
            f"The size {width}×{height} is not possible; width and height are 1 to {MAX_SIDE} pixels."
        )


def why_too_small(spec: InputSpec) -> str:
    """Return why nothing can be told apart in the region or at the working size that is asked for; empty: it can."""
    asked = {"--roi": ("in a region", spec.roi and spec.roi[2:]), "--size": ("at a working size", spec.size)}
    for option, (where, size) in asked.items():
        if size is not None and min(size) < LEAST_SIDE:
            width, height = size
            return (
                f"Nothing can be told apart {where} of {width}×{height}; width and height are at least {LEAST_SIDE} "
                f"pixels ({option})."
            )
    return ""


def nothing_in(folder: object) -> CleanplateError:
    """Return the error that says that a folder, or the one at an address, holds nothing of use."""
    return CleanplateError(f"The folder {folder} holds no images, videos or projects; choose another.")
