"""Multi-page TIFF files."""

from __future__ import annotations

import logging
from collections.abc import Generator
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import tifffile

from core.errors import CleanplateError
from core.frames.frame import Frame, Values, frame_from_image
from core.io.calibration import read_calibration
from core.io.sources.base import SourceInfo
from core.io.sources.notes import Notes

_BROKEN = (OSError, ValueError, RuntimeError, TypeError, IndexError, KeyError, tifffile.TiffFileError)
"""What tifffile raises on files that are damaged or packed in a way that it does not know."""


logging.getLogger("tifffile").setLevel(logging.CRITICAL)  # what it logs is said in one sentence instead


class StackSource:
    """A TIFF file read page by page; a page is a frame. ImageJ and OME files are read in the order of their pages.

    Raises
    ------
    CleanplateError
        The file is no TIFF file, its first page cannot be read, or its samples are not 8 or 16 bit integers.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._notes = Notes()
        with self._open() as file:
            try:
                pages = _Pages(file)
                image = _picture(pages.read(0))
            except _BROKEN as error:
                raise CleanplateError(f"{path.name} cannot be read as a TIFF stack ({_brief(error)}).") from error
            n_frames = len(pages)
            calibration = read_calibration(file)
        self._shape, self._dtype = image.shape, image.dtype
        layout = frame_from_image(0, 0.0, image).layout
        self._info = SourceInfo(path.name, layout, None, n_frames, calibration=calibration)

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
        with self._open() as file:
            pages = _Pages(file)
            for index in range(max(first, 0), len(pages)):
                try:
                    image = _picture(pages.read(index))
                except _BROKEN as error:
                    self._notes.say("end", f"{self._path.name} ends at page {index + 1}: {_brief(error)}.")
                    return
                if image.shape != self._shape or image.dtype != self._dtype:
                    self._notes.say(
                        "size", f"Page {index + 1} of {self._path.name} differs from the first; reading stops there."
                    )
                    return
                yield frame_from_image(index, float(index), image)

    def close(self) -> None:
        """Nothing to do: each iterator closes what it opened."""

    def _open(self) -> tifffile.TiffFile:
        try:
            return tifffile.TiffFile(self._path)
        except _BROKEN as error:
            raise CleanplateError(f"{self._path.name} cannot be read as a TIFF stack ({_brief(error)}).") from error


class _Pages:
    """The pages of an open file, one at a time.

    ImageJ writes stacks beyond 4 GB as one page with the rest of the samples behind it; then the planes are cut out
    of that one run of samples.
    """

    def __init__(self, file: tifffile.TiffFile) -> None:
        self._file = file
        self._run = None
        series = file.series[0] if file.is_imagej and file.series else None
        page = cast("tifffile.TiffPage", file.pages[0])
        if (
            series is not None
            and len(file.pages) == 1
            and page.dtype is not None
            and series.size > page.size
            and series.dataoffset
        ):
            planes = series.size // page.size
            self._run = np.memmap(
                file.filehandle.path, file.byteorder + page.dtype.char, "r", series.dataoffset, (planes, *page.shape)
            )

    def __len__(self) -> int:
        return len(self._file.pages) if self._run is None else len(self._run)

    def read(self, index: int) -> np.ndarray:
        if self._run is not None:
            return np.array(self._run[index])
        page = cast("tifffile.TiffPage", self._file.pages[index])
        try:
            image = page.asarray()
        except ValueError as error:
            if "imagecodecs" not in str(error):
                raise
            return self._unpacked(index)
        if page.photometric == tifffile.PHOTOMETRIC.MINISWHITE:
            image = ~image
        elif page.photometric == tifffile.PHOTOMETRIC.PALETTE and page.colormap is not None:
            image = np.moveaxis(np.asarray(page.colormap)[:, image], 0, -1)
        if image.ndim == 3 and page.planarconfig == tifffile.PLANARCONFIG.SEPARATE:
            image = np.moveaxis(image, 0, -1)
        return image

    def _unpacked(self, index: int) -> np.ndarray:
        """Return a page packed as LZW or JPEG, which tifffile alone does not unpack; OpenCV does."""
        data = np.memmap(self._file.filehandle.path, np.uint8, "r")
        found, images = cv2.imdecodemulti(data, cv2.IMREAD_ANYDEPTH | cv2.IMREAD_ANYCOLOR, range=(index, index + 1))
        if not found or not images:
            raise ValueError(f"page {index + 1} is damaged")
        image = np.asarray(images[0])
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
