"""Multi-page TIFF files."""

from __future__ import annotations

import contextlib
import math
import os
import struct
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import tifffile
from numpy.typing import NDArray
from tifffile.tifffile import shaped_description_metadata

from core.errors import CleanplateError
from core.frames.frame import Frame, frame_from_image
from core.io.calibration import read_calibration
from core.io.colour_profile import profile_in
from core.io.regular_file import failure_of, open_regular
from core.io.sources import failing
from core.io.sources.base import BaseSource, SourceInfo
from core.io.sources.decoders import tiff, tiff_page
from core.io.sources.decoders.base import DAMAGED, Decoded, Unreadable
from core.io.sources.unusable import UnusableError

_BROKEN = Exception
"""What is raised on files that are damaged or packed in an unknown way: tifffile does not say, and what unpacks raises
errors of its own."""

_MARK = 4
"""Bytes by which TIFF is told."""

_NO_TIFF = "is damaged or not a TIFF file; choose another file"

Offsets = NDArray[np.int64]
"""Where pages begin in a file, bytes."""

STACK_SUFFIXES = (".tif", ".tiff")
"""Files that are opened page by page."""


class StackSource(BaseSource):
    """A TIFF file read page by page; a page is a frame. ImageJ and OME files are read in the order of their pages.

    A damaged page ends it with a note; a drive that fails, or too little memory, is an error.

    Where the file says how much time lies between pages, frames have it. Where pages are of several channels, or depths
    at several times, a note says so: they show different pictures.

    Raises
    ------
    CleanplateError
        The file is no TIFF file, its first page cannot be read, or its samples are not integers of up to 16 bits, or
        below 0.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        with self._open() as (file, _):
            try:
                pages = _Pages(file)
                self._n_bytes = file.filehandle.size
                first = pages.read(0)
            except MemoryError as error:
                raise failing.no_room(path.name) from error
            except _BROKEN as error:
                raise self._refused(error) from error
            n_frames, declared = len(pages), _n_declared(file)
            calibration, profile = read_calibration(file), profile_in(pages.profile)
        self._first = first.image.shape, first.bit_depth
        self._found: tuple[tuple[int, int], Offsets] | None = None
        if first.had_alpha:
            self._notes.say("alpha", f"{path.name} has an alpha channel, which is not used.")
        sentence = calibration.mixture(n_frames)
        if sentence:
            self._notes.say("axes", f"{path.name} {sentence}")
        if n_frames < declared:
            self._notes.say("cut", f"{path.name} holds {n_frames} of its {declared} pages: it is cut short.")
        layout = frame_from_image(0, 0.0, first.image, bit_depth=first.bit_depth).layout
        self._info = SourceInfo(
            path.name, layout, None, n_frames, n_bytes=self._n_bytes, calibration=calibration,
            interval_s=calibration.interval_s, is_counted=True, is_mixed=bool(sentence), profile=profile,
        )  # fmt: skip

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate from page ``first`` on."""
        with self._open() as (file, handle):
            try:
                pages = _Pages(file, self._offsets(file, handle) if first > 0 else None)
            except _BROKEN as error:  # It changed since it was opened.
                raise self._refused(error) from error
            for index in range(max(first, 0), len(pages)):
                try:
                    page = pages.read(index)
                except MemoryError as error:
                    raise failing.no_room(f"page {index + 1} of {self._path.name}") from error
                except _BROKEN as error:
                    if failure_of(handle):
                        return
                    self._notes.say(
                        "end", f"{self._path.name} ends at page {index + 1}, which {tiff_page.what_is_wrong(error)}."
                    )
                    return
                if (page.image.shape, page.bit_depth) != self._first:
                    self._notes.say(
                        "size", f"Page {index + 1} of {self._path.name} differs from the first; reading stops there."
                    )
                    return
                time_s = index * (self._info.interval_s or 1.0)
                yield frame_from_image(index, time_s, page.image, bit_depth=page.bit_depth)

    def _offsets(self, file: tifffile.TiffFile, handle: BinaryIO) -> Offsets:
        """Return where the pages are, found once: a shuffled pass opens the file for each. Again, if it changed."""
        now = os.fstat(handle.fileno())
        state = now.st_size, now.st_mtime_ns
        found = self._found  # Another thread may put its own here.
        if found is None or found[0] != state:
            found = self._found = state, page_offsets(file)
        return found[1]

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
            start = handle.read(_MARK)
            handle.seek(0)
            if not tiff.begins(start):
                raise Unreadable(_NO_TIFF)
            return tifffile.TiffFile(handle, name=str(self._path.absolute()))
        except _BROKEN as error:
            raise self._refused(error) from error

    def _refused(self, error: Exception) -> CleanplateError:
        """Return the error of a file of which no page can be read."""
        reason = tiff_page.what_is_wrong(error)
        if reason == DAMAGED:
            return UnusableError.of(self._path.name, reason, "copy or save it again, or choose another file")
        return CleanplateError(f"{self._path.name} {reason}.")

    def _check_reads(self, handle: BinaryIO) -> None:
        if (failure := failure_of(handle)) is not None:
            raise failing.failed(self._path.name, failure) from failure


class _Pages:
    """The pages of an open file, one at a time.

    ImageJ writes stacks beyond 4 GB as one page with the rest of the samples behind it, and tifffile any that it is
    told to; then the planes are cut out of that one run of samples. Nothing is mapped into memory: a mapped file that
    shrinks ends the process.

    Parameters
    ----------
    file : tifffile.TiffFile
    offsets : (N,) int64, optional
        See `page_offsets`; without them all pages before one are passed to find it.
    """

    def __init__(self, file: tifffile.TiffFile, offsets: Offsets | None = None) -> None:
        self._file, self._offsets = file, offsets
        self._n_planes, self._start = 0, 0
        page = self._page(0)
        is_run = file.is_imagej or (page.is_shaped and _described(page).get("truncated"))
        is_run = is_run and not file.pages.is_multipage  # That passes no more than one page; series pass all.
        series = file.series[0] if is_run and file.series else None
        tiff_page.check(page)
        if series is not None and page.dtype is not None and series.size > page.size and series.dataoffset:
            self._n_planes, self._start = series.size // page.size, series.dataoffset
        elif is_run and page.is_contiguous:
            # Of a stack that was cut short the other pages are gone, which lay behind the samples of all.
            whole = (file.filehandle.size - page.dataoffsets[0]) // page.nbytes
            if (count := min(_n_declared(file), whole)) > 1:
                self._n_planes, self._start = count, page.dataoffsets[0]

    def __len__(self) -> int:
        return self._n_planes or len(self._file.pages if self._offsets is None else self._offsets)

    @property
    def profile(self) -> bytes:
        """The colour profile of the first page (tag 34675); empty where it has none."""
        return self._page(0).iccprofile or b""

    def read(self, index: int) -> Decoded:
        """Return a page as it is to be seen; raises `Unreadable`, or what tifffile raises on damage."""
        if self._n_planes:
            page = self._page(0)
            return tiff_page.shown(page, tiff_page.interleaved(page, self._plane(page, index)))
        return tiff_page.decoded(self._page(index))

    def _page(self, index: int) -> tifffile.TiffPage:
        if self._offsets is not None and index > 0:
            self._file.filehandle.seek(int(self._offsets[index]))
            return tifffile.TiffPage(self._file, index=index)
        return cast("tifffile.TiffPage", self._file.pages[index])

    def _plane(self, page: tifffile.TiffPage, index: int) -> np.ndarray:
        assert page.dtype is not None
        dtype = np.dtype(self._file.byteorder + page.dtype.char)
        handle = self._file.filehandle
        handle.seek(self._start + index * page.size * dtype.itemsize)
        data = handle.read(page.size * dtype.itemsize)
        return np.frombuffer(data, dtype).reshape(page.shape)


def page_offsets(file: tifffile.TiffFile) -> Offsets:
    """Return where the pages of an open file are, (N,) int64, bytes: tifffile finds them again at each opening."""
    kind, handle = file.tiff, file.filehandle
    offsets = [cast("tifffile.TiffPage", file.pages[0]).offset]
    for _ in range(len(file.pages) - 1):
        handle.seek(offsets[-1])
        (n_tags,) = struct.unpack(kind.tagnoformat, handle.read(kind.tagnosize))
        behind = handle.read(n_tags * kind.tagsize + kind.offsetsize)
        offsets += struct.unpack(kind.offsetformat, behind[-kind.offsetsize :])
    return np.array(offsets, np.int64)


def _n_declared(file: tifffile.TiffFile) -> int:
    """Return how many pages the description of a stack speaks of, as ImageJ and tifffile write it; 0: of none."""
    try:
        if file.is_imagej:
            return int((file.imagej_metadata or {}).get("images", 0))
        return sum(_described_runs(file)) if file.is_shaped else 0
    except _BROKEN:
        return 0


def _described_runs(file: tifffile.TiffFile) -> Iterator[int]:
    """Yield how many pages each description that tifffile has written speaks of: pages of other sizes have their own.

    Its own `series` does the same in a time that grows with the square of their number: each page may be one.
    """
    index = 0
    while index < len(file.pages):
        page = cast("tifffile.TiffPage", file.pages[index])
        described = _described(page) if page.is_shaped else {}
        count = max(1, math.prod(described.get("shape", ())) // page.size)
        yield count
        index += 1 if described.get("truncated") else count


def _described(page: tifffile.TiffPage) -> dict[str, Any]:
    """Return what tifffile's description of a page says of it and of those behind it."""
    return shaped_description_metadata(page.shaped_description or "")


def n_pages(path: Path) -> int:
    """Return how many pages a TIFF file has; 1 where that cannot be told."""
    try:
        with open_regular(path) as handle, tifffile.TiffFile(handle, name=str(path.absolute())) as file:
            return len(file.pages)
    except _BROKEN:
        return 1
