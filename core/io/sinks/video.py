"""Films: lossless FFV1, H.264 for everyone, ProRes 4444 where alpha must go into a film."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import ClassVar, cast

import av
import cv2
import numpy as np
from av.video.reformatter import ColorRange, Colorspace
from numpy.typing import NDArray

from core.frames.frame import Values
from core.io.sinks.base import Sink

TICKS = 90_000
"""Time stamps are kept in 1/90000 s. Matroska rounds them to whole milliseconds."""

STILL_FPS = 25.0
"""Rate for inputs whose frames have no time."""

NP_FORMATS = {
    ("u1", 1): "gray", ("u1", 3): "rgb24", ("u1", 4): "rgba",
    ("u2", 1): "gray16le", ("u2", 3): "rgb48le", ("u2", 4): "rgba64le",
}  # fmt: skip

HD_HEIGHT = 720
"""From this height on films are BT.709, below BT.601, as players assume where nothing is said."""

SMPTE170M, BT709 = 6, 1
"""Numbers of the colour standards for primaries and transfer curve (ISO 23091-2)."""


class Film(Sink):
    """One film file. Pictures keep their presentation times, at constant or variable rate.

    Parameters
    ----------
    final : Path
    fps : float or None
        Nominal rate; None where the input has no times: pictures then follow each other at 25 a second.
    """

    container = ""
    codec = ""
    options: ClassVar[dict[str, str]] = {}

    def __init__(self, final: Path, fps: float | None) -> None:
        super().__init__(final)
        self.timed = fps is not None
        self.rate = Fraction(fps or STILL_FPS).limit_denominator(1001)
        self._file: av.container.OutputContainer | None = None
        self._stream: av.VideoStream | None = None
        self._last = -1

    def _open(self, path: Path) -> None:
        # Without bitexact Matroska writes random identifiers: the same run would give other bytes.
        self._file = av.open(str(path), "w", format=self.container, container_options={"fflags": "+bitexact"})

    def _write(self, number: int, time_s: float, picture: Values) -> None:
        assert self._file is not None
        if self._stream is None:
            self._stream = self._start(picture)
        frame = self.frame(np.ascontiguousarray(picture))
        seconds = time_s if self.timed else (number - 1) / float(self.rate)
        self._last = max(self._last + 1, round(seconds * TICKS))
        frame.pts, frame.time_base = self._last, Fraction(1, TICKS)
        try:
            self._file.mux(self._stream.encode(frame))
        except BaseException:
            # Where the first bytes did not fit, flushing the encoder into the file would end the process.
            self._stream = None
            raise

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is None:
            return
        try:
            if self._stream is not None:
                file.mux(self._stream.encode(None))
        finally:
            file.close()

    def _start(self, picture: Values) -> av.VideoStream:
        assert self._file is not None
        stream = cast(av.VideoStream, self._file.add_stream(self.codec, rate=self.rate, options=dict(self.options)))
        height, width = picture.shape[:2]
        stream.width, stream.height = self.size(width, height)
        stream.pix_fmt = self.pixels(picture)
        context = stream.codec_context
        context.time_base = Fraction(1, TICKS)
        # A fixed number: the encoders cut the work differently, and so write other bytes, with more threads.
        context.thread_count = 4
        self.tag(context, height)
        return stream

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Return width and height of the film for pictures of this size."""
        return width, height

    def pixels(self, picture: Values) -> str:
        """Return FFmpeg's name of the pixel format of the film."""
        raise NotImplementedError

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return a picture in the pixel format of the film."""
        raise NotImplementedError

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Say in the file how its colours are meant."""


class Ffv1(Film):
    """FFV1 in Matroska: grey, RGB or RGBA of 8 or 16 bits, every sample as it was."""

    container = "matroska"
    codec = "ffv1"
    options: ClassVar[dict[str, str]] = {"level": "3", "slices": "4", "slicecrc": "1", "g": "1"}
    formats: ClassVar[dict[str, str]] = {
        "rgb24": "bgr0",
        "rgba": "bgra",
        "rgb48le": "gbrp16le",
        "rgba64le": "gbrap16le",
    }

    def pixels(self, picture: Values) -> str:
        """Return the format in which FFV1 keeps these samples."""
        name = _np_format(picture)
        return self.formats.get(name, name)

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return a picture in the pixel format of the film: samples are only moved."""
        return _frame(picture).reformat(format=self.pixels(picture))

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Say that grey is full range: some readers take untagged grey for video levels."""
        context.color_range = ColorRange.JPEG


class H264(Film):
    """H.264 in MP4, 8 bits, 4:2:0, for every player. Odd sizes gain a row or column that repeats the last one."""

    container = "mp4"
    codec = "libx264"
    # Without mbtree: on processors with AVX-512 x264's code for it gives other bytes from one run to the next, even
    # with one thread (seen in one of three encodes of 60×40 pixels). Rate 18 without it is as good and as large as
    # rate 16 with it: 38.3 dB and 373 KB, to 38.5 dB and 353 KB, for 120 frames of a motorway at 320×240.
    options: ClassVar[dict[str, str]] = {"crf": "18", "preset": "veryfast", "mbtree": "0"}

    def size(self, width: int, height: int) -> tuple[int, int]:
        """Return the size rounded up to even numbers."""
        return width + width % 2, height + height % 2

    def pixels(self, picture: Values) -> str:
        """Return the format that every player knows."""
        return "yuv420p"

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return a picture as luma and chroma, padded to even sizes."""
        height, width = picture.shape[:2]
        if height % 2 or width % 2:
            padded = cv2.copyMakeBorder(picture, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE)
            picture = np.asarray(padded, picture.dtype)
        return _to_ycc(_eight_bits(picture), self.pixels(picture), height)

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Tag video levels and the standard of `_to_ycc`."""
        _tag(context, height)


class ProRes4444(Film):
    """ProRes 4444 in QuickTime: 10-bit colour with 16-bit alpha, for editing programs."""

    container = "mov"
    codec = "prores_ks"
    options: ClassVar[dict[str, str]] = {"profile": "4444", "alpha_bits": "16", "vendor": "apl0"}

    def pixels(self, picture: Values) -> str:
        """Return the one format with alpha that the encoder has."""
        return "yuva444p10le"

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return an RGBA picture as luma, chroma and alpha."""
        return _to_ycc(picture, self.pixels(picture), picture.shape[0])

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Tag video levels and the standard of `_to_ycc`."""
        _tag(context, height)


def _np_format(picture: Values) -> str:
    return NP_FORMATS[picture.dtype.str[1:], 1 if picture.ndim == 2 else picture.shape[2]]


def _frame(picture: Values) -> av.VideoFrame:
    # PyAV's stubs ask for one of the two types, which the samples have.
    return av.VideoFrame.from_ndarray(cast("NDArray[np.uint8]", picture), format=_np_format(picture))


def _eight_bits(picture: Values) -> Values:
    return (
        picture if picture.dtype == np.uint8 else np.asarray(cv2.convertScaleAbs(picture, alpha=255 / 65535), np.uint8)
    )


def _to_ycc(picture: Values, pixels: str, height: int) -> av.VideoFrame:
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2RGB), picture.dtype)
    matrix = Colorspace.ITU709 if height >= HD_HEIGHT else Colorspace.ITU601
    return _frame(picture).reformat(
        format=pixels, dst_colorspace=matrix, src_color_range=ColorRange.JPEG, dst_color_range=ColorRange.MPEG,
    )  # fmt: skip


def _tag(context: av.VideoCodecContext, height: int) -> None:
    standard = BT709 if height >= HD_HEIGHT else SMPTE170M
    context.colorspace = context.color_primaries = context.color_trc = standard
    context.color_range = ColorRange.MPEG
