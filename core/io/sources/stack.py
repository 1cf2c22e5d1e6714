"""Multi-page TIFF files."""

from __future__ import annotations

import contextlib
import logging
import math
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import cv2
import numpy as np
import tifffile

from core.errors import CleanplateError
from core.frames.frame import Frame, Values, frame_from_image
from core.io.calibration import read_calibration
from core.io.colour_profile import profile_in
from core.io.regular_file import failure_of, open_regular
from core.io.sources import failing, room
from core.io.sources.base import SourceInfo
from core.io.sources.notes import Notes
from core.io.sources.single_page import single_page
from core.io.sources.unpacking import bound_unpacking

_BROKEN = Exception
"""What is raised on files that are damaged or packed in an unknown way: tifffile does not say, and what unpacks raises
errors of its own."""

STACK_SUFFIXES = (".tif", ".tiff")
"""Files that are opened page by page."""

MOST_SAMPLES = 4
"""Samples of a pixel, with alpha; what has more is no picture."""

bound_unpacking()

logging.getLogger("tifffile").setLevel(logging.CRITICAL)  # what it logs is said in one sentence instead


class StackSource:
    """A TIFF file read page by page; a page is a frame. ImageJ and OME files are read in the order of their pages.

    A damaged page ends it with a note; a drive that fails, or too little memory, is an error.

    Where the file says how much time lies between pages, frames have it. Where pages are of several channels, or depths
    at several times, a note says so: they show different pictures.

    Raises
    ------
    CleanplateError
        The file is no TIFF file, its first page cannot be read, or its samples are not 8 or 16 bit integers.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._notes = Notes()
        with self._open() as (file, _):
            try:
                pages = _Pages(file)
                self._n_bytes = file.filehandle.size
                image = _picture(pages.read(0))
            except _BROKEN as error:
                raise CleanplateError(f"{path.name} cannot be read as a TIFF stack ({_brief(error)}).") from error
            n_frames, declared = len(pages), _n_declared(file)
            calibration, profile = read_calibration(file), profile_in(pages.profile)
        self._shape, self._dtype = image.shape, image.dtype
        sentence = calibration.mixture(n_frames)
        if sentence:
            self._notes.say("axes", f"{path.name} {sentence}")
        if n_frames < declared:
            self._notes.say("cut", f"{path.name} holds {n_frames} of its {declared} pages: it is cut short.")
        layout = frame_from_image(0, 0.0, image).layout
        self._info = SourceInfo(
            path.name, layout, None, n_frames, n_bytes=self._n_bytes, calibration=calibration,
            interval_s=calibration.interval_s, is_counted=True, is_mixed=bool(sentence), profile=profile,
        )  # fmt: skip

    @property
    def info(self) -> SourceInfo:
        """What is known."""
        return self._info

    @property
    def warnings(self) -> list[str]:
        """What was damaged or left out."""
        return self._notes.sentences

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate from page ``first`` on."""
        with self._open() as (file, handle):
            try:
                pages = _Pages(file)
            except _BROKEN as error:  # It changed since it was opened.
                raise CleanplateError(f"{self._path.name} cannot be read as a TIFF stack ({_brief(error)}).") from error
            for index in range(max(first, 0), len(pages)):
                try:
                    image = _picture(pages.read(index))
                except MemoryError as error:
                    raise failing.no_room(f"page {index + 1} of {self._path.name}") from error
                except _BROKEN as error:
                    if failure_of(handle):
                        return
                    self._notes.say("end", f"{self._path.name} ends at page {index + 1}: {_brief(error)}.")
                    return
                if image.shape != self._shape or image.dtype != self._dtype:
                    self._notes.say(
                        "size", f"Page {index + 1} of {self._path.name} differs from the first; reading stops there."
                    )
                    return
                yield frame_from_image(index, index * (self._info.interval_s or 1.0), image)

    def close(self) -> None:
        """Nothing to do: each iterator closes what it opened."""

    @contextlib.contextmanager
    def _open(self) -> Iterator[tuple[tifffile.TiffFile, BinaryIO]]:
        """Open the file; at the end, where a read of it has failed, whatever came of that is this error."""
        with contextlib.ExitStack() as opened:
            try:
                handle = opened.enter_context(open_regular(self._path))
            except OSError as error:
                raise failing.failed(self._path.name, error) from error
            try:
                yield opened.enter_context(self._tiff(handle)), handle
            except CleanplateError:
                self._check_reads(handle)
                raise
            self._check_reads(handle)

    def _tiff(self, handle: BinaryIO) -> tifffile.TiffFile:
        try:
            return tifffile.TiffFile(handle, name=str(self._path.absolute()))
        except _BROKEN as error:
            raise CleanplateError(f"{self._path.name} cannot be read as a TIFF stack ({_brief(error)}).") from error

    def _check_reads(self, handle: BinaryIO) -> None:
        if (failure := failure_of(handle)) is not None:
            raise failing.failed(self._path.name, failure) from failure


class _Pages:
    """The pages of an open file, one at a time.

    ImageJ writes stacks beyond 4 GB as one page with the rest of the samples behind it; then the planes are cut out
    of that one run of samples. Nothing is mapped into memory: a mapped file that shrinks ends the process.
    """

    def __init__(self, file: tifffile.TiffFile) -> None:
        self._file = file
        self._n_planes, self._start = 0, 0
        series = file.series[0] if file.is_imagej and file.series else None
        page = self._page(0)
        if (
            series is not None
            and len(file.pages) == 1
            and page.dtype is not None
            and series.size > page.size
            and series.dataoffset
        ):
            self._n_planes, self._start = series.size // page.size, series.dataoffset

    def __len__(self) -> int:
        return self._n_planes or len(self._file.pages)

    @property
    def profile(self) -> bytes:
        """The colour profile of the first page (tag 34675); empty where it has none."""
        return self._page(0).iccprofile or b""

    def read(self, index: int) -> np.ndarray:
        if self._n_planes:
            return self._plane(index)
        page = self._page(index)
        try:
            image = page.asarray()
        except ValueError as error:
            if "imagecodecs" not in str(error):
                raise
            return _unpacked(page, index)
        if page.photometric == tifffile.PHOTOMETRIC.MINISWHITE:
            image = ~image
        elif page.photometric == tifffile.PHOTOMETRIC.PALETTE and page.colormap is not None:
            image = np.moveaxis(np.asarray(page.colormap)[:, image], 0, -1)
        if image.ndim == 3 and page.planarconfig == tifffile.PLANARCONFIG.SEPARATE:
            image = np.moveaxis(image, 0, -1)
        return image

    def _page(self, index: int) -> tifffile.TiffPage:
        """Return a page whose samples are such that a picture can be made of them, by its tags."""
        page = cast("tifffile.TiffPage", self._file.pages[index])
        if page.samplesperpixel > MOST_SAMPLES or page.imagedepth > 1:
            raise ValueError(f"its pages have {page.samplesperpixel} samples a pixel; only grey or RGB can be read")
        n_bytes = self._file.filehandle.size
        sizes = [(page.imagewidth, page.imagelength)]
        if page.is_tiled:
            sizes.append((page.tilewidth, page.tilelength))
        for width, height in sizes:
            if reason := room.too_large(width, height, n_bytes):
                raise ValueError(f"it {reason}")
        return page

    def _plane(self, index: int) -> np.ndarray:
        page = self._page(0)
        assert page.dtype is not None
        dtype = np.dtype(self._file.byteorder + page.dtype.char)
        handle = self._file.filehandle
        handle.seek(self._start + index * page.size * dtype.itemsize)
        data = handle.read(page.size * dtype.itemsize)
        return np.frombuffer(data, dtype).reshape(page.shape).copy()


def _n_declared(file: tifffile.TiffFile) -> int:
    """Return how many pages the description of a stack speaks of, as ImageJ and tifffile write it; 0: of none."""
    try:
        if file.is_imagej:
            return int((file.imagej_metadata or {}).get("images", 0))
        shapes = [part.get("shape", ()) for part in file.shaped_metadata or ()]
        size = cast("tifffile.TiffPage", file.pages[0]).size
        return int(sum(math.prod(shape) for shape in shapes)) // size
    except _BROKEN:
        return 0


def n_pages(path: Path) -> int:
    """Return how many pages a TIFF file has; 1 where that cannot be told."""
    try:
        with open_regular(path) as handle, tifffile.TiffFile(handle, name=str(path.absolute())) as file:
            return len(file.pages)
    except _BROKEN:
        return 1


def _unpacked(page: tifffile.TiffPage, index: int) -> np.ndarray:
    """Return a page packed as LZW or JPEG, which tifffile alone does not unpack; OpenCV does."""
    data = np.frombuffer(single_page(page), np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_ANYDEPTH | cv2.IMREAD_ANYCOLOR)
    if image is None:
        raise ValueError(f"page {index + 1} is damaged")
    return image if image.ndim == 2 else image[:, :, ::-1]


def _picture(image: np.ndarray) -> Values:
    """Return a page as (H, W) or (H, W, 3) samples, or raise ValueError saying why it cannot be."""
    if image.dtype == bool:
        image = image.astype(np.uint8) * np.uint8(255)
    if image.dtype.newbyteorder("=") not in (np.uint8, np.uint16):
        raise ValueError(f"it holds {image.dtype} samples; convert them to 8 or 16 bit integers")
    image = image.astype(image.dtype.newbyteorder("="), copy=False)
    if image.ndim == 3 and image.shape[2] in (2, 4):  # alpha
        image = image[:, :, : image.shape[2] - 1]
    if image.ndim == 3 and image.shape[2] == 1:
        image = image[:, :, 0]
    if image.ndim != 2 and (image.ndim != 3 or image.shape[2] != 3):
        raise ValueError(f"its pages have {image.ndim} dimensions; only pictures in grey or RGB can be read")
    return image


def _brief(error: Exception) -> str:
    """Return the first line of an error, without its full stop."""
    return str(error).strip().splitlines()[0].rstrip(".") if str(error).strip() else type(error).__name__
