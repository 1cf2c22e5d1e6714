"""Everything that frames can come from; `open_source` finds the right one."""

from __future__ import annotations

import re
import threading
from pathlib import Path

from core.errors import CleanplateError
from core.io.sources.base import Source, SourceInfo
from core.io.sources.camera import CameraSource
from core.io.sources.corruption import Corruption
from core.io.sources.images import image_file, image_folder
from core.io.sources.reading import IMAGE_SUFFIXES
from core.io.sources.samples.synthetic import list_samples, open_sample
from core.io.sources.stack import StackSource
from core.io.sources.video import VideoSource
from core.io.sources.views import Corrupted, Cropped, Grey, Ranged, Scaled

STACK_SUFFIXES = (".tif", ".tiff")
VIDEO_SUFFIXES = (
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts", ".wmv", ".flv", ".ogv",
    ".3gp", ".mxf", ".y4m", ".gif",
)  # fmt: skip
OPENABLE = {"video": VIDEO_SUFFIXES, "stack": STACK_SUFFIXES, "image": IMAGE_SUFFIXES}
"""Suffixes for file dialogs, by kind. Other files are tried as videos."""

__all__ = [
    "IMAGE_SUFFIXES", "OPENABLE", "STACK_SUFFIXES", "VIDEO_SUFFIXES", "Corruption", "Source", "SourceInfo",
    "list_samples", "open_source",
]  # fmt: skip


def open_source(
    spec: str,
    *,
    grey: bool = False,
    size: tuple[int, int] | None = None,
    roi: tuple[int, int, int, int] | None = None,
    frames: tuple[int | None, int | None] | None = None,
    corruption: Corruption | None = None,
    seed: int = 0,
    cancelled: threading.Event | None = None,
) -> Source:
    """Open an input and change its frames as told, in this order: range, region, grey, corruption, size.

    Parameters
    ----------
    spec : str
        A file, a folder, ``sample:NAME`` or ``camera:N``.
    grey : bool
        Work in grey.
    size : (width, height), optional
        Working size in pixels; frames keep their original in `Frame.original`.
    roi : (x, y, width, height), optional
        Region in pixels.
    frames : (first, last), optional
        Range counted from 1, both included; None leaves an end open. Index and time start at 0 in the range.
    corruption : Corruption, optional
    seed : int
        Of generated samples.
    cancelled : threading.Event, optional
        Set it from another thread to give up while a camera is being opened.

    Raises
    ------
    CleanplateError
        The input cannot be opened, or a value does not fit it.
    """
    if not spec.strip():
        raise CleanplateError("No input was named; give a file, a folder of images, sample:NAME or camera:N.")
    source = _open(spec, seed, cancelled)
    try:
        if frames is not None and frames != (None, None):
            source = Ranged(source, *frames)
        if roi is not None:
            source = Cropped(source, roi)
        if grey and len(source.info.layout.shapes) > 1:
            source = Grey(source)
        if corruption is not None:
            source = Corrupted(source, corruption)
        if size is not None and size != (source.info.layout.width, source.info.layout.height):
            source = Scaled(source, size)
    except CleanplateError:
        source.close()
        raise
    return source


def _open(spec: str, seed: int, cancelled: threading.Event | None) -> Source:
    if spec.startswith("sample:"):
        return open_sample(spec.removeprefix("sample:"), seed)
    if spec.startswith("camera:"):
        number = spec.removeprefix("camera:")
        if not re.fullmatch(r"\d{1,3}", number, re.ASCII):
            raise CleanplateError(f"{spec} is no camera; write camera: and its number, such as camera:0.")
        return CameraSource(int(number), cancelled)
    path = Path(spec).expanduser()
    try:
        if path.is_dir():
            return image_folder(path)
        if not path.is_file():
            raise CleanplateError(f"There is no file or folder {spec}; check the path.")
        if path.stat().st_size == 0:
            raise CleanplateError(f"{path.name} is empty; choose another file.")
    except (OSError, ValueError) as error:
        raise CleanplateError(f"{spec} cannot be opened ({error}).") from error
    suffix = path.suffix.lower()
    if suffix in STACK_SUFFIXES:
        return StackSource(path)
    if suffix in IMAGE_SUFFIXES:
        return image_file(path)
    return VideoSource(path)
