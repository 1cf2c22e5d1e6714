"""Stacks: one TIFF file with a page for each frame."""

from __future__ import annotations

from pathlib import Path

import tifffile

from core.frames.frame import Values
from core.io.calibration import Calibration
from core.io.sinks.base import Sink
from core.io.sinks.images import tiff_options

BIG = (1 << 32) - (1 << 25)
"""Bytes of samples from which on a file is BigTIFF: offsets of 32 bits end at 4 GB, and tags and what deflate adds to
noise need some of it."""


class TiffStack(Sink):
    """8 or 16 bits, grey, RGB or RGBA; lossless. Scale and interval are those of the input.

    Parameters
    ----------
    final : Path
    n_frames : int or None
        About how many there will be.
    calibration : Calibration
        Of the input.
    """

    def __init__(self, final: Path, n_frames: int | None, calibration: Calibration) -> None:
        super().__init__(final)
        self._n_frames, self._calibration = n_frames, calibration
        self._file: tifffile.TiffWriter | None = None
        self._n_pages = 0
        self._shape: tuple[int, ...] = ()
        self._dtype = ""

    def _open(self, path: Path) -> None:
        path.touch()

    def _write(self, number: int, time_s: float, picture: Values, stem: str) -> None:
        if self._file is None:
            assert self._path is not None
            is_big = self._n_frames is None or self._n_frames * picture.nbytes > BIG
            self._file = tifffile.TiffWriter(self._path, bigtiff=is_big)
            self._shape, self._dtype = picture.shape, picture.dtype.name
        first = self._n_pages == 0
        self._n_pages += 1
        scale = self._calibration
        self._file.write(
            picture, **tiff_options(picture), contiguous=False,
            description=self._description(self._n_frames or 1) or None if first else None,
            resolution=scale.resolution, resolutionunit=scale.resolution_unit if scale.resolution else None,
        )  # fmt: skip

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is None:
            return
        file.close()
        if self._n_pages != (self._n_frames or 1) and (description := self._description(self._n_pages)):
            assert self._path is not None
            with tifffile.TiffFile(self._path, mode="r+") as written:
                page = written.pages[0]
                assert isinstance(page, tifffile.TiffPage)
                page.tags["ImageDescription"].overwrite(description)

    def _description(self, n_pages: int) -> bytes:
        return self._calibration.description(n_pages, self._shape, self._dtype).encode()
