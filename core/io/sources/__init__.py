"""Everything that frames can come from; `open_source` finds the right one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.errors import CancelledError, CleanplateError
from core.io.corruption import Corruption
from core.io.home import expanded
from core.io.input_spec import ALL_FRAMES, CAMERA, SAMPLE, STREAMS, InputSpec, is_remote
from core.io.regular_file import check_regular, open_regular
from core.io.sources import container, decoders, headers
from core.io.sources.animation import AnimationSource
from core.io.sources.base import Source, SourceInfo
from core.io.sources.camera import camera_source
from core.io.sources.decoders import tiff
from core.io.sources.followed import FollowedFolder
from core.io.sources.images import image_file, image_folder
from core.io.sources.measured import measured
from core.io.sources.presence import camera_number, check_presence, reaching
from core.io.sources.ranged import Ranged
from core.io.sources.reading import IMAGE_SUFFIXES
from core.io.sources.room import check_working
from core.io.sources.samples.synthetic import list_samples, open_sample
from core.io.sources.stack import STACK_SUFFIXES, StackSource
from core.io.sources.stream import stream_source
from core.io.sources.unusable import NoVideoError, UnusableError
from core.io.sources.video import VIDEO_SUFFIXES, VideoSource
from core.io.sources.views import Corrupted, Cropped, Grey, Scaled
from core.io.sources.watched import Watched
from core.runtime import stopping
from core.runtime.aside import GivenUpError, call_aside

LIMIT_S = 120.0
"""How long an input may take to open: the headers of 5000 images lie on a slow drive of the network."""


@dataclass(frozen=True)
class FileKind:
    """One kind of file that frames come from.

    Attributes
    ----------
    title : str
        What people call it.
    suffixes : tuple of str
        In small letters, each with its full stop.
    begins : callable
        ``begins(data)`` tells whether a file that starts with ``data`` is of this kind.
    open : callable
        ``open(path)`` makes the source.
    """

    title: str
    suffixes: tuple[str, ...]
    begins: Callable[[bytes], bool]
    open: Callable[[Path], Source]


OPENABLE: dict[str, FileKind] = {
    # Without suffixes: they share those of images. A folder takes their first pictures.
    "webp": FileKind("Animation", (), headers.is_animated_webp, AnimationSource),
    "png": FileKind("Animation", (), headers.is_animated_png, VideoSource),
    "avif": FileKind("Animation", (), headers.is_animated_avif, VideoSource),
    # Before images, which name the suffixes of TIFF too: a folder takes them for its pictures, a file may have pages.
    "stack": FileKind("TIFF stack", STACK_SUFFIXES, tiff.begins, StackSource),
    "image": FileKind("Image", IMAGE_SUFFIXES, decoders.begins, image_file),
    "video": FileKind("Video file", VIDEO_SUFFIXES, container.begins, VideoSource),
}
"""Kinds of files; the first that names a suffix has it, where a file does not begin otherwise."""

_START = 1 << 16
"""Bytes by which a kind is told: what says that a PNG is animated may lie behind a colour profile."""

__all__ = [
    "IMAGE_SUFFIXES", "OPENABLE", "STACK_SUFFIXES", "VIDEO_SUFFIXES", "Corruption", "FileKind", "InputSpec",
    "Source", "SourceInfo", "check_presence", "file_kind", "list_samples", "open_source",
]  # fmt: skip


def file_kind(path: Path) -> FileKind:
    """Return what kind of file it is: by how it begins where its suffix is one of these kinds' or it has none.

    Where that does not tell, or there is no such file, it is of the kind that names its suffix. A suffix that none
    names is tried as a video: what begins as TIFF may be a raw photograph or a slide of a microscope.
    """
    suffix = path.suffix.lower()
    named = next((kind for kind in OPENABLE.values() if suffix in kind.suffixes), OPENABLE["video"])
    if suffix and suffix not in named.suffixes:
        return named
    try:
        with open_regular(path) as file:
            start = file.read(_START) or b""
    except (OSError, CleanplateError):
        return named
    # A file is what it is called where it begins so; animations are called as stills are.
    kinds = sorted(OPENABLE.values(), key=lambda kind: (len(kind.suffixes) > 0, kind is not named))
    return next((kind for kind in kinds if kind.begins(start)), named)


def open_source(spec: InputSpec, given_up: Callable[[], bool] | None = None, *, patient: bool = False) -> Source:
    """Open an input and change its frames as told, in this order: range, region, grey, corruption, size.

    May take long; call it off the window's thread.

    Parameters
    ----------
    spec : InputSpec
    given_up : callable, optional
        Asked while it waits; True ends the waiting.
    patient : bool
        Who reads it records it: a stream that is gone is looked for before its frames end, and pictures of what is
        live wait longer to be taken.

    Raises
    ------
    CleanplateError
        The input cannot be opened, does not answer, takes more memory than there is, or a value does not fit it.
    CancelledError
        ``given_up`` returned True.
    """
    asked = given_up or stopping.never
    try:
        return call_aside(
            partial(_open_view, spec, asked, patient),
            given_up=asked,
            limit_s=LIMIT_S if spec.follow_min is None else math.inf,
            discard=lambda s: s.close(),
            name="open",
        )
    except (GivenUpError, stopping.StoppedError) as error:
        raise CancelledError(f"Opening {spec.path} was cancelled.") from error
    except TimeoutError as error:
        raise CleanplateError(
            f"{spec.path} could not be opened within {LIMIT_S / 60:.0f} minutes; check the drive that it is on."
        ) from error


def _open_view(spec: InputSpec, given_up: Callable[[], bool], patient: bool) -> Source:
    with stopping.stops_when(given_up):  # On this thread, which is left behind else, and reads on.
        return _viewed(_open(spec, given_up, patient), spec)


def _viewed(source: Source, spec: InputSpec) -> Source:
    """Return a source with its frames changed as told; it is closed where that cannot be."""
    try:
        source = measured(source)
        if spec.is_file:
            source = Watched(source, expanded(spec.path))
        whole = source.info
        if spec.frames != ALL_FRAMES:
            source = Ranged(source, *spec.frames)
        if spec.roi is not None:
            source = Cropped(source, spec.roi)
        if spec.grey and len(source.info.layout.shapes) > 1:
            source = Grey(source)
        if spec.corruption is not None:
            source = Corrupted(source, spec.corruption)
        if spec.size is not None and spec.size != (source.info.layout.width, source.info.layout.height):
            source = Scaled(source, spec.size)
        check_working(whole, source.info)
    except BaseException:
        source.close()
        raise
    return source


def _open(spec: InputSpec, given_up: Callable[[], bool], patient: bool) -> Source:
    if spec.is_sample:
        return open_sample(spec.path.removeprefix(SAMPLE), spec.seed)
    if spec.path.startswith(STREAMS):
        return stream_source(spec.path, given_up, patient=patient)
    if is_remote(spec.path):
        raise CleanplateError(f"{spec.path} is elsewhere; cleanplate run fetches it, or copy it to this machine.")
    if spec.path.startswith(CAMERA):
        return camera_source(camera_number(spec.path), given_up, patient=patient)
    path = expanded(spec.path)
    with reaching(spec.path):
        if spec.follow_min is not None:
            return _followed(path, spec.follow_min, given_up)
        if path.is_dir():
            return image_folder(path)
        check_regular(path)
        if path.stat().st_size == 0:
            raise CleanplateError(f"{path.name} is empty; choose another file.")
    try:
        return file_kind(path).open(path)
    except NoVideoError as error:
        if path.suffix.lower() in VIDEO_SUFFIXES:
            raise
        raise UnusableError.of(
            path.name, "is neither a film nor an image that can be read",
            "open a film, an image, a TIFF stack or a folder of images",
        ) from error  # fmt: skip


def _followed(path: Path, idle_min: float, given_up: Callable[[], bool]) -> Source:
    if not path.is_dir():
        raise CleanplateError(f"{path} is no folder, so no files are added to it; leave out --follow.")
    return FollowedFolder(path, VIDEO_SUFFIXES, idle_min, given_up)
