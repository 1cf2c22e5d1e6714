"""Films: what all have in common, lossless FFV1, and ProRes for editing programs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, cast

import av
import cv2
import numpy as np
from av.video.reformatter import ColorRange, VideoReformatter

from core.errors import CleanplateError
from core.frames.colour import ColourStandard
from core.frames.frame import Values
from core.io.grey_levels import levels_left
from core.io.mastering import Mastering
from core.io.sinks.base import Sink
from core.io.sinks.film_frames import frame_of, matrix_of, np_format, standard_of, tag_standard
from core.io.sinks.sound import Sound
from core.io.timecode import Timecode

LEAST_TICKS, MOST_TICKS = 90_000, 1_000_000
"""Of a clock, a second. Containers count them in 32 bits: at the most, a picture is shown for half an hour."""

MATROSKA_TICKS = 1000
"""What writes Matroska rounds time stamps to."""

STILL_FPS = 25.0
"""Rate for inputs whose frames have no time."""

SCALING_THREADS = 1
"""Each thread of libswscale converts some rows and writes past the end of the last, where the next has begun: in one of
some ten ProRes films a few pixels were others."""

DEFAULT_QUALITY = "high"
"""Results are cleaned further, cut and coded again: what is lost here is lost for good."""

DEFAULT_SPEED = "fast"


@dataclass(frozen=True)
class Coding:
    """How films are coded, where that can be chosen.

    Attributes
    ----------
    quality : str
        Key of `core.io.sinks.coded.RATES`.
    speed : str
        Key of `core.io.sinks.coded.H264.presets`.
    still_fps : float
        Rate of pictures that have no time.
    aspect : Fraction or None
        Width of a pixel over its height, where they are not square.
    sound : Path or None
        A film whose frames the pictures are one by one, from any of them on; what is heard beside them is copied.
    start_s : float
        When the first frame of that film is shown by its clock, seconds.
    standard : ColourStandard or None
        What the pictures stand for, where they say it; else it goes by their height.
    timecode : Timecode or None
        Of the first frame of the input.
    mastering : Mastering or None
        What of high dynamic range films in HEVC and AV1 say.
    bit_depth : int
        Bits of a sample of the input, which pictures of 16 bits were made of.
    levels : (black, white) or None
        Between which samples of the input lie, where they count light.
    """

    quality: str = DEFAULT_QUALITY
    speed: str = DEFAULT_SPEED
    still_fps: float = STILL_FPS
    sound: Path | None = None
    start_s: float = 0.0
    aspect: Fraction | None = None
    standard: ColourStandard | None = None
    timecode: Timecode | None = None
    mastering: Mastering | None = None
    bit_depth: int = 16
    levels: tuple[int, int] | None = None


PLAIN = Coding()


class Clock:
    """When pictures are shown, in ticks: each later than the one before.

    Parameters
    ----------
    rate : Fraction
        Pictures a second, nominally.
    timed : bool
        Pictures have times of their own; else they follow each other at the rate.

    Attributes
    ----------
    ticks : int
        A second. From one picture to the next at the rate it is a whole number of them, where they are not too many.
    step : int
        That number.
    last : int
        When the picture is shown that was the last, ticks.
    """

    def __init__(self, rate: Fraction, *, timed: bool) -> None:
        self._rate, self._timed = rate, timed
        whole = rate.numerator * math.ceil(LEAST_TICKS / rate.numerator)
        self.ticks = whole if whole <= MOST_TICKS else LEAST_TICKS
        self.step = round(self.ticks / rate)
        self.last = -1

    @property
    def tick(self) -> Fraction:
        """Seconds of a tick."""
        return Fraction(1, self.ticks)

    @property
    def last_s(self) -> float:
        """When the last picture is shown, seconds."""
        return self.last / self.ticks

    def stamp(self, number: int, time_s: float) -> int:
        """Return when the next picture is shown; number and time as `Sink.write` has them."""
        seconds = time_s if self._timed else (number - 1) / float(self._rate)
        self.last = max(self.last + 1, round(seconds * self.ticks))
        return self.last


class Film(Sink):
    """One film file. Pictures keep their presentation times, at constant or variable rate.

    Parameters
    ----------
    final : Path
    fps : float or None
        Nominal rate; None where the input has no times.
    coding : Coding

    Attributes
    ----------
    before_s : float
        From the first frame of the input to that of the first picture, seconds.
    sound : Sound or None
        What is heard beside the pictures.
    """

    container = ""
    codec = ""
    title = ""
    sides = (1, 65535)
    """Least and largest width and height that codec and container take, pixels: the encoder refuses others."""
    most_bits: ClassVar[int] = 16
    """Of a sample, that films keep of photographs."""
    options: ClassVar[dict[str, str]] = {}
    muxing: ClassVar[dict[str, str]] = {}
    """Options of the container."""

    @classmethod
    def check_size(cls, width: int, height: int) -> None:
        """Raise a `CleanplateError` where the codec does not take pictures of this size."""
        low, high = cls.sides
        if not (low <= width <= high and low <= height <= high):
            raise CleanplateError(
                f"A film in {cls.title} has {low} to {high} pixels a side, and the pictures are {width}×{height}; "
                f"choose another format, such as --format png, or a region (--roi)."
            )

    def __init__(self, final: Path, fps: float | None, coding: Coding = PLAIN) -> None:
        super().__init__(final)
        self.sound = None if coding.sound is None else Sound(coding.sound, coding.start_s, self.notes)
        self._aspect, self._standard, self._timecode = coding.aspect, coding.standard, coding.timecode
        self._source_bits, self._levels, self._told_of_depth = coding.bit_depth, coding.levels, False
        self._n_before, self.before_s = 0, 0.0
        self.timed = fps is not None
        self.rate = Fraction(fps or coding.still_fps).limit_denominator(1001)
        self._file: av.container.OutputContainer | None = None
        self._stream: av.VideoStream | None = None
        self._reformatter = VideoReformatter()  # Keeps its tables from one picture to the next.
        self._clock = self.clock()

    def set_before(self, n_frames: int, seconds: float) -> None:
        """Take note of how much of the input lies before the first picture: its timecode and its sound begin there."""
        self._n_before, self.before_s = n_frames, seconds

    def clock(self) -> Clock:
        """Return what tells when each picture of the film is shown."""
        return Clock(self.rate, timed=self.timed)

    def begin(self, path: Path) -> av.container.OutputContainer:
        """Open a file for a film of this kind, empty as yet."""
        # Without bitexact Matroska writes random identifiers: the same run would give other bytes.
        options = {"fflags": "+bitexact", **self.muxing}
        return av.open(str(path), "w", format=self.container, container_options=options)

    def _open(self, path: Path) -> None:
        self._file = self.begin(path)

    def _write(self, number: int, time_s: float, picture: Values, stem: str) -> None:
        self._encode(number, time_s, self.frame(np.ascontiguousarray(picture)))

    def _encode(self, number: int, time_s: float, frame: av.VideoFrame) -> None:
        """Write a picture in the pixel format of the film."""
        assert self._file is not None
        if self._stream is None:
            self._stream = self._start(frame)
        frame.pts, frame.time_base = self._clock.stamp(number, time_s), self._clock.tick
        try:
            self._file.mux(self._stream.encode(frame))
            if self.sound is not None:
                self.sound.copy_until(self._file, self._clock.last_s)
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
                if self.sound is not None:
                    self.sound.copy_until(file, self._clock.last_s + 1 / float(self.rate))
        finally:
            if self.sound is not None:
                self.sound.close()
            file.close()

    def _is_of_use(self) -> bool:
        """Tell whether it begins with a picture: a film in Matroska can be read up to where it is cut off."""
        with av.open(str(self._path)) as film:
            return next(film.decode(video=0), None) is not None

    def _start(self, first: av.VideoFrame) -> av.VideoStream:
        """Begin the film with a picture in its pixel format."""
        assert self._file is not None
        stream = cast(av.VideoStream, self._file.add_stream(self.codec, rate=self.rate, options=self.settings()))
        stream.width, stream.height, stream.pix_fmt = first.width, first.height, first.format.name
        context = stream.codec_context
        context.time_base = self._clock.tick
        # A fixed number: the encoders cut the work differently, and so write other bytes, with more threads.
        context.thread_count = 4
        if self._aspect is not None:
            self._say_aspect(context, self._aspect)
        self.tag(context, first.height)
        if self._timecode is not None:
            stream.metadata["timecode"] = str(self._timecode.after(self._n_before))
        if self.sound is not None:
            self.sound.begin(self._file, self.final.name, self.before_s)
        return stream

    def _say_aspect(self, context: av.VideoCodecContext, aspect: Fraction) -> None:
        """Say in the file that pixels are so much wider than high."""
        context.sample_aspect_ratio = aspect

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder."""
        return dict(self.options)

    def pixels(self, picture: Values) -> str:
        """Return FFmpeg's name of the pixel format of the film."""
        raise NotImplementedError

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return a picture in the pixel format of the film."""
        raise NotImplementedError

    def note_depth(self, picture: Values, bits: int) -> None:
        """Note once that the film has fewer bits of a sample than the input, as its pictures may."""
        if picture.itemsize > 1 and self._source_bits > bits and not self._told_of_depth:
            self._told_of_depth = True
            # What counts light may use little of its range, and be all but black in a film.
            left = levels_left(self._levels, self._source_bits, bits)
            self.notes.append(f"{self._few_bits(bits, picture.shape[0])} {left}".rstrip())

    def _few_bits(self, bits: int, height: int) -> str:
        """Return the note for pictures of such a height."""
        return f"{self.final.name} has {bits} bits of a sample; --format mkv or png keeps all that the input has."

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Say in the file how its colours are meant."""

    def standard(self, height: int) -> ColourStandard:
        """Return what pictures of this height stand for."""
        return self._standard or standard_of(height)

    def to_ycc(self, picture: Values) -> av.VideoFrame:
        """Return a picture as luma and chroma at video levels, and alpha if it has that, in the film's format."""
        colours = picture if picture.ndim == 3 else np.dstack([picture] * 3)
        if colours.itemsize > 1:
            # For libswscale white of 16 bits is that of 8 times 256: 65280.
            colours = colours.copy()
            colours[..., :3] = cv2.addWeighted(colours[..., :3], 256 / 257, colours[..., :3], 0, 0)
        return self._reformatter.reformat(
            frame_of(colours), format=self.pixels(picture), dst_colorspace=matrix_of(self.standard(picture.shape[0])),
            src_color_range=ColorRange.JPEG, dst_color_range=ColorRange.MPEG, threads=SCALING_THREADS,
        )  # fmt: skip


class Ffv1(Film):
    """FFV1 in Matroska: grey, RGB or RGBA of 8 or 16 bits, every sample as it was."""

    container = "matroska"
    codec = "ffv1"
    title = "FFV1"
    # Each of its slices has a pixel at least.
    sides = (2, 65535)
    options: ClassVar[dict[str, str]] = {"level": "3", "slices": "4", "slicecrc": "1", "g": "1"}
    # What is heard before the first picture would move all pictures to later times.
    muxing: ClassVar[dict[str, str]] = {"avoid_negative_ts": "disabled"}
    formats: ClassVar[dict[str, str]] = {
        "rgb24": "bgr0",
        "rgba": "bgra",
        "rgb48le": "gbrp16le",
        "rgba64le": "gbrap16le",
    }

    def _start(self, first: av.VideoFrame) -> av.VideoStream:
        if self.rate > MATROSKA_TICKS:
            self.notes.append(
                f"{self.final.name} keeps times to the millisecond, and {float(self.rate):g} frames a second are "
                "closer: some have the same time; --format mp4 or prores tells them apart."
            )
        return super()._start(first)

    def _say_aspect(self, context: av.VideoCodecContext, aspect: Fraction) -> None:
        """Say in a note that the file cannot say it: what writes Matroska here has no place for it."""
        self.notes.append(
            f"{self.final.name} does not say that its pixels are not square ({aspect.numerator}:{aspect.denominator}); "
            "--format mp4 or prores does."
        )

    def pixels(self, picture: Values) -> str:
        """Return the format in which FFV1 keeps these samples."""
        name = np_format(picture)
        return self.formats.get(name, name)

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return a picture in the pixel format of the film: samples are only moved."""
        return self._reformatter.reformat(frame_of(picture), format=self.pixels(picture), threads=SCALING_THREADS)

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Say that grey is full range, which some readers take for video levels, and of which standard RGB is."""
        context.color_range = ColorRange.JPEG
        standard = self._standard
        # Grey of a usual standard may be a mask, which stands for no light.
        if standard is not None and not (standard.is_usual and (context.pix_fmt or "").startswith("gray")):
            context.color_primaries, context.color_trc = standard.primaries, standard.transfer


class ProRes(Film):
    """ProRes in QuickTime, 10-bit colour at video levels, for editing programs."""

    container = "mov"
    codec = "prores_ks"
    title = "ProRes"
    most_bits = 10
    """Of a sample that this encoder writes, in each profile; alpha has 16."""

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return a picture as luma and chroma, with alpha where it has that; the encoder tags each by itself.

        A note says so where the input has more bits.
        """
        self.note_depth(picture, self.most_bits)
        frame = self.to_ycc(picture)
        tag_standard(frame, self.standard(picture.shape[0]))
        return frame

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Tag video levels and the standard of `Film.to_ycc`."""
        tag_standard(context, self.standard(height))


class ProRes422(ProRes):
    """ProRes 422 HQ: chroma at half the width. Odd widths are ProRes 4444: of half a pixel the encoder makes none."""

    _profile = "hq"

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder."""
        return {"profile": self._profile, "vendor": "apl0"}

    def pixels(self, picture: Values) -> str:
        """Return the one format of this profile, or the one that keeps an odd width."""
        return "yuv444p10le" if picture.shape[1] % 2 else "yuv422p10le"

    def _start(self, first: av.VideoFrame) -> av.VideoStream:
        if first.width % 2:
            self._profile = "4444"
            self.notes.append(f"{self.final.name} keeps its odd size of {first.width}×{first.height} as ProRes 4444.")
        return super()._start(first)


class ProRes4444(ProRes):
    """ProRes 4444: chroma at full size, and 16-bit alpha where pictures have it."""

    options: ClassVar[dict[str, str]] = {"profile": "4444", "alpha_bits": "16", "vendor": "apl0"}

    def pixels(self, picture: Values) -> str:
        """Return the format with or without alpha."""
        return "yuva444p10le" if picture.ndim == 3 and picture.shape[2] == 4 else "yuv444p10le"
