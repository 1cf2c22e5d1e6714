"""The packets of an open video: decoding them past damage, and telling them apart."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import av
import numpy as np
from numpy.typing import NDArray

from core.io.sources.container import video_of
from core.io.sources.notes import Notes
from core.runtime import cores, signs_of_life

N_THREADS = 4
"""That decode one input. A frame of 4K takes 27 ms of one thread as H.264, 42 as HEVC and 103 as ProRes, and all else
that is done with it 27 ms on two cores. Each holds a frame or two of its own: with a thread for every core a run takes
the more memory the larger the machine."""

DAMAGED = (av.FFmpegError, ValueError)
"""What is raised on damaged files: libav's errors, and values of libav's that PyAV refuses."""

UNREADABLE = (*DAMAGED, OSError)
"""The same, and what the system says where it refuses to read on."""


def spread(context: av.VideoCodecContext) -> None:
    """Let a decoder that was not used yet work on several threads, and no more than there are cores for it."""
    context.thread_type = "AUTO"
    context.thread_count = min(cores.usable(), N_THREADS)


def stamp(decoded: av.VideoFrame) -> int | None:
    """Return the time stamp of a frame, or that of its packet where it has none."""
    return decoded.pts if decoded.pts is not None else decoded.dts


def decode(
    container: av.container.InputContainer,
    stream: av.VideoStream,
    notes: Notes,
    name: str,
    watch: Callable[[av.Packet[av.VideoStream]], bool] | None = None,
) -> Iterator[av.VideoFrame]:
    """Yield what can be decoded of a video of an open file, in order of presentation; damage is counted in a note.

    Ends at the first packet for which ``watch`` returns False.

    Raises
    ------
    OSError
        The system refuses to read on. Where libav takes that for the end, the file tells of it (`VideoFile.check`).
    MemoryError
        There is too little for it.
    """
    packets = container.demux(stream)
    damaged = 0
    while True:
        try:
            packet = next(packets, None)
        except MemoryError:
            raise
        except DAMAGED:
            notes.say("end", f"{name} cannot be read to its end; what follows the damage is missing.")
            packet = None
        signs_of_life.give()
        if packet is not None and watch is not None and not watch(packet):
            return
        try:
            yield from stream.codec_context.decode(packet)
        except av.EOFError:
            return
        except MemoryError:
            raise
        except DAMAGED:
            damaged += 1
            notes.say("damage", f"{name} is damaged: {damaged} of its packets could not be decoded.")
        if packet is None or packet.size == 0:
            return


@dataclass(frozen=True)
class Index:
    """What tells the frames of a file apart, 12 bytes a frame.

    Attributes
    ----------
    stamps : (N,) int64
        Time stamps in order of presentation, each greater than the one before.
    sizes : (N,) int32
        Bytes of the packet that carries the time stamp.
    """

    stamps: NDArray[np.int64]
    sizes: NDArray[np.int32]

    def knows(self, packet: av.Packet[av.VideoStream]) -> bool:
        """Tell whether a packet is one of those that were indexed.

        After a seek into the middle of a packet, some containers give the rest of it, or the time stamp of another.
        """
        if packet.size == 0 or packet.is_discard:
            return True
        if packet.pts is None:
            return False
        place = int(np.searchsorted(self.stamps, packet.pts))
        return place < len(self.stamps) and (self.stamps[place], self.sizes[place]) == (packet.pts, packet.size)


def read_index(container: av.container.InputContainer) -> Index | None:
    """Return the index of an open file from its packets alone.

    None where packets have no time stamps, or share them: then they do not tell the frames apart. Nor do they where
    the clock begins anew, as in recordings that were joined: it only ever goes on in the order of decoding.
    """
    stamps, sizes, clock = array("q"), array("i"), None
    try:
        for packet in container.demux(video_of(container)):
            signs_of_life.give()
            if packet.size == 0 or packet.is_discard:
                continue
            if packet.pts is None or (clock is not None and packet.dts is not None and packet.dts < clock):
                return None
            clock = packet.dts
            stamps.append(packet.pts)
            sizes.append(packet.size)
    except MemoryError:
        raise
    except DAMAGED:
        pass  # a file cut short: what was read so far is what can be decoded
    order = np.argsort(np.array(stamps, np.int64), kind="stable")
    index = Index(np.array(stamps, np.int64)[order], np.array(sizes, np.int32)[order])
    return index if len(order) and np.all(np.diff(index.stamps) > 0) else None
