"""Films: lossless FFV1, H.264 for everyone, ProRes 4444 where alpha must go into a film."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import ClassVar, cast

import av
import cv2
import numpy as np
from av.video.reformatter import ColorRange, VideoReformatter

from core.errors import CleanplateError
from core.frames.frame import Values
from core.io.sinks.base import Sink
from core.io.sinks.film_frames import eight_bits, frame_of, grey_to_ycc, np_format, standard_of, tag_standard

TICKS = 90_000
"""Time stamps are kept in 1/90000 s. Matroska rounds them to whole milliseconds."""

STILL_FPS = 25.0
"""Rate for inputs whose frames have no time."""

RATES = {"low": 28, "medium": 23, "high": 18}
"""Constant rate factors of x264 by quality: its default, and the ends of the range that FFmpeg's H.264 guide advises.

At 18 films are visually lossless.
"""

DEFAULT_QUALITY = "high"
"""Results are cleaned further, cut and coded again: what is lost here is lost for good."""


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
    title = ""
    sides = (1, 65535)
    """Least and largest width and height that codec and container take, pixels: the encoder refuses others."""
    options: ClassVar[dict[str, str]] = {}

    @classmethod
    def check_size(cls, width: int, height: int) -> None:
        """Raise a `CleanplateError` where the codec does not take pictures of this size."""
        low, high = cls.sides
        if not (low <= width <= high and low <= height <= high):
            raise CleanplateError(
                f"A film in {cls.title} has {low} to {high} pixels a side, and the pictures are {width}×{height}; "
                f"choose another format, such as --format png, or a region (--roi)."
            )

    def __init__(self, final: Path, fps: float | None) -> None:
        super().__init__(final)
        self.timed = fps is not None
        self.rate = Fraction(fps or STILL_FPS).limit_denominator(1001)
        self._file: av.container.OutputContainer | None = None
        self._stream: av.VideoStream | None = None
        self._reformatter = VideoReformatter()  # Keeps its tables from one picture to the next.
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
        except (av.ArgumentError, av.ExternalError) as error:
            self._stream = None
            raise CleanplateError(
                f"{self.final} cannot be coded ({error.strerror}); choose another format, such as --format png."
            ) from error
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
        stream = cast(av.VideoStream, self._file.add_stream(self.codec, rate=self.rate, options=self.settings()))
        height, width = picture.shape[:2]
        stream.width, stream.height = self.size(width, height)
        stream.pix_fmt = self.pixels(picture)
        context = stream.codec_context
        context.time_base = Fraction(1, TICKS)
        # A fixed number: the encoders cut the work differently, and so write other bytes, with more threads.
        context.thread_count = 4
        self.tag(context, height)
        return stream

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder."""
        return dict(self.options)

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

    def to_ycc(self, picture: Values) -> av.VideoFrame:
        """Return an RGB or RGBA picture as luma and chroma at video levels, in the pixel format of the film."""
        return self._reformatter.reformat(
            frame_of(picture), format=self.pixels(picture), dst_colorspace=standard_of(picture.shape[0])[0],
            src_color_range=ColorRange.JPEG, dst_color_range=ColorRange.MPEG,
        )  # fmt: skip


class Ffv1(Film):
    """FFV1 in Matroska: grey, RGB or RGBA of 8 or 16 bits, every sample as it was."""

    container = "matroska"
    codec = "ffv1"
    title = "FFV1"
    # Each of its slices has a pixel at least.
    sides = (2, 65535)
    options: ClassVar[dict[str, str]] = {"level": "3", "slices": "4", "slicecrc": "1", "g": "1"}
    formats: ClassVar[dict[str, str]] = {
        "rgb24": "bgr0",
        "rgba": "bgra",
        "rgb48le": "gbrp16le",
        "rgba64le": "gbrap16le",
    }

    def pixels(self, picture: Values) -> str:
        """Return the format in which FFV1 keeps these samples."""
        name = np_format(picture)
        return self.formats.get(name, name)

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return a picture in the pixel format of the film: samples are only moved."""
        return frame_of(picture).reformat(format=self.pixels(picture))

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Say that grey is full range: some readers take untagged grey for video levels."""
        context.color_range = ColorRange.JPEG


class Mp4(Film):
    """H.264 in MP4, 8 bits, 4:2:0, for every player. Odd sizes gain a row or column that repeats the last one."""

    container = "mp4"
    codec = "libx264"
    title = "H.264"
    sides = (1, 16384)

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
        picture = eight_bits(picture)
        return grey_to_ycc(picture) if picture.ndim == 2 else self.to_ycc(picture)

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Tag video levels and the standard of `Film.to_ycc`."""
        tag_standard(context, height)


class H264(Mp4):
    """Photographs as H.264.

    Parameters
    ----------
    final, fps
        As in `Film`.
    quality : str
        Key of `RATES`.
    """

    # At 1080p, cleaned frames of a street, rate 18: "veryfast" takes 28 ms of work and 25 KB a frame (48.6 dB),
    # "superfast" 16 ms and 32 KB (49.2 dB), "ultrafast" 8 ms and 48 KB (49.8 dB).
    # Without mbtree: on processors with AVX-512 x264's code for it gives other bytes from one run to the next, even
    # with one thread (seen in one of three encodes of 60×40 pixels).
    options: ClassVar[dict[str, str]] = {"preset": "superfast", "mbtree": "0"}

    def __init__(self, final: Path, fps: float | None, quality: str = DEFAULT_QUALITY) -> None:
        super().__init__(final, fps)
        self._rate = RATES[quality]

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder."""
        return {**self.options, "crf": str(self._rate)}


class H264Mask(Mp4):
    """Black and white as H.264: decoded, no sample comes near the middle, so a threshold there gives every pixel back.

    Measured on masks of a street and on random black and white: with the quantiser at 18, samples are at most 14 off;
    with the rate at 18 and "veryfast", 88. Its search makes such films half as large (6 against 11 KB a frame at 1080p)
    and takes four times as long (14 against 3 ms).
    """

    options: ClassVar[dict[str, str]] = {"preset": "ultrafast", "qp": "18", "mbtree": "0"}


class ProRes4444(Film):
    """ProRes 4444 in QuickTime: 10-bit colour with 16-bit alpha, for editing programs."""

    container = "mov"
    codec = "prores_ks"
    title = "ProRes"
    options: ClassVar[dict[str, str]] = {"profile": "4444", "alpha_bits": "16", "vendor": "apl0"}

    def pixels(self, picture: Values) -> str:
        """Return the one format with alpha that the encoder has."""
        return "yuva444p10le"

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return an RGBA picture as luma, chroma and alpha."""
        return self.to_ycc(picture)

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Tag video levels and the standard of `Film.to_ycc`."""
        tag_standard(context, height)
