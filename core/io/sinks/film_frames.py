"""Pictures as frames of libav, and how their colours are meant."""

from __future__ import annotations

from typing import cast

import av
import cv2
import numpy as np
from av.video.reformatter import ColorRange, Colorspace
from numpy.typing import NDArray

from core.frames import colour
from core.frames.colour import STANDARDS, ColourStandard
from core.frames.frame import Values
from core.frames.planar import PlanarPicture

NP_FORMATS = {
    ("u1", 1): "gray", ("u1", 3): "rgb24", ("u1", 4): "rgba",
    ("u2", 1): "gray16le", ("u2", 3): "rgb48le", ("u2", 4): "rgba64le",
}  # fmt: skip

NEUTRAL_CHROMA = 128
"""The chroma sample of 8 bits that stands for no colour."""

HD_HEIGHT = 720
"""From this height on films of pictures are BT.709, below BT.601, as players assume where nothing is said."""

_MATRICES = {"bt601": Colorspace.ITU601, "bt709": Colorspace.ITU709, "bt2020": Colorspace.BT2020}
_MATRIX_TAGS = {"bt601": colour.SMPTE170M, "bt709": colour.BT709, "bt2020": colour.BT2020}


def np_format(picture: Values) -> str:
    """Return libav's name for the samples of a picture, as numpy has them."""
    return NP_FORMATS[picture.dtype.str[1:], 1 if picture.ndim == 2 else picture.shape[2]]


def frame_of(picture: Values) -> av.VideoFrame:
    """Return a picture as a frame of libav, sample for sample."""
    # PyAV's stubs ask for one of the two types, which the samples have.
    return av.VideoFrame.from_ndarray(cast("NDArray[np.uint8]", picture), format=np_format(picture))


def eight_bits(picture: Values) -> Values:
    """Return a picture of 8 or 16 bits with 8."""
    return (
        picture if picture.dtype == np.uint8 else np.asarray(cv2.convertScaleAbs(picture, alpha=255 / 65535), np.uint8)
    )


def grey_to_ycc(picture: Values) -> av.VideoFrame:
    """Return a grey picture of 8 bits and even size as 4:2:0 at video levels.

    The way over RGB takes ten times as long.
    """
    height, width = picture.shape
    planes = np.empty((height * 3 // 2, width), np.uint8)
    colour.to_video_levels(cast("NDArray[np.uint8]", picture), planes[:height])
    planes[height:] = NEUTRAL_CHROMA
    return av.VideoFrame.from_ndarray(planes, format="yuv420p")


def frame_of_planes(picture: PlanarPicture) -> av.VideoFrame:
    """Return luma and half-size chroma of 8 bits and even size as a frame of libav, sample for sample."""
    layout = picture.layout
    samples = cast("NDArray[np.uint8]", picture.samples).reshape(layout.height * 3 // 2, layout.width)
    return av.VideoFrame.from_ndarray(samples, format="yuv420p")


def standard_of(height: int) -> ColourStandard:
    """Return what films of this height stand for whose pictures do not say it."""
    return STANDARDS["bt709" if height >= HD_HEIGHT else "bt601"]


def matrix_of(standard: ColourStandard) -> Colorspace:
    """Return what libswscale calls the matrix of a standard."""
    return _MATRICES[standard.matrix]


def tag_standard(tagged: av.VideoCodecContext | av.VideoFrame, standard: ColourStandard) -> None:
    """Say in a film, or a frame of it, that it has video levels, and which standard its colours are of."""
    tagged.colorspace = _MATRIX_TAGS[standard.matrix]
    tagged.color_primaries, tagged.color_trc = standard.primaries, standard.transfer
    tagged.color_range = ColorRange.MPEG
