"""One film of several, packet by packet: nothing is coded again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from core.errors import CleanplateError
from core.io.sinks.video import Film
from core.io.timecode import text_in

Stamps = NDArray[np.int64]
"""Presentation times in order, ticks of a clock."""


class JoinedFilm:
    """Copies films of one codec into one.

    Parts must begin with a frame that can be decoded by itself, as every film does that was coded from its start.

    Parameters
    ----------
    parts : sequence of Path
    stamps : (N,) int64
        Presentation times of all pictures of all parts, ticks.
    film : Film
        As one run would write it, with its sound: it is not opened, and gets the notes.

    Raises
    ------
    CleanplateError
        The parts have not so many pictures, or are coded otherwise.
    """

    def __init__(self, parts: Sequence[Path], stamps: Stamps, film: Film) -> None:
        self._parts, self._stamps, self._film = parts, stamps, film
        self._sound, self._clock = film.sound, film.clock()
        self._step = self._clock.step
        self._orders = [_order(part) for part in parts]
        found, wanted = sum(map(len, self._orders)), len(stamps)
        if found != wanted:
            raise CleanplateError(
                f"The pieces of {parts[0].name} hold {found} pictures in place of {wanted}; run what is missing again "
                f"(--resume)."
            )
        # A picture may be coded after one that is shown later, and must not be decoded after it is shown.
        self._delay = max(int((np.arange(len(order)) - order).max(initial=0)) for order in self._orders)

    def write(self, path: Path, check: Callable[[], object]) -> None:
        """Write the film; ``check`` is called between packets, and may raise. Raises OSError where the disk refuses."""
        try:
            with self._film.begin(path.absolute()) as film:
                self._copy(film, path.name, check)
        finally:
            if self._sound is not None:
                self._sound.close()

    def _copy(self, film: av.container.OutputContainer, name: str, check: Callable[[], object]) -> None:
        before, like = 0, ""
        stream: av.VideoStream | None = None
        for part, order in zip(self._parts, self._orders, strict=True):
            with av.open(str(part.absolute())) as file:
                source = file.streams.video[0]
                if stream is None:
                    stream, like = self._begin(film, source, name), _coding(source)
                elif _coding(source) != like:
                    raise CleanplateError(f"{part} is not coded as the pieces before it; remove it and --resume.")
                for place, packet in enumerate(_packets(file)):
                    check()
                    self._stamp(packet, before + place, before + int(order[place]))
                    packet.stream = stream
                    film.mux(packet)
                    if self._sound is not None:
                        self._sound.copy_until(film, packet.dts / self._clock.ticks if packet.dts else 0.0)
            before += len(order)
        if self._sound is not None:
            self._sound.copy_until(film, float(self._stamps[-1] + self._step) / self._clock.ticks)

    def _begin(self, film: av.container.OutputContainer, like: av.VideoStream, name: str) -> av.VideoStream:
        # Opaque: as it is coded; an encoder of the same name would be asked for its own ideas of it.
        stream = film.add_stream_from_template(like, opaque=True)
        stream.time_base = self._clock.tick
        stream.codec_context.codec_tag = like.codec_context.codec_tag
        stream.codec_context.framerate = Fraction(self._clock.ticks, self._step)
        if timecode := text_in(like.metadata):
            stream.metadata["timecode"] = timecode
        if like.sample_aspect_ratio:  # Of some codecs the container alone says the shape of pixels.
            stream.codec_context.sample_aspect_ratio = like.sample_aspect_ratio
        if self._sound is not None:
            self._sound.begin(film, name, self._film.before_s)
        return stream

    def _stamp(self, packet: av.Packet[Any], coded: int, shown: int) -> None:
        """Set the times of the packet that is the ``coded``-th in the file and the ``shown``-th to be seen."""
        stamps, decoded = self._stamps, coded - self._delay
        last = shown + 1 == len(stamps)
        packet.time_base = self._clock.tick
        packet.pts = int(stamps[shown])
        packet.dts = int(stamps[decoded]) if decoded >= 0 else int(stamps[0]) + decoded * self._step
        packet.duration = self._step if last else int(stamps[shown + 1] - stamps[shown])


def _packets(file: av.container.InputContainer) -> Any:
    return (packet for packet in file.demux(file.streams.video[0]) if packet.size)


def _order(part: Path) -> NDArray[np.int64]:
    """Return which place in the order of presentation each packet of a film has, in the order of the file."""
    with av.open(str(part.absolute())) as file:
        stamps = np.array([packet.pts for packet in _packets(file)], np.int64)
    order = np.empty(len(stamps), np.int64)
    order[np.argsort(stamps, kind="stable")] = np.arange(len(stamps))
    return order


def _coding(stream: av.VideoStream) -> str:
    context = stream.codec_context
    extra = bytes(context.extradata or b"")
    return f"{context.name} {context.width}×{context.height} {context.pix_fmt} {extra!r}"
