"""Pictures as frames of libav, and how their colours are meant."""

from __future__ import annotations

from typing import cast

import av
import cv2
import numpy as np
from av.video.reformatter import ColorRange
from numpy.typing import NDArray

from core.frames import colour
from core.frames.colour import STANDARDS, ColourStandard
from core.frames.frame import Layout, Planes, Values
from core.frames.planar import PlanarPicture

NP_FORMATS = {
    ("u1", 1): "gray", ("u1", 3): "rgb24", ("u1", 4): "rgba",
    ("u2", 1): "gray16le", ("u2", 3): "rgb48le", ("u2", 4): "rgba64le",
}  # fmt: skip

YCC420 = {8: "yuv420p", 10: "yuv420p10le"}
"""libav's names for luma and half-size chroma, by the bits of a sample."""

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
    """Return a grey picture of even size as 4:2:0 at video levels: of 8 bits, or of 10 where it has 16.

    The way over RGB takes ten times as long.
    """
    height, width = picture.shape
    layout = Layout(height, width, Planes.YCC420, 8 if picture.dtype == np.uint8 else 10, full_range=False)
    samples = layout.empty()
    colour.to_video_levels(picture, layout.plane(samples, 0))
    samples[layout.signed_from :] = layout.neutral
    return frame_of_planes(PlanarPicture(samples, layout))


def frame_of_planes(picture: PlanarPicture) -> av.VideoFrame:
    """Return luma and half-size chroma of 8 or 10 bits and even size as a frame of libav, sample for sample."""
    layout = picture.layout
    frame = av.VideoFrame(layout.width, layout.height, YCC420[layout.bit_depth])
    for index, (plane, (height, width)) in enumerate(zip(frame.planes, layout.shapes, strict=True)):
        # PyAV's stubs do not say that planes are buffers. Each line may have room behind its last sample.
        lines = np.frombuffer(cast("memoryview[int]", plane), layout.dtype).reshape(height, -1)
        lines[:, :width] = layout.plane(picture.samples, index)
    return frame


def standard_of(height: int) -> ColourStandard:
    """Return what films of this height stand for whose pictures do not say it."""
    return STANDARDS[colour.usual_matrix(height)]


def matrix_of(standard: ColourStandard) -> int:
    """Return what libswscale calls the matrix of a standard."""
    return colour.SWS_MATRICES[standard.matrix]


def tag_standard(tagged: av.VideoCodecContext | av.VideoFrame, standard: ColourStandard) -> None:
    """Say in a film, or a frame of it, that it has video levels, and which standard its colours are of."""
    tagged.colorspace = _MATRIX_TAGS[standard.matrix]
    tagged.color_primaries, tagged.color_trc = standard.primaries, standard.transfer
    tagged.color_range = ColorRange.MPEG
