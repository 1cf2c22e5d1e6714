"""Video files."""

from __future__ import annotations

import contextlib
import math
import re
import threading
from collections.abc import Generator, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from pathlib import Path

import av

from core.errors import CancelledError, CleanplateError
from core.frames.frame import Frame, Values
from core.io.mastering import mastering_of
from core.io.regular_file import open_regular
from core.io.sources import failing, packets, pixels, room, steady
from core.io.sources.base import BaseSource, SourceInfo
from core.io.sources.colour_notes import colour_notes
from core.io.sources.container import VideoFile, films_in, open_container, video_of
from core.io.sources.cut_off import SAID_AHEAD, is_cut_off
from core.io.sources.gaps import Gaps
from core.io.sources.notes import Notes
from core.io.sources.rates import mean_rate, nominal_rate
from core.io.sources.running_clock import DISORDER, RunningClock
from core.io.sources.unusable import UnusableError
from core.io.timecode import Timecode, text_in
from core.runtime import stopping

VIDEO_SUFFIXES = (
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts", ".wmv", ".flv", ".ogv",
    ".3gp", ".mxf", ".y4m", ".gif",
)  # fmt: skip

LONGEST_S = 1e8
"""No film lasts three years: a time stamp beyond that is damaged."""

_DURATION = re.compile(r"(\d+):(\d+):(\d+(?:\.\d+)?)")
"""How Matroska's tags say how long a stream lasts."""

_NEAR = 16
"""Frames that are sooner decoded than sought; also the first step back where a seek lands too late."""


class VideoSource(BaseSource):
    """A video file, read with libav. Every iterator opens the file for itself and closes it at its end.

    Seeking is exact. The first seek reads the file's packets once, without decoding, and keeps the time stamp of
    each frame and the size of its packet (12 bytes a frame, the only thing that grows with the file). A seek then
    goes to the key frame at or before the wanted frame and decodes up to its very time stamp, and goes back further
    where the packets that it meets are not those of the index. Files without usable time stamps, and those in
    which packets and frames do not match, are decoded from the start instead: slower, as exact.

    What is damaged is passed over with a note; a drive that fails, or too little memory, is an error. The number of
    frames is exact once the file was read to its end.

    Raises
    ------
    CleanplateError
        The file cannot be read as a video, or no frame of it can.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._anew: set[int] = set()
        try:
            self._n_bytes = path.stat().st_size
        except OSError as error:
            raise self._refused(error) from error
        self._packets: packets.Index | None = None
        self._countable = True
        with self._open() as container:
            stream, films = video_of(container), films_in(container)
            seen: list[int | None] = []
            first, self._pixels = _first_frame(container, stream, path.name, seen)
            self._origin = packets.stamp(first)
            self._time_base = first.time_base or stream.time_base
            nominal, fps = nominal_rate(stream), float(mean_rate(stream))
            self._declared = stream.frames or None
            self._lasts_s, self._container = _said_to_last_s(container), container.format.name
            n_frames = _expected(container, fps)
            timecode = Timecode.of(text_in(stream.metadata) or text_in(container.metadata), float(nominal))
            aspect, is_gif = stream.sample_aspect_ratio, stream.codec_context.name == "gif"
            has_sound = bool(container.streams.audio)
            self._times: steady.Times | None = None
            start_s = 0.0
            if self._origin is not None and self._time_base:
                self._times = steady.times_of(container, self._origin, self._time_base, nominal, seen)
                start_s = float(self._origin * self._time_base)
        self._step_s = 1 / fps
        if aspect and self._pixels.turn.transposes:
            aspect = 1 / aspect
        beside = pixels.side_data_of(first)
        self._info = SourceInfo(
            path.name, self._pixels.layout, fps, n_frames, n_bytes=self._n_bytes,
            pixel_aspect=aspect if aspect and aspect != 1 else None, start_s=start_s, timecode=timecode,
            standard=self._pixels.standard,
            mastering=mastering_of(beside) if self._pixels.standard.is_high_range else None, has_sound=has_sound,
        )  # fmt: skip
        self._note_kind(first, is_gif=is_gif)
        if len(films) > 1:
            size = f"{self._pixels.layout.width}×{self._pixels.layout.height}"
            number = films.index(stream) + 1
            self._notes.say("films", f"{path.name} holds {len(films)} videos; number {number} is read, of {size}.")

    def frames(self, first: int = 0) -> Generator[Frame, None, None]:
        """Iterate from frame ``first`` on."""
        index = self._index() if first > _NEAR else None
        if index is None:
            yield from self._from_start(first)
        elif first < len(index.stamps):
            back = 0
            while back <= first:
                # The iteration is handed over as soon as a seek has landed on the wanted frame.
                landed = yield from self._sought(first, index, int(index.stamps[first - back]))
                if landed:
                    return
                back = max(_NEAR, 4 * back)
            yield from self._from_start(first)

    def glimpses(self, n_places: int) -> Iterator[list[Frame]]:
        """Yield two frames that follow each other, or one, from a few places: the key frames before them, each once.

        Damage is not told of, and ends it: whoever reads the film will be told.
        """
        seen: set[int | None] = set()
        try:
            with self._open() as container:
                stream = video_of(container)
                stream.thread_type = "SLICE"  # Threads of frames would decode many before the first is given.
                for place in range(n_places):
                    seconds = place / n_places * (self._info.n_frames or 0) * self._step_s
                    if seconds and self._time_base:
                        container.seek((self._origin or 0) + round(seconds / self._time_base), stream=stream)
                    elif place:
                        return
                    found = packets.decode(container, stream, Notes(), self._path.name)
                    pair = [picture for picture in islice(found, 2) if self._pixels.fits(picture)]
                    if pair and packets.stamp(pair[0]) not in seen:
                        seen.add(packets.stamp(pair[0]))
                        yield [
                            Frame(i, 0.0, self._pixels.values(one), self._pixels.layout) for i, one in enumerate(pair)
                        ]
        except CancelledError:
            raise
        except (*packets.UNREADABLE, *pixels.UNUSABLE, CleanplateError):
            return

    def is_cut_off(self) -> bool:
        """Tell whether the file lacks bytes that its container says it has."""
        try:
            with open_regular(self._path) as file:
                return is_cut_off(file, self._container)
        except OSError as error:
            raise self._refused(error) from error

    def close(self) -> None:
        """End every iterator at its next read; each closes what it opened."""
        self._closed.set()

    def _note_kind(self, first: av.VideoFrame, *, is_gif: bool) -> None:
        """Say what of the film is not used or shown as it could be, by its first frame."""
        name = self._path.name
        notes = colour_notes(name, self._pixels.standard, first.colorspace, pixels.side_data_of(first))
        for number, note in enumerate(notes):
            self._notes.say(f"colour {number}", note)
        if first.interlaced_frame:
            self._notes.say(
                "fields",
                f"{name} is interlaced: each frame shows two moments, and edges that move are combs in masks; "
                "deinterlace it first (ffmpeg -vf bwdif).",
            )
        if self._pixels.drops_alpha and not is_gif:  # Each GIF is decoded with alpha.
            self._notes.say("alpha", f"{name} has an alpha channel, which is not used.")

    @contextlib.contextmanager
    def _open(self) -> Iterator[av.container.InputContainer]:
        """Open the file; at the end, where a read of it has failed, whatever libav made of that is this error."""
        with contextlib.ExitStack() as opened:
            try:
                file = opened.enter_context(contextlib.closing(VideoFile(self._path, self._closed)))
            except OSError as error:
                raise self._refused(error) from error
            most = room.most_pixels(self._n_bytes)
            try:
                container = opened.enter_context(open_container(file, most))
                context = video_of(container).codec_context
                room.check_decoding(self._path.name, context.width, context.height, self._n_bytes)
                packets.spread(context)
                context.options = {"max_pixels": str(most)}
                yield container
            except CleanplateError:
                file.check()
                raise
            except OSError as error:
                raise failing.failed(self._path.name, error) from error
            except MemoryError as error:
                raise failing.no_room(self._path.name) from error
            file.check()

    def _refused(self, error: OSError) -> CleanplateError:
        """Return the error of a file that the system does not open."""
        if isinstance(error, FileNotFoundError):
            gone = "is gone, or a link to what is gone"
            return UnusableError.of(self._path.name, gone, "put it back, or open another file")
        return failing.failed(self._path.name, error)

    def _from_start(self, first: int) -> Iterator[Frame]:
        time_s, stamp, index = -self._step_s, None, -1
        clock, n_begun, gaps = RunningClock(self._step_s), 1, Gaps(self._step_s)
        with self._open() as container:
            watch = partial(_in_time, clock)
            found = packets.decode(container, video_of(container), self._notes, self._path.name, watch)
            for index, decoded in enumerate(found):
                if index < first:
                    stopping.check()
                if not self._same_size(decoded, index):
                    return
                now_s, stamp = self._time(decoded, time_s, stamp), packets.stamp(decoded)
                if index and self._container != "avi":  # Its empty slots are pictures that are shown for longer.
                    gaps.add(index, now_s - time_s)
                # Of one alone the time is damaged.
                time_s = time_s + self._step_s if now_s < time_s - DISORDER * self._step_s else now_s
                shown_s = -math.inf if stamp is None else float(stamp * (self._time_base or 1))
                if len(clock.stretches) > n_begun and shown_s > clock.stretches[n_begun].begins_s - self._step_s / 2:
                    self._note_clock(index + 1)
                    n_begun += 1
                if index >= first:
                    values = self._values(decoded, index)
                    if values is None:
                        return
                    yield Frame(index, time_s, values, self._pixels.layout)
        self._counted(index + 1, stamp)
        if said := gaps.sentence(self._path.name):
            self._notes.say("gaps", said)

    def _sought(self, first: int, known: packets.Index, start: int) -> Generator[Frame, None, bool]:
        """Yield frames from ``first`` on, after a seek to time stamp ``start``.

        Returns False, and has yielded nothing, where the seek landed too late or beside a packet's start.
        """
        stamp = int(known.stamps[first])
        index, time_s, ready, last = first, 0.0, False, int(known.stamps[first - 1]) if first else None
        with self._open() as container:
            stream = video_of(container)
            try:
                container.seek(start, stream=stream)
            except av.FFmpegError:
                return False
            found = packets.decode(
                container, stream, self._notes, self._path.name, lambda p: index > first or known.knows(p)
            )
            for decoded in found:
                if index == first:
                    # What is shown before the first key frame refers to frames that were not read.
                    ready = ready or bool(decoded.key_frame)
                    here = packets.stamp(decoded)
                    if here is None or here > stamp or (here == stamp and not ready):
                        return False
                    if here < stamp:
                        continue
                if not self._same_size(decoded, index):
                    return True
                time_s, last = self._time(decoded, time_s, last), packets.stamp(decoded)
                values = self._values(decoded, index)
                if values is None:
                    return True
                yield Frame(index, time_s, values, self._pixels.layout)
                index += 1
        if index > first:
            self._note_count(index, last)
        return index > first

    def _time(self, decoded: av.VideoFrame, before_s: float, before: int | None) -> float:
        """Return when a frame is shown, by the time and the time stamp of the one before it."""
        stamp = packets.stamp(decoded)
        if stamp is None or self._times is None:
            return before_s + self._step_s
        time_s = self._times.time_s(stamp, before)
        return time_s if abs(time_s) < LONGEST_S else before_s + self._step_s

    def _values(self, decoded: av.VideoFrame, index: int) -> Values | None:
        """Return the samples of a frame; None, and a note, where they changed to a form that cannot be used."""
        try:
            return self._pixels.values(decoded)
        except MemoryError:
            raise
        except pixels.UNUSABLE:
            self._notes.say(
                "form", f"{self._path.name} changes its pixel format at frame {index + 1}; reading stops there."
            )
            return None

    def _same_size(self, decoded: av.VideoFrame, index: int) -> bool:
        if self._pixels.fits(decoded):
            return True
        width, height = self._pixels.coded
        self._notes.say(
            "size",
            f"{self._path.name} changes from {width}×{height} to {decoded.width}×{decoded.height} at frame "
            f"{index + 1}; reading stops there.",
        )
        return False

    def _note_clock(self, number: int) -> None:
        """Say that the clock begins anew at a frame, by its number, as it may at others."""
        with self._lock:
            self._anew.add(number)
            first, n_more = min(self._anew), len(self._anew) - 1
        where = f"frame {first} and {n_more} more" if n_more else f"frame {first}"
        self._notes.say("clock", f"The clock of {self._path.name} begins anew at {where}; times go on there.")

    def _counted(self, n_frames: int, last: int | None) -> None:
        """Take note of how many frames the file really has, and of the time stamp of the last one."""
        with self._lock:
            if self._packets is not None and len(self._packets.stamps) != n_frames:
                self._countable = False
        self._note_count(n_frames, last)

    def _note_count(self, n_frames: int, last: int | None) -> None:
        with self._lock:
            self._info = replace(self._info, n_frames=n_frames, is_counted=True)
        if self._lasts_s and last is not None and self._time_base:
            self._note_end(float(last * self._time_base) + self._step_s, self._lasts_s)
        if not self._declared or n_frames >= self._declared:
            return
        # AVI counts slots in time: a frame that is shown for longer leaves those after it empty.
        if self._container == "avi" and last is not None and last + 1 >= self._declared:
            held = f"and holds {n_frames}, up to its end: some are shown for longer"
        else:
            held = f"but only {n_frames} can be read"
        self._notes.say("count", f"{self._path.name} declares {self._declared} frames, {held}.")

    def _note_end(self, end_s: float, lasts_s: float) -> None:
        """Say where the file is cut off, and its pictures end before it says that they do."""
        if lasts_s - end_s > self._step_s and self.is_cut_off():
            self._notes.say(
                "cut",
                f"{self._path.name} is cut off: it says that it lasts {lasts_s:.1f} s, and ends at {end_s:.1f} s.",
            )

    def _index(self) -> packets.Index | None:
        """Return the index of the file, made at the first call, or None where it cannot be relied on."""
        with self._lock:
            if self._packets is None and self._countable:
                with self._open() as container:
                    known = packets.read_index(container)
                self._packets = known  # Only of a file that was read to its end.
                counted = self._info.n_frames if self._info.is_counted else None
                if known is None or known.stamps[0] != self._origin or counted not in {None, len(known.stamps)}:
                    self._countable = False
            return self._packets if self._countable else None


def _first_frame(
    container: av.container.InputContainer, stream: av.VideoStream, name: str, seen: list[int | None]
) -> tuple[av.VideoFrame, pixels.Pixels]:
    """Return the first frame of a file of this name, and how frames become vectors; ``seen`` takes what `_see` does."""
    first = next(packets.decode(container, stream, Notes(), name, partial(_see, seen)), None)
    if first is None:
        raise UnusableError.of(name, "holds no frame that can be decoded", "try another file")
    try:
        found = pixels.of_frame(first)
        found.values(first)
    except pixels.UNUSABLE as error:
        form = f"has frames in a form that cannot be used ({first.format.name})"
        raise UnusableError.of(name, form, "try another file") from error
    return first, found


def _expected(container: av.container.InputContainer, fps: float) -> int | None:
    """Return how many frames a file seems to have; None where it does not say."""
    stream = video_of(container)
    if stream.duration and stream.time_base:
        lasts = round(float(stream.duration * stream.time_base) * fps)
        # Some containers count slots in time, not frames.
        return lasts if not stream.frames or stream.frames > 1.05 * lasts + 1 else stream.frames
    if not stream.frames and container.duration:
        return round(container.duration / av.time_base * fps)
    return stream.frames or None


def _said_to_last_s(container: av.container.InputContainer) -> float | None:
    """Return when the pictures of a file end, by its header; None where it does not say, or only libav does."""
    if container.format.name not in SAID_AHEAD:
        return None
    of_stream = _DURATION.fullmatch(video_of(container).metadata.get("DURATION", ""))
    if of_stream:  # The sound may last longer.
        hours, minutes, seconds = map(float, of_stream.groups())
        return 3600 * hours + 60 * minutes + seconds
    return container.duration / av.time_base if container.duration else None


def _see(stamps: list[int | None], packet: av.Packet[av.VideoStream]) -> bool:
    """Keep the time stamp of a packet, and let it be decoded."""
    if packet.size:
        stamps.append(packet.pts)
    return True


def _in_time(clock: RunningClock, packet: av.Packet[av.VideoStream]) -> bool:
    """Give a packet its times by a clock that goes on, and let it be decoded."""
    moved_s = clock.go_on(packet).moved_s
    if moved_s:
        moved = round(moved_s / (packet.time_base or Fraction(1)))
        packet.pts, packet.dts = (None if time is None else time + moved for time in (packet.pts, packet.dts))
    return True
