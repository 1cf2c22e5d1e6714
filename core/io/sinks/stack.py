"""Stacks: one TIFF file with a page for each frame."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tifffile

from core.frames.frame import Values
from core.io.calibration import Calibration
from core.io.colour_profile import ColourProfile
from core.io.publishing.refusals import writing
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
    profile : ColourProfile, optional
        What pictures stand for; every page says it that has such samples.
    """

    def __init__(
        self, final: Path, n_frames: int | None, calibration: Calibration, profile: ColourProfile | None = None
    ) -> None:
        super().__init__(final)
        self._n_frames, self._calibration, self._profile = n_frames, calibration, profile
        self._file: tifffile.TiffWriter | None = None
        self._n_pages = 0
        self._shape: tuple[int, ...] = ()
        self._dtype = ""

    def _open(self, path: Path) -> None:
        path.touch()

    def _write(self, number: int, time_s: float, picture: Values, stem: str) -> None:
        self._add(picture, picture)

    def write_packed(self, page: tifffile.TiffPage) -> None:
        """Write a page of another such file, packed as it is there."""
        file, places = page.parent.filehandle, zip(page.dataoffsets, page.databytecounts, strict=True)
        with writing(self.final):
            packed = []
            for offset, count in places:
                file.seek(offset)
                packed.append(file.read(count))
            blank: Values = np.broadcast_to(np.zeros((), page.dtype), page.shape)
            self._add(iter(packed), blank, shape=page.shape, dtype=page.dtype, rowsperstrip=page.rowsperstrip)

    def _add(self, data: Values | Iterator[bytes], picture: Values, **form: Any) -> None:
        if self._file is None:
            assert self._path is not None
            n_bytes = picture.nbytes + (len(self._profile.data) if self._profile else 0)
            is_big = self._n_frames is None or self._n_frames * n_bytes > BIG
            self._file = tifffile.TiffWriter(self._path, bigtiff=is_big)
            self._shape, self._dtype = picture.shape, picture.dtype.name
        first = self._n_pages == 0
        self._n_pages += 1
        scale = self._calibration
        self._file.write(
            data, **form, **tiff_options(picture, self._profile), contiguous=False,
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
