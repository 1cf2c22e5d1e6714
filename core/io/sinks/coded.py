"""Films that are smaller than what they show: H.264, HEVC and AV1 in MP4, and what black and white needs of each."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import av

from core.frames.frame import Layout, Planes, Values
from core.frames.planar import PlanarPicture
from core.io.mastering import Mastering
from core.io.publishing.refusals import writing
from core.io.sinks.film_frames import YCC420, eight_bits, frame_of_planes, grey_to_ycc, tag_standard
from core.io.sinks.video import PLAIN, Coding, Film

RATES = {"low": 28, "medium": 23, "high": 18}
"""Constant rate factors of x264 by quality: its default, and the ends of the range that FFmpeg's H.264 guide advises.

At 18 films are visually lossless.
"""


class Coded(Film):
    """A film in MP4, 4:2:0 for every player; odd sizes are 4:4:4, because chroma at half of them would change them.

    Pictures of 16 bits have `most_bits` in it, or 8 where the encoder here was built for no more.

    Parameters
    ----------
    final, fps
        As in `Film`.
    coding : Coding
    """

    container = "mp4"
    rates: ClassVar[dict[str, int]]
    presets: ClassVar[dict[str, str]]
    most_bits = 8
    """Of a sample, as far as most players of the codec decode them."""
    odd_pixels: ClassVar[str] = "yuv444p"
    """The pixel format that keeps an odd size."""

    def __init__(self, final: Path, fps: float | None, coding: Coding = PLAIN) -> None:
        super().__init__(final, fps, coding)
        self._rate, self._preset = self.rates[coding.quality], self.presets[coding.speed]
        self._mastering = coding.mastering or Mastering(None, None)
        self._most_bits = self.most_bits if takes(self.codec, YCC420[self.most_bits]) else 8

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder."""
        return {"preset": self._preset, "crf": str(self._rate), **self.options}

    def pixels(self, picture: Values) -> str:
        """Return the format that every player knows, or the one that keeps an odd size; of 8 or 10 bits."""
        form = self.odd_pixels if is_odd(*picture.shape[:2]) else "yuv420p"
        return f"{form}10le" if self._bits(picture) == 10 else form

    def _bits(self, picture: Values) -> int:
        """Return how many bits of a sample the film has of such pictures."""
        return 8 if picture.itemsize == 1 else self._most_bits

    def frame(self, picture: Values) -> av.VideoFrame:
        """Return a picture as luma and chroma of 8 or 10 bits; where the input has more, a note says so."""
        bits = self._bits(picture)
        self.note_depth(picture, bits)
        if bits == 8:
            picture = eight_bits(picture)
        if picture.ndim == 2 and not is_odd(*picture.shape):
            return grey_to_ycc(picture)
        return self.to_ycc(picture)

    def _few_bits(self, bits: int, height: int) -> str:
        if bits == 10:
            return super()._few_bits(bits, height)
        told = f"{self.final.name} has {bits} bits of a sample"
        if self.most_bits > bits:
            told += f", as the encoder {self.codec} here has no more"
        if self.standard(height).is_high_range:
            told += ", few for high dynamic range: smooth light may show steps"
        deeper = "prores has" if self.most_bits > bits else "hevc, av1 or prores has"
        return f"{told}; --format {deeper} 10, mkv and png keep all that the input has."

    def keeps(self, layout: Layout) -> bool:
        """Tell whether the film holds samples of a layout as they are: those of most films, which `tag` describes."""
        matrix = self.standard(layout.height).matrix
        as_tagged = layout.planes is Planes.YCC420 and not layout.full_range and layout.matrix == matrix
        return as_tagged and layout.bit_depth in {8, self._most_bits} and not is_odd(layout.height, layout.width)

    def write_planes(self, number: int, time_s: float, picture: PlanarPicture) -> None:
        """Write a picture whose layout the film `keeps`, in half the time of `write`, whose other parameters it has."""
        with writing(self.final):
            self._encode(number, time_s, frame_of_planes(picture))

    def _start(self, first: av.VideoFrame) -> av.VideoStream:
        if first.format.name.startswith("yuv444p"):
            self.notes.append(
                f"{self.final.name} keeps its odd size of {first.width}×{first.height} as 4:4:4, which not every "
                f"player shows; --format prores or av1 has it for all, or cut to an even size with --roi."
            )
        return super()._start(first)

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Tag video levels and the standard of `Film.to_ycc`."""
        tag_standard(context, self.standard(height))


class H264(Coded):
    """Photographs as H.264."""

    codec = "libx264"
    title = "H.264"
    sides = (1, 16384)
    rates = RATES
    # At 1080p, cleaned frames of a street, rate 18: "veryfast" takes 28 ms of work and 25 KB a frame (48.6 dB),
    # "superfast" 16 ms and 32 KB (49.2 dB), "ultrafast" 8 ms and 48 KB (49.8 dB); of the camera's own frames, noise and
    # all, "superfast" 29 ms and 50 KB (42.5 dB), "ultrafast" 15 ms and 54 KB (42.0 dB). The fewest ms are a run's time.
    presets: ClassVar[dict[str, str]] = {"fast": "ultrafast", "medium": "veryfast", "slow": "medium"}
    # Without mbtree: on processors with AVX-512 x264's code for it gives other bytes from one run to the next, even
    # with one thread (seen in one of three encodes of 60×40 pixels).
    options: ClassVar[dict[str, str]] = {"mbtree": "0"}


class H264Mask(H264):
    """Black and white as H.264: decoded, no sample comes near the middle, so a threshold there gives every pixel back.

    Measured on masks of a street and on random black and white: with the quantiser at 18, samples are at most 14 off;
    with the rate at 18 and "veryfast", 88. Its search makes such films half as large (6 against 11 KB a frame at 1080p)
    and takes four times as long (14 against 3 ms).
    """

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder, the same for each quality and speed."""
        return {"preset": "ultrafast", "qp": "18", **self.options}


NARROW = 64
"""Pixels of a line up to which x265 does without weighing blocks by what refers to them (cutree): at widths of 33 to 48
it writes past the end of its memory, which ends the whole program."""


class Hevc(Coded):
    """Photographs as HEVC (H.265)."""

    codec = "libx265"
    title = "HEVC"
    most_bits = 10
    sides = (16, 16384)
    rates: ClassVar[dict[str, int]] = {"low": 32, "medium": 27, "high": 21}
    """Rate factors that give about the same quality as those of H.264: x265's own default is 28, x264's 23."""
    presets: ClassVar[dict[str, str]] = {"fast": "ultrafast", "medium": "fast", "slow": "medium"}
    # What x265 writes depends on the number of frames that it works on at a time, not on its threads. Of two at a time
    # the last may wait for ever for another that does not come: it looks whether the film has ended, and sleeps, and is
    # not woken where that is said in between (RateControl::rateControlEnd). One at a time takes no longer. With
    # B-frames it gives films of one or two frames time stamps that it never set, and the container refuses them.
    options: ClassVar[dict[str, str]] = {"x265-params": "log-level=none:frame-threads=1:info=0:bframes=0"}
    _is_narrow = False

    def _start(self, first: av.VideoFrame) -> av.VideoStream:
        self._is_narrow = first.width <= NARROW
        return super()._start(first)

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder, and what it is to say of high dynamic range."""
        settings, display, light = super().settings(), self._mastering.display, self._mastering.light
        if self._is_narrow:
            settings["x265-params"] += ":no-cutree=1"
        if display:
            settings["x265-params"] += f":master-display={display.told(50_000, 10_000, 0)}"
        if light:
            settings["x265-params"] += ":max-cll={},{}".format(*light)
        return settings

    def tag(self, context: av.VideoCodecContext, height: int) -> None:
        """Tag it also as QuickTime asks for it."""
        super().tag(context, height)
        context.codec_tag = "hvc1"


class HevcMask(Hevc):
    """Black and white as HEVC, with a fixed quantiser as in `H264Mask`."""

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder, the same for each quality and speed."""
        parameters = self.options["x265-params"]
        return {"preset": "ultrafast", "x265-params": f"{parameters}:qp=18"}


class Av1(Coded):
    """Photographs as AV1, 4:2:0 at every size: odd ones are part of the standard."""

    codec = "libsvtav1"
    title = "AV1"
    most_bits = 10
    odd_pixels = "yuv420p"
    sides = (4, 8704)
    rates: ClassVar[dict[str, int]] = {"low": 45, "medium": 35, "high": 22}
    """Rate factors of SVT-AV1, whose own default is 35, of 63."""
    # From 11 on it loses what moves in small pictures: 14 levels off, with 10 not 2.
    presets: ClassVar[dict[str, str]] = {"fast": "10", "medium": "8", "slow": "6"}

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder, and what it is to say of high dynamic range."""
        display, light = self._mastering.display, self._mastering.light
        told = [f"mastering-display={display.told(1, 1, 5)}"] if display else []
        told += ["content-light={},{}".format(*light)] if light else []
        return super().settings() | ({"svtav1-params": ":".join(told)} if told else {})


class Av1Mask(Av1):
    """Black and white as AV1, every sample as it was: that takes half of the room of its best lossy quality."""

    def settings(self) -> dict[str, str]:
        """Return the options of the encoder, the same for each quality and speed."""
        return {"preset": self.presets["fast"], "svtav1-params": "lossless=1"}


def takes(codec: str, pixels: str) -> bool:
    """Tell whether the encoder here is there, and was built for a pixel format."""
    try:
        return pixels in {form.name for form in av.Codec(codec, "w").video_formats or ()}
    except av.codec.codec.UnknownCodecError:
        return False


def is_odd(height: int, width: int) -> bool:
    """Tell whether half of a side is no whole number of pixels."""
    return bool(height % 2 or width % 2)
