"""A labelled clip as an input that a session could read: frames that carry their labels as truth."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import cv2
import numpy as np

from core.frames.frame import Frame, Layout, Planes, Truth, frame_from_image
from core.io.sources.base import SourceInfo
from core.training.labelled import Clip, LabelledFrame

FPS = 25.0
"""What clips say of themselves; nothing in the mask depends on it."""


class ClipSource:
    """Holds the frames of a clip: a few hundred small ones, read several times.

    Parameters
    ----------
    clip : Clip
    as_video : bool
        Pictures in 8 bits and colour are given as luma and half-size chroma in video levels, as a film decodes to; an
        odd last row or column is left out.

    Attributes
    ----------
    info : SourceInfo
    warnings : list of str
        None.
    """

    def __init__(self, clip: Clip, *, as_video: bool) -> None:
        self._frames = [_framed(i, one, clip.bit_depth, as_video) for i, one in enumerate(clip.frames())]
        self.info = SourceInfo("labelled clip", self._frames[0].layout, FPS, len(self._frames))
        self.warnings: list[str] = []

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Yield the frames from ``first`` on."""
        yield from self._frames[first:]

    def close(self) -> None:
        """Nothing is open."""


def _framed(index: int, one: LabelledFrame, bit_depth: int, as_video: bool) -> Frame:
    picture, labels = one.picture, one.labels
    if as_video and picture.ndim == 3 and picture.dtype == np.uint8:
        height, width = (side & ~1 for side in labels.shape)
        planes = cv2.cvtColor(np.ascontiguousarray(picture[:height, :width]), cv2.COLOR_RGB2YUV_I420)
        layout = Layout(height, width, Planes.YCC420, full_range=False)
        truth = Truth(np.ascontiguousarray(labels[:height, :width]))
        return Frame(index, index / FPS, np.asarray(planes, np.uint8).ravel(), layout, truth)
    return replace(frame_from_image(index, index / FPS, picture, bit_depth=bit_depth), truth=Truth(labels))
