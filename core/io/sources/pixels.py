"""What the decoder of a video gives, as the vector of a frame."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import av
import numpy as np
from av.buffer import Buffer
from av.video.reformatter import Interpolation

from core.frames.colour import (
    BT2020,
    PRIMARIES,
    STANDARDS,
    TRANSFERS,
    ColourStandard,
    Matrix,
    usual_matrix,
    ycc_to_rgb,
)
from core.frames.frame import Layout, Planes, Values
from core.io.sources.colour_notes import CONSTANT_LUMINANCE

# Formats whose planes are taken as they are; 9 to 16 bits are little-endian 16-bit words.
_NATIVE = re.compile(r"(yuvj?420p|gray|gbrp)(?:(9|10|12|14|16)le)?$")
_DEPTHS = (9, 10, 12, 14, 16)
# Tags of libavutil (AVColorSpace, AVColorRange) and of libswscale.
_TAGGED: dict[int, Matrix] = {
    1: "bt709", 4: "bt601", 5: "bt601", 6: "bt601", 7: "bt709", 9: "bt2020", CONSTANT_LUMINANCE: "bt2020",
}  # fmt: skip
_LIMITED, _FULL = 1, 2

UNUSABLE = (av.FFmpegError, ValueError, TypeError, KeyError, NotImplementedError)
"""What is raised where frames of a damaged file cannot be converted."""


@dataclass(frozen=True)
class Turn:
    """How pictures are to be turned by quarters, or mirrored, to be shown.

    Attributes
    ----------
    transposes : bool
        First of all rows become columns.
    flips_rows, flips_columns : bool
        Then what is above comes below, what is at the left to the right.
    """

    transposes: bool = False
    flips_rows: bool = False
    flips_columns: bool = False

    def of(self, plane: Values) -> Values:
        """Return a view of a plane (h, w), turned."""
        turned = plane.T if self.transposes else plane
        return turned[:: -1 if self.flips_rows else 1, :: -1 if self.flips_columns else 1]


def side_data_of(frame: av.VideoFrame) -> Mapping[str, Buffer]:
    """Return what a frame has beside its samples, by libav's names."""
    return cast(Mapping[str, Buffer], frame.side_data)


def turn_of(frame: av.VideoFrame) -> Turn:
    """Return how a frame is to be turned: its display matrix takes (x, y) to (a x + c y, b x + d y)."""
    found = side_data_of(frame)
    if "DISPLAYMATRIX" not in found:
        return Turn()
    a, b, _, c, d = np.frombuffer(bytes(found["DISPLAYMATRIX"]), np.int32)[:5].tolist()
    if abs(b) + abs(c) > abs(a) + abs(d):
        return Turn(transposes=True, flips_rows=b < 0, flips_columns=c < 0)
    return Turn(flips_rows=d < 0, flips_columns=a < 0)


@dataclass(frozen=True)
class Pixels:
    """How the frames of one video become vectors.

    Attributes
    ----------
    layout : Layout
        Of the vectors, after rotation.
    target : str
        Pixel format of libav whose planes are taken; frames in another one are converted to it, once.
    coded : (int, int)
        Width and height as decoded, before rotation.
    turn : Turn
        How they are to be turned.
    drops_alpha : bool
        Does the video have an alpha channel, which is not used?
    standard : ColourStandard
        What the samples stand for, as far as results can say it.
    """

    layout: Layout
    target: str
    coded: tuple[int, int]
    turn: Turn
    drops_alpha: bool
    standard: ColourStandard

    def fits(self, frame: av.VideoFrame) -> bool:
        """Tell whether a frame has the size of the first one."""
        return (frame.width, frame.height) == self.coded

    def values(self, frame: av.VideoFrame) -> Values:
        """Return the samples of a decoded frame, (F,), in an array of its own."""
        values: Values = np.empty(self.layout.n_values, self.layout.dtype)
        for index, plane in enumerate(self._planes(frame)):
            self.layout.plane(values, index)[...] = self.turn.of(plane)
        if 8 < self.layout.bit_depth < 16:  # Its words have room for more than white, and damaged files use it.
            np.minimum(values, self.layout.white, out=values)
        return values

    def _planes(self, frame: av.VideoFrame) -> list[Values]:
        """Return the planes of a decoded frame in the order of the layout, before they are turned."""
        is_rgb, dtype = self.layout.planes is Planes.RGB, self.layout.dtype
        if frame.format.name.replace("yuvj", "yuv") != self.target:
            if is_rgb and not _holds_colours(frame.format):
                return _rgb_of_ycc(frame, self.layout)
            frame = frame.reformat(format=self.target)
        order = (2, 0, 1) if is_rgb else range(len(self.layout.shapes))
        return [_plane(frame.planes[coded], dtype) for coded in order]


def of_frame(frame: av.VideoFrame) -> Pixels:
    """Choose how to read the frames of a video from its first one.

    4:2:0, grey and planar RGB are read as they are, at their own bit depth. Everything else is converted to the
    nearest of these that loses nothing: other orders of 4:2:0 to planar 4:2:0, all else to RGB. A video that does not
    name its matrix is taken as BT.2020 where its primaries are, else as BT.601 below 720 lines and BT.709 from there
    on.
    """
    target = _target(frame.format)
    native = _NATIVE.match(target)
    assert native is not None  # `_target` names no other format.
    kind, bits = native.groups()
    planes = {"gray": Planes.GREY, "gbrp": Planes.RGB}.get(kind, Planes.YCC420)
    matrix = _matrix(frame)
    if planes is Planes.RGB:
        full_range = True
    elif planes is Planes.GREY:
        full_range = frame.color_range != _LIMITED
    else:
        full_range = _is_full(frame)
    turn = turn_of(frame)
    height, width = (frame.width, frame.height) if turn.transposes else (frame.height, frame.width)
    layout = Layout(height, width, planes, int(bits or 8), full_range, matrix)
    alpha = frame.format.name != "pal8" and any(c.is_alpha for c in frame.format.components)
    usual = STANDARDS[matrix]
    standard = ColourStandard(
        matrix,
        frame.color_primaries if frame.color_primaries in PRIMARIES else usual.primaries,
        frame.color_trc if frame.color_trc in TRANSFERS else usual.transfer,
    )
    return Pixels(layout, target, (frame.width, frame.height), turn, alpha, standard)


def _matrix(frame: av.VideoFrame) -> Matrix:
    if frame.colorspace in _TAGGED:
        return _TAGGED[frame.colorspace]
    if frame.color_primaries == BT2020:
        return "bt2020"
    return usual_matrix(frame.height)


def _target(form: av.VideoFormat) -> str:
    if _NATIVE.match(form.name):
        return form.name.replace("yuvj", "yuv")
    colours = [c for c in form.components if not c.is_alpha]
    bits = max((c.bits for c in colours), default=8)
    suffix = "" if bits <= 8 else f"{next((d for d in _DEPTHS if d >= bits), 16)}le"
    if _holds_colours(form):
        return "gbrp" + suffix
    if len(colours) == 1:
        return "gray" + suffix
    if form.chroma_width(16) == 8 and form.chroma_height(16) == 8:
        return "yuv420p" + suffix
    return "gbrp" + suffix


def _holds_colours(form: av.VideoFormat) -> bool:
    """Tell whether a format has samples of colours, or an index of them, and not of luma."""
    return form.is_rgb or form.name == "pal8" or form.name.startswith(("bayer", "xyz"))


def _rgb_of_ycc(frame: av.VideoFrame, layout: Layout) -> list[Values]:
    """Return red, green and blue (h, w) of a frame of luma and chroma.

    libswscale only enlarges the chroma: what it makes of 10 bits has 1020 for white, and of 4:2:2 of 8 bits a green
    that is a level too dark.
    """
    is_full = _is_full(frame)
    as_it_is = _FULL if is_full else _LIMITED
    deep = f"{layout.bit_depth}le" if layout.bit_depth > 8 else ""
    whole = frame.reformat(
        format=f"yuv444p{deep}", interpolation=Interpolation.BICUBIC | Interpolation.ACCURATE_RND,
        src_color_range=as_it_is, dst_color_range=as_it_is,
    )  # fmt: skip
    y, cb, cr = (_plane(plane, layout.dtype) for plane in whole.planes)
    picture = ycc_to_rgb(y, cb, cr, layout.bit_depth, is_full, layout.matrix)
    return [picture[..., colour] for colour in range(3)]


def _is_full(frame: av.VideoFrame) -> bool:
    return frame.color_range == _FULL or frame.format.name.startswith("yuvj")


def _plane(plane: av.video.plane.VideoPlane, dtype: type[np.uint8] | type[np.uint16]) -> Values:
    """Return one plane without the padding of its lines, (h, w); a view of the decoder's buffer."""
    samples: Values = np.frombuffer(memoryview(plane), dtype)
    lines = samples.reshape(plane.height, abs(plane.line_size) // samples.itemsize)
    return (lines if plane.line_size > 0 else lines[::-1])[:, : plane.width]
