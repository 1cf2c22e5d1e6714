"""Sources whose frames are those of another source, each changed by itself: cropped, grey, corrupted, scaled."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.frames.frame import Frame, Layout, Planes, Truth, Values
from core.frames.planar import PlanarPicture
from core.io.corruption import Corruption
from core.io.input_spec import Region, Size, check_region, check_size
from core.io.sources.base import Source, SourceInfo, Wrapping


class View(Wrapping):
    """A source that changes each frame of another one by itself."""

    def __init__(self, inner: Source, layout: Layout) -> None:
        super().__init__(inner)
        self._layout = layout

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate the changed frames from ``first`` on."""
        with contextlib.closing(self._inner.frames(first)) as inner:
            for frame in inner:
                yield self._apply(frame)

    def _info_of(self, inner: SourceInfo) -> SourceInfo:
        return replace(inner, layout=self._layout)

    def _apply(self, frame: Frame) -> Frame:
        raise NotImplementedError


class Cropped(View):
    """A rectangle of each frame.

    In 4:2:0 the corner moves up and left to even coordinates, by one pixel at most, so that chroma stays with its
    luma; the size is the one asked for.

    Parameters
    ----------
    inner : Source
    roi : (x, y, width, height)
        Pixels.
    """

    def __init__(self, inner: Source, roi: Region) -> None:
        check_region(roi)
        layout = inner.info.layout
        x, y, width, height = roi
        if x + width > layout.width or y + height > layout.height:
            raise CleanplateError(
                f"The region {x},{y},{width},{height} does not lie in the picture of {layout.width}×{layout.height}; "
                f"it is X,Y,WIDTH,HEIGHT in pixels."
            )
        if layout.planes is Planes.YCC420:
            x, y = x & ~1, y & ~1
        self._corner = (x, y)
        super().__init__(inner, replace(layout, width=width, height=height))

    def _info_of(self, inner: SourceInfo) -> SourceInfo:
        whole = inner.layout
        return replace(super()._info_of(inner), corner=self._corner, uncut=(whole.width, whole.height))

    def _apply(self, frame: Frame) -> Frame:
        x, y = self._corner
        rows, columns = slice(y, y + self._layout.height), slice(x, x + self._layout.width)
        truth = frame.truth and Truth(
            None if frame.truth.mask is None else np.ascontiguousarray(frame.truth.mask[rows, columns]),
            None if frame.truth.clean is None else self._crop(frame.truth.clean, frame.layout),
        )
        return replace(frame, values=self._crop(frame.values, frame.layout), layout=self._layout, truth=truth)

    def _crop(self, values: Values, layout: Layout) -> Values:
        out = np.empty(self._layout.n_values, values.dtype)
        x, y = self._corner
        box = (y, y + self._layout.height, x, x + self._layout.width)
        for index in range(len(layout.shapes)):
            self._layout.plane(out, index)[...] = layout.part(values, index, box)
        return out


class _Recoloured(View):
    """Each frame, and its clean truth, in other planes of the same size: as ``recolour(values, layout)`` gives them."""

    def __init__(self, inner: Source, layout: Layout, recolour: Callable[[Values, Layout], Values]) -> None:
        super().__init__(inner, layout)
        self._recolour = recolour

    def _apply(self, frame: Frame) -> Frame:
        truth = frame.truth
        if truth is not None and truth.clean is not None:
            truth = replace(truth, clean=self._recolour(truth.clean, frame.layout))
        return replace(frame, values=self._recolour(frame.values, frame.layout), layout=self._layout, truth=truth)


class Grey(_Recoloured):
    """Each frame in grey: the luma of video, or BT.601 luma of RGB."""

    def __init__(self, inner: Source) -> None:
        super().__init__(inner, inner.info.layout.grey(), _grey)


class Rgb(_Recoloured):
    """Each frame in red, green and blue at full size, for methods whose dictionary is nonnegative in every plane."""

    def __init__(self, inner: Source) -> None:
        super().__init__(inner, inner.info.layout.expanded(), _rgb)


class Corrupted(View):
    """Each frame corrupted as told; the truth keeps the frame as it was."""

    def __init__(self, inner: Source, corruption: Corruption) -> None:
        super().__init__(inner, inner.info.layout)
        self._corruption, self._n_before = corruption, inner.info.n_before

    def _apply(self, frame: Frame) -> Frame:
        return self._corruption.apply(frame, self._n_before)


class UnitMaximum(View):
    """Each frame scaled so that its largest sample is white; its original and its truth by the same factor.

    Zhao & Tan (2017), section VII. For planes without signs. What was measured of how much of the range the input
    uses is not true of what is given.
    """

    def __init__(self, inner: Source) -> None:
        super().__init__(inner, _stretched(inner.info.layout))

    def _info_of(self, inner: SourceInfo) -> SourceInfo:
        return replace(super()._info_of(inner), levels=None, original=inner.original and _stretched(inner.original))

    def _apply(self, frame: Frame) -> Frame:
        white = frame.layout.white
        factor = white / max(int(frame.values.max()), 1)

        def scaled(values: Values) -> Values:
            return np.asarray(np.minimum(np.rint(values * factor), white), values.dtype)

        truth, original = frame.truth, frame.original
        if truth is not None and truth.clean is not None:
            truth = replace(truth, clean=scaled(truth.clean))
        if original is not None:
            original = replace(original, values=scaled(original.values), layout=_stretched(original.layout))
        return replace(frame, values=scaled(frame.values), layout=self._layout, truth=truth, original=original)


def _stretched(layout: Layout) -> Layout:
    return replace(layout, used=1.0, pedestal=0)


class Scaled(View):
    """Each frame at a working size; ``original`` keeps it as it was. The truth is scaled with it.

    Planes are resized as `core.frames.planar.PlanarPicture.resized` does it; masks take the nearest pixel, for their
    values are labels.

    Parameters
    ----------
    inner : Source
    size : (width, height)
        Pixels.
    """

    def __init__(self, inner: Source, size: Size) -> None:
        check_size(size)
        width, height = size
        super().__init__(inner, replace(inner.info.layout, width=width, height=height))

    def _info_of(self, inner: SourceInfo) -> SourceInfo:
        return replace(super()._info_of(inner), original=inner.layout)

    def _apply(self, frame: Frame) -> Frame:
        truth = frame.truth and Truth(
            None if frame.truth.mask is None else self._nearest(frame.truth.mask),
            None if frame.truth.clean is None else self._resize(frame.truth.clean, frame.layout),
        )
        values = self._resize(frame.values, frame.layout)
        return replace(frame, values=values, layout=self._layout, truth=truth, original=frame.full)

    def _nearest(self, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        size = (self._layout.width, self._layout.height)
        return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST_EXACT), np.uint8)

    def _resize(self, values: Values, layout: Layout) -> Values:
        return PlanarPicture(values, layout).resized(self._layout.height, self._layout.width).samples


def _rgb(values: Values, layout: Layout) -> Values:
    return PlanarPicture(values, layout).expanded().samples


def _grey(values: Values, layout: Layout) -> Values:
    if layout.planes is Planes.RGB:
        return np.asarray(cv2.cvtColor(layout.image(values), cv2.COLOR_RGB2GRAY), values.dtype).ravel()
    return values[layout.slices[0]].copy()
