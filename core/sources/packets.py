"""The packets of an open video: decoding them past damage, and reading their time stamps."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import av
import numpy as np
from numpy.typing import NDArray

from core.sources.notes import Notes


def stamp(decoded: av.VideoFrame) -> int | None:
    """Return the time stamp of a frame, or that of its packet where it has none."""
    return decoded.pts if decoded.pts is not None else decoded.dts


def decode(container: av.container.InputContainer, notes: Notes, name: str) -> Iterator[av.VideoFrame]:
    """Yield what can be decoded, in order of presentation; damage is counted in a note."""
    stream = container.streams.video[0]
    packets = container.demux(stream)
    damaged = 0
    while True:
        try:
            packet = next(packets, None)
        except (av.FFmpegError, OSError):
            notes.say("end", f"{name} cannot be read to its end; what follows the damage is missing.")
            packet = None
        try:
            yield from stream.codec_context.decode(packet)
        except av.EOFError:
            return
        except (av.FFmpegError, OSError):
            damaged += 1
            notes.say("damage", f"{name} is damaged: {damaged} of its packets could not be decoded.")
        if packet is None or packet.size == 0:
            return


def read_stamps(container: av.container.InputContainer) -> NDArray[np.int64] | None:
    """Return the time stamp of each frame in order of presentation, from the packets alone.

    None where packets have no stamps, or share them: then they do not tell the frames apart.
    """
    stamps = array("q")
    try:
        for packet in container.demux(container.streams.video[0]):
            if packet.size == 0 or packet.is_discard:
                continue
            if packet.pts is None:
                return None
            stamps.append(packet.pts)
    except (av.FFmpegError, OSError):
        pass  # a file cut short: what was read so far is what can be decoded
    ordered = np.sort(np.array(stamps, np.int64))
    return ordered if len(ordered) and np.all(np.diff(ordered) > 0) else None
