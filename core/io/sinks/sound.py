"""The sound of an input, copied into a film packet by packet: nothing of it is coded again."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av

from core.errors import CleanplateError
from core.io.sinks.beside_pictures import BesidePictures
from core.io.sources import failing, room
from core.io.sources.container import VideoFile, open_container, video_of
from core.io.sources.rates import mean_rate
from core.io.sources.running_clock import Stretch

if TYPE_CHECKING:
    Packet = av.Packet[Any]

BEFORE_S = 0.1
"""Sound kept from before the first frame, seconds: a decoder needs the packet before the first one that is heard."""

GAP_S = 0.5
"""What is missing between two packets before a note says so, seconds; coders leave out shorter silence."""


class Sound:
    """The first sound of a file, beside a film whose frames are those of the file one by one, from any of them on.

    Where the clock of the pictures begins anew, as that of recordings put behind each other does, the sound goes on
    with them. Where that of the sound alone goes back or stands, its times go on as they were: films take none that is
    not later than the one before.

    Parameters
    ----------
    path : Path
        Holds a video.
    start_s : float
        When the first picture of that video is shown by its clock, seconds. It may begin with others that cannot be
        decoded.
    notes : list of str
        Gets sentences about what the film lacks.
    """

    def __init__(self, path: Path, start_s: float, notes: list[str]) -> None:
        self._path, self._start_s, self._notes = path, start_s, notes
        self._closed = threading.Event()
        self._bytes: VideoFile | None = None
        self._file: av.container.InputContainer | None = None
        self._packets: Iterator[Packet] = iter(())
        self._next: Packet | None = None
        self._stream: av.AudioStream | None = None
        self._name = ""
        self._last: int | None = None
        self._stretch: Stretch | None = None
        self._moved = 0
        self._goes_back = False
        self._ends_s: float | None = None
        self._has_gaps = False

    def begin(self, film: av.container.OutputContainer, name: str, before_s: float) -> None:
        """Add the sound, if there is any, to a film that has its stream of pictures but no packet yet.

        A note says where the film, whose name is given, cannot hold sound that is coded so.

        Parameters
        ----------
        film : OutputContainer
        name : str
        before_s : float
            From the first picture of the video to that of the film, seconds.

        Raises
        ------
        CleanplateError
            The input cannot be read, as it was before: its medium fails or is gone (`LostInputError`).
        """
        self._name = name
        try:
            self._bytes = VideoFile(self._path, self._closed)
            self._file = open_container(self._bytes, room.most_pixels(self._path.stat().st_size))
        except OSError as error:
            raise failing.failed(self._path.name, error) from error
        except CleanplateError:
            self._check_input()
            raise
        if not self._file.streams.audio:
            return
        sound = self._file.streams.audio[0]
        video = video_of(self._file)
        step_s = float(1 / mean_rate(video))
        beside = BesidePictures(self._file.demux(video, sound), self._start_s + before_s, step_s)
        self._packets = self._in_time(beside)
        first = self._read()
        if first is None:
            return
        if not _takes(film.format.name, sound, first):
            self._notes.append(
                f"{name} has no sound: coded as {sound.codec_context.name} it does not fit into it; --format mkv may "
                "keep it."
            )
            return
        self._stream = film.add_stream_from_template(sound)
        self._next = first

    def copy_until(self, film: av.container.OutputContainer, time_s: float) -> None:
        """Write what is heard before a time of the film, seconds, and was not written yet.

        A note says where it has gaps, as the input is damaged, and where it ends early, as the film refuses it, too.
        Raises what the disk does, and a `LostInputError` where the input fails.
        """
        for packet in self._until(time_s):
            try:
                film.mux(packet)
            except (av.ArgumentError, av.ExternalError) as error:
                self._next = None
                self._notes.append(f"The sound of {self._name} ends early: it cannot be written ({error.strerror}).")
                return

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._next, self._packets = None, iter(())
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._bytes is not None:
            self._bytes.close()
            self._bytes = None

    def _until(self, time_s: float) -> Iterator[Packet]:
        while (packet := self._next) is not None:
            self._note_gap(min(_at(packet), time_s))
            if _at(packet) >= time_s:
                return
            self._ends_s = _end(packet)
            self._next = self._read()
            packet.stream = self._stream
            yield packet

    def _read(self) -> Packet | None:
        """Return the next packet of what is heard in the film; None where there is none."""
        packet = self._read_any()
        while packet is not None and _at(packet) < -BEFORE_S:
            self._ends_s = _end(packet)
            packet = self._read_any()
        return packet

    def _read_any(self) -> Packet | None:
        """Return the next packet; None at the end of the file, and where nothing behind it can be read."""
        try:
            packet = next(self._packets, None)
        except (av.FFmpegError, OSError):
            self._check_input()
            self._notes.append(f"The sound of {self._name} ends early: {self._path.name} is damaged there.")
            return None
        if packet is None:  # At its end, or as libav takes a drive that fails for it.
            self._check_input()
            return None
        return packet

    def _check_input(self) -> None:
        """Raise an error where what failed is no damage but the medium of the input."""
        if self._bytes is not None:
            self._bytes.check()

    def _in_time(self, found: Iterable[tuple[Packet, Stretch]]) -> Iterator[Packet]:
        """Yield packets with their times in the film, each later than the one before."""
        for packet, stretch in found:
            assert packet.pts is not None
            begins = stretch is not self._stretch
            time = packet.pts + round(stretch.moved_s / (packet.time_base or Fraction(1)))
            if begins and self._last is not None and time <= self._last:
                continue  # It is heard when the pictures before are still shown, and so is what belongs to these.
            if begins:
                self._moved, self._stretch, self._goes_back = 0, stretch, False
            time += self._moved
            goes_back = self._last is not None and time <= self._last
            if self._last is not None and goes_back:
                due = self._last + max(packet.duration or 0, 1)
                if self._goes_back:  # Of one alone the time is damaged; with two another clock has begun.
                    self._moved += due - time
                time = due
            self._last, self._goes_back = time, goes_back
            packet.pts = packet.dts = time
            yield packet

    def _note_gap(self, until_s: float) -> None:
        """Say once where packets are missing up to a time of the film: those that are damaged are left out."""
        if self._ends_s is not None and until_s > max(self._ends_s, 0.0) + GAP_S and not self._has_gaps:
            self._has_gaps = True
            name = self._path.name
            self._notes.append(f"The sound of {self._name} has gaps, as that of {name} has: it may be damaged there.")


def _at(packet: Packet) -> float:
    """Return when a packet begins, seconds from the first frame."""
    return float((packet.pts or 0) * (packet.time_base or Fraction(1)))


def _end(packet: Packet) -> float | None:
    """Return when a packet ends, seconds from the first frame; None where it does not say how long it is."""
    return _at(packet) + float(packet.duration * (packet.time_base or Fraction(1))) if packet.duration else None


def _takes(container: str, sound: av.AudioStream, first: Packet) -> bool:
    """Tell whether a container takes a sound: that it knows how it is coded does not say so, but a whole file does."""
    try:
        with av.open(BytesIO(), "w", format=container) as trial:
            packet = av.Packet(bytes(first))
            packet.pts, packet.dts, packet.time_base = 0, 0, first.time_base or Fraction(1)
            packet.stream = trial.add_stream_from_template(sound)
            trial.mux(packet)
    except (av.FFmpegError, ValueError):
        return False
    return True
