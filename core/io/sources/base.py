"""What every source of frames can do."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from core.frames.colour import ColourStandard
from core.frames.frame import Frame, Layout
from core.io.calibration import Calibration
from core.io.colour_profile import ColourProfile
from core.io.mastering import Mastering
from core.io.sources.notes import Notes
from core.io.timecode import Timecode


@dataclass(frozen=True)
class SourceInfo:
    """What is known of a source before it is read.

    Attributes
    ----------
    title : str
        Short name for people: the file's name, or what the camera is called.
    layout : Layout
        Of every frame.
    fps : float or None
        Frames per second; None where frames have no time (image sets).
    is_rate_told : bool
        The input says its rate; else ``fps`` is the usual one, and only times of frames tell how many come in a second.
    n_frames : int or None
        How many frames there are; None where it is not known (camera, files that do not say). Not to be trusted
        as a bound unless ``is_counted``: a container may declare more frames than it holds, or fewer.
    live : bool
        True for a camera: it cannot seek and never ends by itself.
    n_bytes : int or None
        Size of the file that the first frame is decoded from, bytes; None where there is none.
    original : Layout or None
        Of the frames before they were brought to a working size; None where they are as they were.
    n_before : int
        Frames of the input before the first of these, where a range of it is read.
    numbers_frames : bool
        Frames follow each other in the input, from the first of these on.
    calibration : Calibration or None
        Scale and interval of a stack, or of a series of images.
    corner : (x, y)
        Upper left pixel of these frames in the input, where a region of it is read.
    uncut : (width, height) or None
        Of the frames before that, pixels; None where they are whole.
    pixel_aspect : Fraction or None
        Width of a pixel over its height, where that is said and not 1; films of results say it too.
    standard : ColourStandard or None
        What the samples of a video stand for; films of results are of the same. None where frames are no video's.
    profile : ColourProfile or None
        What the samples of images stand for, by the first of them; images of results say it too.
    start_s : float
        When the first frame is shown by the clock of a film, seconds: its sound goes by that clock, too.
    has_sound : bool
        There is something to be heard beside the frames.
    timecode : Timecode or None
        Of the first frame of the input, where it says one; films of results go on from there.
    mastering : Mastering or None
        What the video says of its light, where it is of high dynamic range; films of results say it too.
    may_pause : bool
        It may give no frame for hours: it waits for files.
    interval_s : float or None
        Seconds from frame to frame, where that is said of frames that have no rate: they were not recorded to be played
        so, which may take days.
    files : tuple of str
        Their names, where frames of the input are files: all of them, also where a range is read; else empty.
    is_counted : bool
        ``n_frames`` was counted and not declared: there are no more, but some of them may be damaged.
    levels : (black, white) or None
        Samples between which deep pictures in grey, which are counts of light, are looked at: over the whole input.
        None where pictures are coded for a display, and where that was not measured.
    is_mixed : bool
        Frames are of several channels or depths, as a note says: that they differ is nothing new.
    """

    title: str
    layout: Layout
    fps: float | None
    n_frames: int | None
    live: bool = False
    n_bytes: int | None = None
    original: Layout | None = None
    n_before: int = 0
    numbers_frames: bool = True
    calibration: Calibration | None = None
    corner: tuple[int, int] = (0, 0)
    uncut: tuple[int, int] | None = None
    pixel_aspect: Fraction | None = None
    standard: ColourStandard | None = None
    profile: ColourProfile | None = None
    start_s: float = 0.0
    has_sound: bool = False
    timecode: Timecode | None = None
    mastering: Mastering | None = None
    may_pause: bool = False
    interval_s: float | None = None
    files: tuple[str, ...] = ()
    is_counted: bool = False
    levels: tuple[int, int] | None = None
    is_mixed: bool = False
    is_rate_told: bool = True

    @property
    def frames_per_s(self) -> float | None:
        """How many frames there are in a second of the scene; None where their times are but their places.

        It is ``fps``, and of a time-lapse, which is not played so, one over ``interval_s``.
        """
        return 1 / self.interval_s if self.interval_s else self.fps

    def number_of(self, index: int) -> int:
        """Return the number that people know a frame by, from 1 in all of the input, by its place in what is read."""
        return self.n_before + index + 1

    @property
    def is_timed(self) -> bool:
        """Times of frames are seconds, and not their places."""
        return self.frames_per_s is not None

    @property
    def full(self) -> Layout:
        """Of the frames as results have them, whatever the working size."""
        return self.original or self.layout


class Source(Protocol):
    """An input that can be read from any frame on, any number of times."""

    @property
    def info(self) -> SourceInfo:
        """What is known before reading."""

    @property
    def warnings(self) -> list[str]:
        """Sentences about what was skipped or converted while reading; grows as frames are read."""

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate frames in order from frame ``first`` (exact), each with the layout of `info`.

        Closing the generator releases what it opened.

        Raises
        ------
        CleanplateError
            Nothing can be read, or what comes next cannot be had: its medium fails or is gone, or the memory is full.
            Damage behind the first readable frame is passed over, or ends the iteration, with a warning instead.
        """

    def close(self) -> None:
        """Release files and devices. May be called twice."""


class BaseSource:
    """What sources of files and cameras have in common: what is known of them, and what they say.

    Those that inherit it set ``_info``, and say to ``_notes`` what was damaged, left out or converted.
    """

    _info: SourceInfo

    def __init__(self) -> None:
        self._notes = Notes()

    @property
    def info(self) -> SourceInfo:
        """What is known."""
        return self._info

    @property
    def warnings(self) -> list[str]:
        """What was said so far."""
        return self._notes.sentences

    def close(self) -> None:
        """Nothing to do, where each iterator closes what it opened."""


class Wrapping:
    """What sources have in common that make their frames of those of another one, ``inner``."""

    def __init__(self, inner: Source) -> None:
        self._inner = inner
        self._told: tuple[SourceInfo, SourceInfo] | None = None

    @property
    def info(self) -> SourceInfo:
        """What is known of the inner source, as `_info_of` has it; made anew only where that has changed."""
        inner, told = self._inner.info, self._told
        if told is None or told[0] is not inner:
            told = self._told = inner, self._info_of(inner)
        return told[1]

    def _info_of(self, inner: SourceInfo) -> SourceInfo:
        """Return what is known of this source, by what is known of the inner one."""
        return inner

    @property
    def warnings(self) -> list[str]:
        """What the inner source says."""
        return self._inner.warnings

    def close(self) -> None:
        """Close the inner source."""
        self._inner.close()
