"""The sound of an input, copied into a film packet by packet: nothing of it is coded again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av

from core.io.sources import room
from core.io.sources.container import VideoFile, open_container

if TYPE_CHECKING:
    Packet = av.Packet[Any]

BEFORE_S = 0.1
"""Sound kept from before the first frame, seconds: a decoder needs the packet before the first one that is heard."""


class Sound:
    """The first sound of a file, beside a film whose frames are those of the file one by one.

    Parameters
    ----------
    path : Path
        Holds a video.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._closed = threading.Event()
        self._bytes: VideoFile | None = None
        self._file: av.container.InputContainer | None = None
        self._packets: Iterator[Packet] = iter(())
        self._next: Packet | None = None
        self._stream: av.AudioStream | None = None
        self._start_s = 0.0

    def begin(self, film: av.container.OutputContainer) -> str | None:
        """Add the sound, if there is any, to a film that has its stream of pictures but no packet yet.

        Returns libav's name of how it is coded where the film's container cannot hold that.
        """
        self._bytes = VideoFile(self._path, self._closed)
        self._file = open_container(self._bytes, room.most_pixels(self._path.stat().st_size))
        if not self._file.streams.audio:
            return None
        sound = self._file.streams.audio[0]
        packets = self._file.demux(sound)
        first = next((packet for packet in packets if packet.size), None)
        if first is None:
            return None
        if not _takes(film.format.name, sound, first):
            return sound.codec_context.name
        video = self._file.streams.video[0]
        if video.start_time is not None and video.time_base is not None:
            self._start_s = float(video.start_time * video.time_base)
        self._stream, self._packets, self._next = film.add_stream_from_template(sound), packets, first
        return None

    def until(self, time_s: float) -> list[Packet]:
        """Return what is heard before a time of the film, seconds, and was not taken yet; ends where it is damaged."""
        found = []
        try:
            while (packet := self._next) is not None and self._at(packet) < time_s:
                self._next = next(self._packets, None)
                if packet.size and packet.pts is not None and self._at(packet) >= -BEFORE_S:
                    found.append(self._shifted(packet))
        except av.FFmpegError:
            self._next = None
        return found

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._next, self._packets = None, iter(())
        if self._file is not None:
            self._file.close()
            self._file = None
        if self._bytes is not None:
            self._bytes.close()
            self._bytes = None

    def _at(self, packet: Packet) -> float:
        """Return when a packet begins, seconds from the first frame; what has no time comes at once."""
        stamp = packet.pts if packet.pts is not None else packet.dts
        return -BEFORE_S if stamp is None else float(stamp * (packet.time_base or Fraction(1))) - self._start_s

    def _shifted(self, packet: Packet) -> Packet:
        back = round(self._start_s / (packet.time_base or Fraction(1)))
        assert packet.pts is not None
        packet.pts -= back
        if packet.dts is not None:
            packet.dts -= back
        packet.stream = self._stream
        return packet


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
